"""A recurrent network whose opinion of arcs and labels is added to the scores of features.

``native/scoring/network/`` computes it, `headwise.learning.network` learns it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import numpy.typing as npt

from headwise._native import scoring as native
from headwise.model.file import Table, Tensors
from headwise.model.schema import Within

Width = Annotated[int, Within(1, 4096)]
_PADDING = 16
"""Numbers that each of the pieces of the table may be padded with."""


@dataclass(frozen=True)
class NetworkConfig:
    """How wide the layers of a network are, and how much its opinion counts.

    Which atoms of words have vectors is the tensor ``vocabulary`` of a model.
    """

    vectors: Width
    """Numbers that stand for an atom of a word."""
    lstm: Width
    """Outputs of a layer in each direction."""
    layers: Annotated[int, Within(1, 16)]
    arcs: Width
    labels: Width
    """Width of what heads and modifiers become before they are compared."""
    weight: float
    """What its log-probabilities are multiplied by."""
    given: Annotated[int, Within(0, 4096)] = 0
    """Numbers of the vectors that come with words from raw text."""
    pieces: Annotated[int, Within(0, 16)] = 0
    """Pieces of words, of up to so many characters, have vectors too; 0: they have none."""
    tags: Annotated[int, Within(0, 4096)] = 0
    """Width of what words become before their tags are scored; 0: it knows no tags."""
    tag_count: Annotated[int, Within(0, 1 << 20)] = 0
    bits: Annotated[int, Within(8, 32)] = 32
    """32: weights are floats. 8: they are bytes, with a scale for each column of a matrix and each vector."""

    def __post_init__(self) -> None:
        if self.bits not in (8, 32):
            raise ValueError(f"bits are {self.bits}, must be 8 or 32")

    def tables(self, rows: int, label_count: int) -> dict[str, Table]:
        """Its tensors, with ``rows`` atoms that have vectors."""
        matrices = self._matrices(label_count)
        if self.bits == 32:
            floats = sum((inner + 1) * columns + 2 * _PADDING for inner, columns in matrices)
            return {
                "network": Table.floats(floats),
                "vectors": Table.floats(rows * self.vectors),
                "vocabulary": Table(np.int64),
            }
        return {
            "network": Table(
                np.uint8, sum((inner + _PADDING) * (columns + _PADDING) for inner, columns in matrices)
            ),
            "network_scales": Table.scales(sum(2 * (columns + _PADDING) for _, columns in matrices)),
            "vectors": Table(np.uint8, rows * self.vectors),
            "vector_scales": Table.scales(rows),
            "vocabulary": Table(np.int64),
        }

    @property
    def table_names(self) -> tuple[str, ...]:
        return tuple(self.tables(0, 0))

    def _matrices(self, label_count: int) -> list[tuple[int, int]]:
        """Rows and columns of each of its matrices."""
        states, gates = 2 * self.lstm, 4 * self.lstm
        inputs = [self.vectors] + [states] * (self.layers - 1)
        return [
            *((inner, gates) for width in inputs for inner in (width, self.lstm) for _ in range(2)),
            *((states, width) for width in (self.arcs, self.labels) for _ in range(2)),
            (self.arcs, self.arcs),
            (self.labels, label_count),
            *([(states, self.tags), (self.tags, self.tag_count)] if self.tags else []),
            (self.given, self.vectors),
        ]

    def with_bits(self, bits: int, tensors: Tensors, label_count: int) -> tuple[NetworkConfig, Tensors]:
        """The same network with so many bits a weight, and its tensors: what is rounded stays so."""
        config = replace(self, bits=bits)
        if bits == self.bits:
            return config, tensors
        shape = self.shape(tensors["vocabulary"], label_count)
        made: Tensors = {"vocabulary": tensors["vocabulary"]}
        if bits == 8:
            made |= native.quantize_network(shape, tensors["network"], tensors["vectors"])
        else:
            made["network"], made["vectors"] = native.restore_network(shape, tensors)
        return config, made

    def shape(self, vocabulary: npt.NDArray[np.int64], label_count: int) -> native.NetworkShape:
        return native.NetworkShape(
            vocabulary,
            vectors=self.vectors,
            lstm=self.lstm,
            layers=self.layers,
            arcs=self.arcs,
            labels=self.labels,
            label_count=label_count,
            given=self.given,
            pieces=self.pieces,
            tags=self.tags,
            tag_count=self.tag_count,
        )

    def scorer(self, vocabulary: npt.NDArray[np.int64], label_count: int) -> native.NetworkScorerShape:
        return native.NetworkScorerShape(
            self.shape(vocabulary, label_count), weight=self.weight, bits=self.bits
        )
