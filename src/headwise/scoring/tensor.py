"""A low-rank tensor that scores arcs beside features (Lei et al. 2014).

``native/scoring/tensor/`` computes it, :mod:`headwise.learning.tensor` finds what it starts from, and it is
learned together with features. :mod:`headwise.reference.tensor` is its specification.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from headwise._native import scoring as native


@dataclass(frozen=True)
class TensorConfig:
    """What a tensor computes.

    Which features of words have rows is the table ``tensor_vocabulary`` of a model.
    """

    templates: list[str]
    """Features of a word, as head and as modifier."""
    rank: int
    weight: float
    """1 − γ: what its scores are multiplied by. The table of arcs holds γθ."""
    vectors: int = 0
    """Numbers of the vectors that come with words from raw text (:mod:`headwise.scoring.word_view`)."""

    def shape(self, tables: Mapping[str, npt.NDArray[Any]]) -> native.TensorShape:
        return native.TensorShape(
            templates=self.templates,
            vocabulary=tables["tensor_vocabulary"],
            rank=self.rank,
            weight=self.weight,
            vectors=self.vectors,
        )
