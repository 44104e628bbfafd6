"""Crossing arcs, and trees without them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from headwise._native import treebank as native
from headwise._native.treebank import Sentence
from headwise.treebank.checks import Heads


def is_projective(heads: Heads) -> bool:
    """Whether no two arcs cross, with the root standing before the first word. O(n log n)."""
    return not native.crossing_arcs(heads)


def crossing_arcs(heads: Heads) -> list[int]:
    """The words whose arcs cross another arc, in order; the heads need not make a tree. O(n log n)."""
    return native.crossing_arcs(heads)


def nonprojective_arcs(heads: Heads) -> list[int]:
    """The words whose arcs span a word that their head does not dominate, in order. O(n log n).

    Treebanks are described by these (as in Buchholz and Marsi, 2006): one of them may cross several arcs that
    are fine in themselves. Raises ValueError where the heads do not make a tree.
    """
    return native.nonprojective_arcs(heads)


def projectivize(heads: Heads, *, single_root: bool) -> NDArray[np.int32]:
    """The projective tree that shares the most arcs with a tree. O(n³) time, O(n²) memory.

    It is the best projective tree under an oracle that scores the tree's own arcs 1 and others 0
    (Carreras 2007, footnote 2; Koo 2010, section 4.6.1). Where several trees share as many arcs, words that
    lose their head go to one of its ancestors, the nearest that can be had. Raises ValueError where the heads
    do not make a tree.
    """
    return np.array(native.projectivize(heads, single_root), dtype=np.int32)


def projectivized(sentence: Sentence, *, single_root: bool) -> Sentence:
    """The sentence with its tree projectivized; each word keeps its label, whatever its head has become."""
    if is_projective(sentence.heads) and not (single_root and np.count_nonzero(sentence.heads == 0) > 1):
        return sentence
    return sentence.with_tree(projectivize(sentence.heads, single_root=single_root))
