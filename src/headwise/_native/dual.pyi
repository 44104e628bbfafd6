"""Dual decomposition and branch-and-bound."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

import headwise._native.trees

class Limits:
    """How long to search, and how."""

    def __init__(
        self,
        *,
        iterations: int = 20000,
        step: str = "polyak",
        tolerance: float = 1e-10,
        eliminate: bool = True,
        branch: bool = True,
        patience: int = 20,
        centred: bool = True,
        tree_share: float = 0.5,
    ) -> None: ...

class Problem:
    """Binary variables that subproblems share."""

    def __init__(self, variables: int) -> None: ...
    def add(self, subproblem: object, variables: Sequence[int]) -> None: ...
    def add_choice(self, variables: Sequence[int]) -> None: ...

def solve(problem: Problem, limits: Limits, propose: object) -> dict[str, Any]: ...
def tree_score(
    candidates: headwise._native.trees.Candidates,
    scores: headwise._native.trees.Scores,
    factorization: str,
    heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> float: ...
def relaxed_tree(
    candidates: headwise._native.trees.Candidates,
    scores: headwise._native.trees.Scores,
    factorization: str,
    single_root: bool,
) -> tuple[Any, ...]: ...
def best_tree(
    candidates: headwise._native.trees.Candidates,
    scores: headwise._native.trees.Scores,
    *,
    factorization: str,
    projective: bool,
    single_root: bool,
    limits: Limits,
    traced: bool = False,
) -> dict[str, Any]: ...
