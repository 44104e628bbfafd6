"""A recurrent network whose opinion of arcs and labels is added to the scores of features.

``native/scoring/network/`` computes it, :mod:`headwise.learning.network` learns it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwise._native import scoring as native


@dataclass(frozen=True)
class NetworkConfig:
    """How wide the layers of a network are, and how much its opinion counts.

    Which atoms of words have vectors is the tensor ``vocabulary`` of a model.
    """

    vectors: int
    """Numbers that stand for an atom of a word."""
    lstm: int
    """Outputs of a layer in each direction."""
    layers: int
    arcs: int
    labels: int
    """Width of what heads and modifiers become before they are compared."""
    weight: float
    """What its log-probabilities are multiplied by."""
    given: int = 0
    """Numbers of the vectors that come with words from raw text."""

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
        )

    def scorer(self, vocabulary: npt.NDArray[np.int64], label_count: int) -> native.NetworkScorerShape:
        return native.NetworkScorerShape(self.shape(vocabulary, label_count), weight=self.weight)
