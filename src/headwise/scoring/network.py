"""A recurrent network whose opinion of arcs and labels is added to the scores of features.

``native/scoring/network/`` computes it, `headwise.learning.network` learns it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt

from headwise._native import scoring as native
from headwise.model.file import Table
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

    def tables(self, rows: int, label_count: int) -> dict[str, Table]:
        """Its tensors, with ``rows`` atoms that have vectors."""
        layer = 2 * 4 * self.lstm * (max(self.vectors, 2 * self.lstm) + self.lstm + 1)
        wide = 2 * self.lstm + 1
        weights = (
            self.layers * layer
            + 2 * wide * (self.arcs + self.labels)
            + self.arcs * (self.arcs + 1)
            + label_count * (self.labels + 1)
            + self.given * self.vectors
            + _PADDING * (6 * self.layers + 13)
        )
        return {
            "network": Table.floats(weights),
            "vectors": Table.floats(rows * self.vectors),
            "vocabulary": Table(np.int64),
        }

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
        )

    def scorer(self, vocabulary: npt.NDArray[np.int64], label_count: int) -> native.NetworkScorerShape:
        return native.NetworkScorerShape(self.shape(vocabulary, label_count), weight=self.weight)
