"""From what a network makes of words to scores of their tags."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from headwise.components.network.tag_pieces import numbered_pieces
from headwise.training.neural.biaffine import Affine, leaky, padded_rows
from headwise.training.neural.dropout import Dropout
from headwise.training.neural.treebank import Batch


class TagHead(nn.Module):
    """A layer, and a vector for each tag. The vector of a tag is the sum of those of its pieces.

    So tags share what they have in common, as features of the tagger do. A model file has the sums.
    """

    pieces: Tensor

    def __init__(self, wide: int, width: int, pieces: Tensor, dropout: Dropout) -> None:
        """``pieces[t, k]`` is 1 where tag t has piece k."""
        super().__init__()
        self._dropout = dropout
        self.state = Affine(wide, width)
        self.vectors = nn.Parameter(torch.zeros(pieces.shape[1], width))
        self.bias = nn.Parameter(torch.zeros(pieces.shape[1]))
        self.register_buffer("pieces", pieces, persistent=False)

    def start(self, generator: torch.Generator) -> None:
        with torch.no_grad():
            for table in (self.state.weights, self.vectors):
                limit = 1 / math.sqrt(self.state.weights.shape[0])
                table.uniform_(-limit, limit, generator=generator)

    def forward(self, batch: Batch, x: Tensor) -> Tensor:
        """The scores of tags, (B, n+1, tags), from (P, wide)."""
        state = self._dropout.of_layers(batch, self.training)(leaky(self.state(x)))
        return padded_rows(batch, (state @ (self.pieces @ self.vectors).T).float() + self.pieces @ self.bias)

    def blocks(self) -> list[Tensor]:
        """The weights in the order of ``NetworkWeights`` of the core."""
        return [
            self.state.weights,
            self.state.bias,
            (self.pieces @ self.vectors).T,
            self.pieces @ self.bias,
        ]

    def own_blocks(self) -> list[Tensor]:
        """The same of tags that are one piece each, to be filled."""
        assert torch.equal(self.pieces, torch.eye(len(self.pieces), device=self.pieces.device))
        return [self.state.weights, self.state.bias, self.vectors.T, self.bias]


def tag_pieces(tags: Sequence[Sequence[str]]) -> Tensor:
    """`numbered_pieces` as a table: ``[t, k]`` is 1 where tag t has piece k."""
    pieces = numbered_pieces(tags)
    table = torch.zeros(len(tags), 1 + max((number for own in pieces for number in own), default=-1))
    for t, own in enumerate(pieces):
        table[t, own] = 1.0
    return table
