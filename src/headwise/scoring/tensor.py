"""A low-rank tensor that scores arcs beside features (Lei et al. 2014).

``native/scoring/tensor/`` computes it, :mod:`headwise.learning.tensor` finds what it starts from, and it is
learned together with features. :mod:`headwise.reference.tensor` is its specification.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise._native import scoring as native

NO_WORDS = np.zeros(0, np.int64)
NO_VECTORS = np.zeros(0, np.float32)


@dataclass(frozen=True)
class TensorConfig:
    """What a tensor computes.

    Which features of words have rows is the table ``tensor_vocabulary`` of a model. Where words have vectors,
    ``vector_words`` says which, and ``word_vectors`` are their numbers.
    """

    templates: list[str]
    """Features of a word, as head and as modifier."""
    rank: int
    weight: float
    """1 − γ: what its scores are multiplied by. The table of arcs holds γθ."""

    def shape(self, tables: Mapping[str, npt.NDArray[Any]]) -> native.TensorShape:
        return native.TensorShape(
            templates=self.templates,
            vocabulary=tables["tensor_vocabulary"],
            rank=self.rank,
            weight=self.weight,
            words=tables.get("vector_words", NO_WORDS),
            vectors=tables.get("word_vectors", NO_VECTORS),
        )
