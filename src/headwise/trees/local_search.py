"""Searches that go from tree to tree: settings, and the count of local optima."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from headwise._native import local_search as native
from headwise.base.seed import DEFAULT_SEED
from headwise.trees.checks import arc_scores
from headwise.trees.tree import Solution

Starts = Literal["mixed", "uniform", "first-order"]
Proposal = Literal["gibbs", "block", "both"]


@dataclass(frozen=True)
class Climbing:
    """Randomized greedy search (Zhang et al. 2014, "Greed is good if randomized")."""

    seed: int = DEFAULT_SEED
    patience: int = 12
    """The search ends when so many climbs in a row found nothing better (the paper: 300); 0: one climb."""
    most_restarts: int = 1000
    starts: Starts = "mixed"
    """Trees drawn uniformly, or from the first-order distribution; mixed: the first-order optimum, then both
    in turn."""
    escapes: bool = True
    """From where a climb ends, arcs are put in at a loss, to see whether the words around them then find
    better heads."""
    threads: int = 1
    """Climbs side by side; the result does not depend on it."""

    def __post_init__(self) -> None:
        check_seed(self.seed)


@dataclass(frozen=True)
class Annealing:
    """Search by sampling at a falling temperature (Zhang et al. 2014, "Steps to excellence")."""

    seed: int = DEFAULT_SEED
    steps_a_word: int = 200
    hottest: float = 1.0
    """Temperatures are in the unit of the scores. They fall geometrically."""
    coldest: float = 0.05
    proposal: Proposal = "both"
    """One word at a time, a block of words from the first-order distribution, or (3 : 1) both. With a single
    root, "gibbs" never changes which word that is."""
    block: int = 4
    """How many words a block has (the paper's K)."""

    def __post_init__(self) -> None:
        check_seed(self.seed)


def check_seed(seed: int) -> None:
    if seed < 0:
        raise ValueError(f"seed is {seed}, must not be negative")


class Climb(NamedTuple):
    """A solution and what it took."""

    solution: Solution
    restarts: int
    found_at: int
    """The climb, from 1, that found the solution."""


def count_local_optima(arcs: ArrayLike, *, most: int = 10_000) -> int:
    """The number of local optima of a first-order score: trees that no move of one head makes better.

    arcs: (n+1, n+1), −inf where forbidden; any number of roots. Zhang et al. (2014, "Greed is good if
    randomized", Figure 2). There may be 2^(n−1) of them, and each costs O(n²) at least: counting stops at
    `most`. Of equal scores the smaller head counts as the better one.
    """
    scores, has_labels = arc_scores(arcs)
    if has_labels:
        raise ValueError("arcs must have shape (n+1, n+1)")
    return native.count_local_optima(np.ascontiguousarray(scores[:, :, 0]), most)
