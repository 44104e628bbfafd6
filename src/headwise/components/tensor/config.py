"""A low-rank tensor that scores arcs, and labels if wanted, beside features (Lei et al. 2014).

``native/scoring/tensor/`` computes it, `headwise.components.tensor.training` finds what it starts from, and
it is learned together with features. `headwise.reference.tensor` is its specification.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from headwise._native import scoring as native
from headwise.base.limits import of_core
from headwise.components.scoring.component import Component, Host, Tables
from headwise.model.file import Table

_EIGHT, _SLOTS = 8, 16
"""Rows are padded to whole vectors; two directions and seven distances of arcs have rows."""


@dataclass(frozen=True)
class TensorConfig(Component):
    """What a tensor computes.

    Which features of words have rows is the table ``tensor_vocabulary`` of a model.
    """

    templates: list[str]
    """Features of a word, as head and as modifier."""
    rank: Annotated[int, of_core("tensor.rank")]
    weight: Annotated[float, of_core("tensor.weight")]
    """1 − γ: what its scores are multiplied by. The table of arcs holds γθ."""
    vectors: Annotated[int, of_core("tensor.vectors")] = 0
    """Numbers of the vectors that come with words from raw text (`headwise.components.scoring.word_view`)."""
    labels: Annotated[int, of_core("tensor.labels")] = 0
    """How many labels have rows, which score them over the finished tree; 0: none."""

    def tables_of(self, host: Host, rows: Mapping[str, int]) -> dict[str, Table]:
        stride, features = self.rank + _EIGHT, rows.get("tensor_vocabulary", 0)
        words = Table.floats((1 + features + 3 * self.vectors) * stride)
        tables = {
            "tensor_heads": words,
            "tensor_modifiers": words,
            "tensor_arcs": Table.floats(_SLOTS * stride),
            "tensor_vocabulary": Table(np.int32),
        }
        if self.labels:
            tables["tensor_labels"] = Table.floats(self.labels * stride)
        return tables

    def scorers_of(self, host: Host, tables: Tables) -> list[native.ScorerShape]:
        return [self.shape(tables)]

    def describe(self, rows: Mapping[str, int]) -> tuple[str, str]:
        vectors = f" and vectors of {self.vectors} numbers" if self.vectors else ""
        return (
            "Tensor",
            f"rank {self.rank} over {rows.get('tensor_vocabulary', 0):,} features of words{vectors}; "
            f"the share of features is {1 - self.weight:g}",
        )

    def shape(self, tables: Mapping[str, npt.NDArray[Any]]) -> native.TensorShape:
        return native.TensorShape(
            templates=self.templates,
            vocabulary=tables["tensor_vocabulary"],
            rank=self.rank,
            weight=self.weight,
            vectors=self.vectors,
            labels=self.labels,
        )
