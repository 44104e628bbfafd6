"""The network of ``native/scoring/network`` as a module of PyTorch, and its weights as model files have them.

`headwise.reference.network` says what it computes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from headwise.components.network.config import NetworkConfig
from headwise.reference.network import LINE
from headwise.training.neural.biaffine import Biaffine, Scorer, Scores
from headwise.training.neural.dropout import Dropout
from headwise.training.neural.tag_head import TagHead
from headwise.training.neural.treebank import Atoms, Batch

Floats = npt.NDArray[np.float32]
DIRECTIONS = ("l0", "l0_reverse")
"""As PyTorch calls them."""


class Network(Scorer):
    """Vectors of atoms, layers of LSTMs, and what compares heads and modifiers."""

    def __init__(
        self,
        config: NetworkConfig,
        rows: int,
        label_count: int,
        dropout: Dropout,
        tag_pieces: Tensor | None = None,
    ) -> None:
        """``tag_pieces`` are for a network that knows tags (`headwise.training.neural.tag_head`)."""
        super().__init__()
        self.config, self.dropout = config, dropout
        wide = 2 * config.lstm
        self.vectors = nn.Parameter(torch.zeros(rows, config.vectors))
        self.layers = nn.ModuleList(
            nn.LSTM(config.vectors if layer == 0 else wide, config.lstm, bidirectional=True)
            for layer in range(config.layers)
        )
        for layer in self.layers:  # PyTorch has two biases, whose sum is all that counts
            for direction in DIRECTIONS:
                nn.init.zeros_(getattr(layer, f"bias_hh_{direction}").requires_grad_(False))
        self.biaffine = Biaffine(wide, config.arcs, config.labels, label_count, dropout)
        self.given = nn.Parameter(torch.zeros(config.given, config.vectors)) if config.given else None
        self.tag_head = None
        if config.tags:
            pieces = torch.eye(config.tag_count) if tag_pieces is None else tag_pieces
            self.tag_head = TagHead(wide, config.tags, pieces, dropout)

    def start(self, generator: torch.Generator, spelling: Tensor) -> None:
        """Random numbers; forget gates start open.

        ``spelling`` says which vectors are of that: a word is spelled in many pieces, so theirs are short.
        """
        with torch.no_grad():
            self.vectors.uniform_(-0.5, 0.5, generator=generator)
            self.vectors[spelling] *= 0.2
            for layer in self.layers:
                for direction in DIRECTIONS:
                    for name in ("weight_ih", "weight_hh"):
                        for gate in getattr(layer, f"{name}_{direction}").chunk(4):
                            nn.init.orthogonal_(gate, generator=generator)
                    into, forget, *others = getattr(layer, f"bias_ih_{direction}").chunk(4)
                    for bias in (into, *others):
                        bias.zero_()
                    forget.fill_(1.0)
            if self.given is not None:
                limit = 1 / math.sqrt(self.config.given)
                self.given.uniform_(-limit, limit, generator=generator)
        self.biaffine.start(generator)
        if self.tag_head is not None:
            self.tag_head.start(generator)

    def forward(self, batch: Batch) -> Scores:
        x = self.encode(batch)
        scores: Scores = self.biaffine(batch, x)
        return scores if self.tag_head is None else replace(scores, tags=self.tag_head(batch, x))

    def encode(self, batch: Batch) -> Tensor:
        """What the last layer makes of each position, (P, 2 · lstm)."""
        atoms = batch.read_as
        assert isinstance(atoms, Atoms)
        x = self.sums(atoms)
        if self.given is not None:
            x = x + atoms.given @ self.given
        return self.outputs(batch, x)[-1]

    def sums(self, atoms: Atoms) -> Tensor:
        """Of the vectors of the atoms of each word."""
        weights = self.dropout.of_atoms(atoms, self.training)
        return nn.functional.embedding_bag(
            atoms.rows, self.vectors, atoms.first, mode="sum", per_sample_weights=weights
        )

    def outputs(self, batch: Batch, x: Tensor) -> list[Tensor]:
        """What each layer makes of each position."""
        drop = self.dropout.of_layers(batch, self.training)
        x, found = drop(x), []
        for layer in self.layers:
            x = drop(self._read(layer, batch, x))
            found.append(x)
        return found

    def _read(self, layer: nn.Module, batch: Batch, x: Tensor) -> Tensor:
        weights = [
            self.dropout.of_weights(table, self.training) if name.startswith("weight_hh") else table
            for name, table in layer.named_parameters()
        ]
        nothing = x.new_zeros(2, len(batch.lengths), self.config.lstm)
        # What torch.nn.LSTM calls; that takes no other weights than its own.
        read: Tensor = torch._VF.lstm(  # type: ignore[attr-defined]
            x, batch.active, (nothing, nothing), weights, True, 1, 0.0, self.training, True
        )[0]
        return read

    def to_tables(self) -> tuple[Floats, ...]:
        """The tables ``network`` and ``vectors`` of a model."""
        tags = () if self.tag_head is None else self.tag_head.blocks()
        blocks = [_swapped(table).t() if gates else table for table, gates in self._blocks(tags)]
        # A copy: on a CPU, the next step would change them.
        return _laid_out(blocks), self.vectors.detach().float().cpu().numpy().flatten()

    def layer_table(self) -> Floats:
        """The layers alone, as the table ``network`` of a model begins."""
        return _laid_out([_swapped(table).t() for table, gates in self._blocks(()) if gates])

    def load_tables(self, weights: Floats, vectors: Floats) -> None:
        """The network that they are of."""
        self._load(
            self._blocks(() if self.tag_head is None else self.tag_head.own_blocks()), weights, vectors
        )

    def load_layers(self, layers: Floats, vectors: Floats) -> None:
        """Those of text, whose vectors come first. The others are zero from here on."""
        self._load(((table, gates) for table, gates in self._blocks(()) if gates), layers, vectors)

    @torch.no_grad()
    def load_vectors(self, vectors: Floats) -> None:
        """Those of others, which come first. The rest are zero from here on."""
        padded = np.pad(vectors, (0, self.vectors.numel() - vectors.size))
        self.vectors.copy_(torch.tensor(padded).view_as(self.vectors))

    @torch.no_grad()
    def _load(self, blocks: Iterable[tuple[Tensor, bool]], weights: Floats, vectors: Floats) -> None:
        self.load_vectors(vectors)
        begin = 0
        for table, gates in blocks:
            numbers = torch.tensor(weights[begin : begin + table.numel()])
            table.copy_(_swapped(numbers.view(table.t().shape).t()) if gates else numbers.view(table.shape))
            begin += table.numel() + -table.numel() % LINE

    def _blocks(self, tags: Iterable[Tensor]) -> Iterator[tuple[Tensor, bool]]:
        """The weights as ``NetworkWeights`` of the core lays them out, and whether they are of gates.

        ``tags`` are those of tags.
        """
        for layer in self.layers:
            for direction in DIRECTIONS:
                for name in ("weight_ih", "weight_hh", "bias_ih"):
                    yield getattr(layer, f"{name}_{direction}"), True
        for table in (*self.biaffine.blocks(), *tags):
            yield table, False
        if self.given is not None:
            yield self.given, False


def _laid_out(blocks: Sequence[Tensor]) -> Floats:
    """One after the other, each from the beginning of a cache line."""
    numbers = [block.detach().float().cpu().numpy() for block in blocks]
    return np.concatenate([np.pad(block.ravel(), (0, -block.size % LINE)) for block in numbers])


def _swapped(gates: Tensor) -> Tensor:
    """PyTorch has the candidate before the output gate, the core after it."""
    into, forget, third, fourth = gates.chunk(4)
    return torch.cat([into, forget, fourth, third])
