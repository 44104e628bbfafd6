"""Parts of the data that are left out in turn.

What a model says of an example that it was trained on is no guide to what it will say of new text. So whoever
learns from the answers of another model (what a pruner lets through, which roles are guessed, which tags are
given, what a parser is unsure of) gets them from one that has not seen the example (jackknifing).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int64]
Item = TypeVar("Item")
Model = TypeVar("Model")


@dataclass(frozen=True)
class Folds:
    """Which fold each example is in."""

    of_example: Indices
    count: int

    @classmethod
    def interleaved(cls, examples: int, count: int, run: int = 1) -> Folds:
        """Runs of examples that stand together go into the folds in turn."""
        return cls(np.arange(examples) // run % count, count)

    @classmethod
    def blocks(cls, examples: int, count: int) -> Folds:
        """As many long blocks as folds: whole documents for the most part."""
        ends = [fold * examples // count for fold in range(1, count)]
        return cls(np.searchsorted(ends, np.arange(examples), side="right"), count)

    def inside(self, fold: int) -> Indices:
        return np.flatnonzero(self.of_example == fold)

    def outside(self, fold: int) -> Indices:
        return np.flatnonzero(self.of_example != fold)

    def split(self, items: Sequence[Item], fold: int) -> tuple[list[Item], list[Item]]:
        """The items of a fold, and all others, as they stand."""
        return [items[i] for i in self.inside(fold)], [items[i] for i in self.outside(fold)]

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.count))


TOGETHER = 100
"""Examples that are this far apart are in the same fold: of 2, 4, 5 or 10, and of five runs of 20."""


def in_two_versions(first: Sequence[Item], second: Sequence[Item]) -> list[Item]:
    """Both versions of every example, in an order in which interleaved folds leave both out at once.

    Of the last few, which make no whole block, there is the first alone.
    """
    whole = len(first) // TOGETHER * TOGETHER
    found: list[Item] = []
    for begin in range(0, whole, TOGETHER):
        block = slice(begin, begin + TOGETHER)
        found += [*first[block], *second[block]]
    return [*found, *first[whole:]]


def jackknifed(train: Callable[[Indices], Model], folds: Folds, *, threads: int) -> tuple[Model, list[Model]]:
    """A model of all examples; and for each fold one of all others, or that of all if there are too few."""
    everything = np.arange(len(folds.of_example))
    enough = len(everything) >= folds.count
    with ThreadPoolExecutor(threads) as pool:
        whole, *parts = pool.map(train, [everything, *map(folds.outside, folds if enough else ())])
    return whole, parts or [whole] * folds.count
