"""From what is known of each position to scores of arcs and labels (Dozat and Manning 2017)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from headwise.reference.network import LEAK
from headwise.training.neural.dropout import Dropout
from headwise.training.neural.treebank import Batch


@dataclass(frozen=True)
class Scores:
    """What a network makes of a batch."""

    arcs: Tensor
    """[sentence, head, modifier], (B, n+1, n+1). What is no arc is −inf."""
    label_heads: Tensor
    label_modifiers: Tensor
    """(B, n+1, width): what labels are chosen by."""
    tags: Tensor | None = None
    """(B, n+1, tags): scores of the tags of words, where the network knows tags."""


class Affine(nn.Module):
    """x · weights + bias, laid out as in the model file."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.weights, self.bias = nn.Parameter(torch.zeros(rows, columns)), nn.Parameter(torch.zeros(columns))

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weights + self.bias


class Biaffine(nn.Module):
    """A bilinear form of head and modifier for arcs, a layer over their sum for labels."""

    def __init__(self, wide: int, arcs: int, labels: int, label_count: int, dropout: Dropout) -> None:
        super().__init__()
        self.label_count, self._dropout = label_count, dropout
        self.head, self.modifier, self.attraction = Affine(wide, arcs), Affine(wide, arcs), Affine(arcs, arcs)
        self.label_head, self.label_modifier = Affine(wide, labels), Affine(wide, labels)
        self.label = Affine(labels, label_count)

    def start(self, generator: torch.Generator) -> None:
        """Small random numbers; the bilinear form starts from zero."""
        for layer in (self.head, self.modifier, self.label_head, self.label_modifier, self.label):
            limit = 1 / math.sqrt(layer.weights.shape[0])
            with torch.no_grad():
                layer.weights.uniform_(-limit, limit, generator=generator)

    def forward(self, batch: Batch, x: Tensor) -> Scores:
        """``x`` is (P, wide)."""
        drop = self._dropout.of_layers(batch, self.training)
        heads = drop(leaky(self.head(x)))
        attractions = self.attraction(drop(leaky(self.modifier(x))))
        arcs = torch.bmm(padded_rows(batch, heads).float(), padded_rows(batch, attractions).float().mT)
        return Scores(
            arcs.masked_fill(~is_arc(batch), -torch.inf),
            padded_rows(batch, self.label_head(x)),
            padded_rows(batch, self.label_modifier(x)),
        )

    def labels(self, batch: Batch, scores: Scores, heads: Tensor) -> Tensor:
        """The scores of labels, (B, n, L), given a head for every word; without one (−1), the root is."""
        # A product with ones and zeros gathers the same numbers, and its gradient adds up in a fixed order.
        chosen = nn.functional.one_hot(heads.clamp(min=0), batch.words + 1).to(scores.label_heads.dtype)
        joined = leaky(torch.bmm(chosen, scores.label_heads) + scores.label_modifiers[:, 1:])
        result: Tensor = self.label(self._dropout.of_sentences(joined, self.training))
        return result.float()

    def all_labels(self, scores: Scores) -> Tensor:
        """The scores of labels of all arcs, (B, n+1, n+1, L)."""
        joined = leaky(scores.label_heads[:, :, None] + scores.label_modifiers[:, None])
        result: Tensor = self.label(joined)
        return result.float()

    def blocks(self) -> Iterator[Tensor]:
        """The weights in the order of ``NetworkWeights`` of the core."""
        for layer in (
            self.head,
            self.modifier,
            self.attraction,
            self.label_head,
            self.label_modifier,
            self.label,
        ):
            yield layer.weights
            yield layer.bias


class Scorer(nn.Module, ABC):
    """What is trained: from a batch to scores."""

    dropout: Dropout
    biaffine: Biaffine

    def seed(self, seed: int) -> None:
        """What is left out at random from here on depends on this number alone."""
        assert self.dropout.generator is not None
        self.dropout.generator.manual_seed(seed)

    def slower(self) -> set[str]:
        """The beginnings of the names of weights that have been learned before, and are to change little."""
        return set()

    @abstractmethod
    def to_tables(self) -> tuple[npt.NDArray[np.float32], ...]:
        """The weights, as they are kept."""


def is_arc(batch: Batch) -> Tensor:
    """(B, n+1, n+1): where there are a head and another word."""
    nodes = torch.arange(batch.words + 1, device=batch.lengths.device)
    inside = nodes <= batch.lengths[:, None]
    return inside[:, :, None] & inside[:, None, :] & (nodes[:, None] != nodes) & (nodes > 0)


def padded_rows(batch: Batch, rows: Tensor) -> Tensor:
    """(P, width) to (B, n+1, width), with zeros where there is no position."""
    table = rows.new_zeros(len(batch.lengths) * (batch.words + 1), rows.shape[1])
    return table.index_copy(0, batch.cell, rows).view(len(batch.lengths), batch.words + 1, -1)


def leaky(x: Tensor) -> Tensor:
    return nn.functional.leaky_relu(x, LEAK)
