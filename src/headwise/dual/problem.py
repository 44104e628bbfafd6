"""Problems whose subproblems are Python objects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from headwise._native import dual as native
from headwise.dual.limits import Limits
from headwise.dual.trace import Trace

Floats = NDArray[np.float64]


class Subproblem(Protocol):
    """Anything that can be maximized with the scores of some binary variables shifted."""

    def maximize(self, multipliers: Floats) -> tuple[float, Sequence[int]]:
        """The greatest own score plus the multipliers of the variables that are on, and which are (0 or 1).

        A multiplier of −inf forbids its variable; a value of −inf says that nothing is left to choose from.
        """
        ...


Propose = Callable[[list[list[int]]], tuple[float, Sequence[int]] | None]
"""Makes a solution of what the subproblems chose, one list each: its score, and 0 or 1 for each variable."""


class Result(NamedTuple):
    """The best solution found; none scores above `bound`, and `exact` says that this one reaches it."""

    assignment: NDArray[np.int8] | None
    """0 or 1 for each variable; None where no solution came up."""
    score: float
    bound: float
    exact: bool
    iterations: int
    stop: str
    """Why the search ended: agreement, closed gap, nothing better, no solution, iteration limit or no
    progress."""
    averaged: Floats
    """How often each variable was on; where the relaxation is not tight, its fractional solution."""
    trace: Trace


class Problem:
    """Binary variables 0 … variables − 1 and the subproblems that share them."""

    def __init__(self, variables: int) -> None:
        if variables < 0:
            raise ValueError(f"variables is {variables}, must not be negative")
        self.variables = variables
        self._members: list[list[int]] = []
        # The core holds them while it solves, and no longer: what holds Python objects must be gone by the
        # time Python ends, and a problem may be there to the end.
        self._subproblems: list[Subproblem] = []
        self._choices: list[list[int]] = []

    def add(self, subproblem: Subproblem, variables: Sequence[int]) -> None:
        """A subproblem and which variables it has, in the order of its multipliers."""
        members = self._checked(variables)
        if len(set(members)) != len(members):
            raise ValueError("a subproblem must not have a variable twice")
        self._members.append(members)
        self._subproblems.append(subproblem)

    def add_choice(self, variables: Sequence[int]) -> None:
        """Says that exactly one of these variables is on in every solution, which lets the solver branch."""
        self._choices.append(self._checked(variables))

    def _checked(self, variables: Sequence[int]) -> list[int]:
        numbers = [int(v) for v in variables]
        if any(not 0 <= v < self.variables for v in numbers):
            raise ValueError(f"variables must lie between 0 and {self.variables - 1}")
        return numbers

    def solve(self, limits: Limits | None = None, *, propose: Propose | None = None) -> Result:
        """Search for the best solution that all subproblems agree on.

        Without `propose`, the only solution that comes up is the one in which all agree.
        """
        if uncovered := set(range(self.variables)).difference(*self._members):
            raise ValueError(f"no subproblem has variable {min(uncovered)}")
        best = _Best(self.variables, self._members, propose)
        outcome = native.solve(self._to_native(), (limits or Limits()).to_native(), best)
        return Result(
            assignment=best.assignment,
            score=outcome["score"],
            bound=outcome["bound"],
            exact=outcome["exact"] and best.assignment is not None,
            iterations=outcome["iterations"],
            stop=outcome["stop"],
            averaged=outcome["averaged"],
            trace=Trace(*outcome["trace"]),
        )

    def _to_native(self) -> native.Problem:
        problem = native.Problem(self.variables)
        for subproblem, members in zip(self._subproblems, self._members, strict=True):
            problem.add(_Answering(subproblem), members)
        for choice in self._choices:
            problem.add_choice(choice)
        return problem


class _Answering:
    """A subproblem whose choice may also be an array of floats or truth values."""

    def __init__(self, subproblem: Subproblem) -> None:
        self.subproblem = subproblem

    def maximize(self, multipliers: Floats) -> tuple[float, list[int]]:
        value, on = self.subproblem.maximize(multipliers)
        return float(value), [int(one) if one in (0, 1) else -1 for one in on]  # the core refuses −1


class _Best:
    """Keeps the best solution that the subproblems agreed on or that was made of what they chose."""

    def __init__(self, variables: int, members: list[list[int]], propose: Propose | None) -> None:
        self.members, self.propose = members, propose
        self.variables = variables
        self.score = -np.inf
        self.assignment: NDArray[np.int8] | None = None

    def __call__(self, chosen: list[list[int]], bound: float) -> float:
        assignment = np.full(self.variables, -1, np.int8)
        agreed = True
        for members, on in zip(self.members, chosen, strict=True):
            values = np.asarray(on, np.int8)
            agreed &= not np.any((assignment[members] >= 0) & (assignment[members] != values))
            assignment[members] = values
        if agreed:
            self._keep(bound, assignment)
        elif self.propose is not None and (proposal := self.propose(chosen)) is not None:
            self._keep(proposal[0], np.asarray(proposal[1], np.int8))
        return self.score

    def _keep(self, score: float, assignment: NDArray[np.int8]) -> None:
        if score > self.score:
            self.score, self.assignment = float(score), assignment
