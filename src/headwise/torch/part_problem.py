"""A batch of trees with larger parts, as operators have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

Tables = tuple[Tensor | None, Tensor | None, Tensor | None]  # those of part_layout.NAMES
NO_TABLES: Tables = (None, None, None)


class Problem(NamedTuple):
    """Contiguous tensors of one dtype, on one device."""

    arcs: Tensor  # (B, n+1, n+1)
    tables: Tables
    candidates: Tensor | None  # (B, n+1, k), int64
    lengths: Tensor  # (B,), int64
    single_root: bool

    def zeros(self, dtype: torch.dtype | None = None) -> tuple[Tensor, Tables]:
        """Of the shapes of arcs and tables."""
        return torch.zeros_like(self.arcs, dtype=dtype), each_table(
            self.tables, lambda table: torch.zeros_like(table, dtype=dtype)
        )


def each_table(tables: Tables, change: Callable[[Tensor], Tensor]) -> Tables:
    siblings, grandchildren, grand_siblings = (None if table is None else change(table) for table in tables)
    return siblings, grandchildren, grand_siblings
