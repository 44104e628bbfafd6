"""Crossing arcs, and trees without them."""

from __future__ import annotations

from headwise._native import conll
from headwise.treebank.checks import Heads


def is_projective(heads: Heads) -> bool:
    """Whether no two arcs cross, with the root standing before the first word. O(n log n)."""
    return not conll.crossing_arcs(heads)


def crossing_arcs(heads: Heads) -> list[int]:
    """The words whose arcs cross another arc, in order; the heads need not make a tree. O(n log n)."""
    return conll.crossing_arcs(heads)


def nonprojective_arcs(heads: Heads) -> list[int]:
    """The words whose arcs span a word that their head does not dominate, in order. O(n log n).

    Treebanks are described by these (as in Buchholz and Marsi, 2006): one of them may cross several arcs that
    are fine in themselves. Raises ValueError where the heads do not make a tree.
    """
    return conll.nonprojective_arcs(heads)
