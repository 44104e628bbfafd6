"""Whether heads make a tree, and if not, why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from headwise._native import treebank as native

#: heads[m-1] is the head of word m, 0 the root, -1 for none.
Heads = Sequence[int] | NDArray[np.integer[Any]]

TreeProblemKind = Literal["missing-head", "out-of-range", "self-loop", "cycle", "no-root", "several-roots"]


@dataclass(frozen=True, slots=True)
class TreeProblem:
    """One reason why heads are not a tree."""

    kind: TreeProblemKind
    word: int
    """The word it is about, from 1; 0 for the sentence as a whole. Of a cycle, its first word."""
    explanation: str

    def __str__(self) -> str:
        return self.explanation


def check_tree(heads: Heads, *, single_root: bool, partial: bool = False) -> list[TreeProblem]:
    """Every reason why heads are not a tree, in the order of the words; empty for a tree. O(n).

    Args:
        heads: the head of each word, 0 for the root, -1 for none.
        single_root: whether exactly one word may have head 0.
        partial: whether words may have no head (-1) yet.
    """
    return [
        TreeProblem(cast(TreeProblemKind, kind), word, explanation)
        for kind, word, explanation in native.check_tree(heads, single_root, partial)
    ]
