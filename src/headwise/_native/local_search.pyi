"""Climbing and sampling from tree to tree."""

from typing import Annotated, Any

import numpy
from numpy.typing import NDArray

import headwise._native.trees

class SearchedTrees:
    """A tree that moves through all trees of a problem."""

    def __init__(
        self,
        candidates: headwise._native.trees.Candidates,
        scores: headwise._native.trees.Scores,
        factorization: str,
        single_root: bool,
    ) -> None: ...
    def assign(
        self,
        heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> None: ...
    def can_move(self, word: int, head: int) -> bool: ...
    def move(self, word: int, head: int) -> float:
        """Move a word; returns what the score gains."""

    def score(self) -> float: ...
    def heads(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    def climb(
        self, *, seed: int, patience: int, most_restarts: int, starts: str, escapes: bool, threads: int
    ) -> dict[str, Any]: ...
    def anneal(
        self,
        *,
        seed: int,
        steps_a_word: int,
        hottest: float,
        coldest: float,
        proposal: str,
        block: int,
        projective: bool = False,
    ) -> dict[str, Any]: ...
    def sample(
        self,
        *,
        count: int,
        temperature: float,
        every: int,
        seed: int,
        proposal: str,
        block: int,
        projective: bool = False,
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

def count_local_optima(
    scores: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    most: int,
) -> int: ...
