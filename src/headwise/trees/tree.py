"""What inference returns: a tree, and a tree with what is known of its optimality."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int32]


class Tree(NamedTuple):
    """A dependency tree over n words.

    `heads[m - 1]` is the head of word m, 0 for the root; `labels[m - 1]` the label of its arc, where the
    distribution has labels; `senses[m - 1]` its sense, where it has senses.
    """

    heads: Integers
    labels: Integers | None = None
    senses: Integers | None = None


class Solution(NamedTuple):
    """A tree found by a search: no tree scores above `bound`, and `exact` says that this one reaches it."""

    tree: Tree
    score: float
    bound: float
    exact: bool
