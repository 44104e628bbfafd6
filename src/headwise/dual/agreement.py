"""Two models that have to agree on choices, each given by its search (Rush et al. 2010, section 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from headwise.dual.limits import Limits
from headwise.dual.problem import Floats, Problem, Result

Flags = NDArray[np.int64]
Search = Callable[[Floats], tuple[float, Flags] | None]
"""The greatest score with prices on the shared variables, and which are on; None where nothing is left."""


class SearchedModel:
    """One of two models, as a subproblem that remembers what it chose last and its own score of that."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.score = -math.inf
        self.on: Flags = np.zeros(0, np.int64)

    def maximize(self, multipliers: Floats) -> tuple[float, list[int]]:
        found = self.search(multipliers)
        if found is None:
            return -math.inf, [0] * len(multipliers)
        value, self.on = found
        self.score = value - float(multipliers[self.on > 0].sum())
        return value, self.on.tolist()

    def score_of(self, on: Flags) -> float:
        """The best that it can do with these variables on and no others."""
        found = self.search(only(on))
        return -math.inf if found is None or not np.array_equal(found[1], on) else found[0]


def agreed(first: Search, second: Search, choices: Sequence[list[int]], limits: Limits) -> Result:
    """The best choice of both together; of each list of variables exactly one is on."""
    models = SearchedModel(first), SearchedModel(second)
    variables = sum(map(len, choices))
    problem = Problem(variables)
    for model in models:
        problem.add(model, range(variables))
    for choice in choices:
        problem.add_choice(choice)
    begun = False

    def propose(_: list[list[int]]) -> tuple[float, list[int]] | None:
        """What the first chose, or at first the second where that is better, at its worth to both."""
        nonlocal begun
        own, own_score = models[0].on, models[0].score
        best = (own_score + models[1].score_of(own), own)
        if not begun:
            begun = True
            other, other_score = models[1].on, models[1].score
            best = max(best, (other_score + models[0].score_of(other), other), key=lambda pair: pair[0])
        return None if best[0] == -math.inf else (best[0], best[1].tolist())

    return problem.solve(limits, propose=propose)


def only(on: NDArray[np.integer]) -> Floats:
    """Prices with which nothing but these variables can be on."""
    return np.where(on > 0, 0.0, -math.inf)
