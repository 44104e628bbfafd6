"""The solver for subproblems in Python: bounds hold, agreement is the optimum, branching closes gaps."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from headwise.dual import Limits, Problem, Result

Floats = NDArray[np.float64]


class Listed:
    """A subproblem that knows its structures one by one."""

    def __init__(self, structures: Sequence[tuple[int, ...]], scores: Sequence[float]) -> None:
        self.structures, self.scores = np.array(structures), np.array(scores)
        self.calls = 0

    def maximize(self, multipliers: Floats) -> tuple[float, Sequence[int]]:
        self.calls += 1
        allowed = ~np.any((self.structures == 1) & (multipliers == -np.inf), axis=1)
        if not allowed.any():
            return -np.inf, [0] * self.structures.shape[1]
        weights = np.where(multipliers == -np.inf, 0.0, multipliers)
        values = np.where(allowed, self.scores + self.structures @ weights, -np.inf)
        best = int(np.argmax(values))
        return float(values[best]), self.structures[best].tolist()


def random_problem(seed: int) -> tuple[Problem, float, list[Listed]]:
    """Three words with three tags each, exactly one on; overlapping random subproblems; and the optimum."""
    rng = np.random.default_rng(seed)
    problem = Problem(9)
    choices = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assignments = [
        tuple(int(i == k) for k in picks for i in range(3)) for picks in product(range(3), repeat=3)
    ]
    totals = np.zeros(len(assignments))
    subproblems = []
    for members in ([0, 1, 2, 3, 4, 5], [3, 4, 5, 6, 7, 8], [0, 1, 2, 6, 7, 8]):
        structures = sorted({tuple(a[v] for v in members) for a in assignments})
        scores = rng.normal(size=len(structures)) * 3
        subproblems.append(Listed(structures, scores.tolist()))
        problem.add(subproblems[-1], members)
        totals += [scores[structures.index(tuple(a[v] for v in members))] for a in assignments]
    for choice in choices:
        problem.add_choice(choice)
    return problem, float(totals.max()), subproblems


def check(result: Result, optimum: float) -> None:
    assert result.bound >= optimum - 1e-9
    assert result.score <= optimum + 1e-9
    assert not result.exact or result.score == pytest.approx(optimum, abs=1e-8)


@pytest.mark.parametrize("step", ["polyak", "decreasing"])
def test_bounds_hold_and_certificates_are_true(step: str) -> None:
    certified = 0
    for seed in range(40):
        problem, optimum, _ = random_problem(seed)
        result = problem.solve(Limits(iterations=300, step=step, branch=False))  # type: ignore[arg-type]
        check(result, optimum)
        certified += result.exact
        assert np.all(np.diff(result.trace.bounds) <= 0)
    assert 5 < certified < 40  # some of these relaxations are tight, some are not


def test_branching_closes_every_gap() -> None:
    for seed in range(40):
        problem, optimum, _ = random_problem(seed)
        result = problem.solve(Limits(iterations=20_000, patience=20))
        check(result, optimum)
        assert result.exact, result.stop
        assert result.assignment is not None
        assert result.assignment.reshape(3, 3).sum(axis=1).tolist() == [1, 1, 1]


def test_a_proposed_solution_is_kept() -> None:
    for seed in range(40):
        problem, optimum, _ = random_problem(seed)
        known = np.array([1, 0, 0] * 3)

        def propose(chosen: list[list[int]], known: Floats = known) -> tuple[float, Floats]:
            return -100.0, known

        result = problem.solve(Limits(iterations=3, branch=False), propose=propose)
        check(result, optimum)
        assert result.assignment is not None
        if not result.exact:
            assert result.score == -100.0


def test_subproblems_without_a_change_are_not_solved_again() -> None:
    problem, _, subproblems = random_problem(3)
    apart = Listed([(0,), (1,)], [0.0, 1.0])  # its variable is nobody else's: nothing to agree on
    whole = Problem(10)
    for members, subproblem in zip(problem._members, subproblems, strict=True):
        whole.add(subproblem, members)
    whole.add(apart, [9])
    result = whole.solve(Limits(iterations=50, branch=False, eliminate=False))
    assert result.iterations > 1
    assert apart.calls == 1
    assert result.trace.solved.tolist()[0] == 4
    assert max(result.trace.solved.tolist()[1:]) <= 3


def test_fractional_solutions_are_averaged() -> None:
    """Two words that want to differ from each other in a triangle of three: the relaxation takes halves."""
    problem = Problem(3)
    differ = ([(0, 0), (0, 1), (1, 0), (1, 1)], [0.0, 1.0, 1.0, 0.0])
    for pair in ([0, 1], [1, 2], [0, 2]):
        problem.add(Listed(*differ), pair)
    result = problem.solve(Limits(iterations=2000, step="decreasing", branch=False))
    assert not result.exact
    assert result.bound == pytest.approx(3.0, abs=0.05)  # every pair differs in the relaxation, two can
    assert result.averaged == pytest.approx(0.5, abs=0.1)


def test_a_problem_without_solution() -> None:
    problem = Problem(1)
    problem.add(Listed([(1,)], [-np.inf]), [0])
    result = problem.solve()
    assert result.assignment is None
    assert not result.exact
    assert result.stop == "no solution"


class Broken:
    def __init__(self, answer: object) -> None:
        self.answer = answer

    def maximize(self, multipliers: Floats) -> object:
        return self.answer


@pytest.mark.parametrize("answer", [(1.0, [0]), (1.0, [0, 2]), None])
def test_a_broken_subproblem_is_named(answer: object) -> None:
    problem = Problem(2)
    problem.add(Broken(answer), [0, 1])  # type: ignore[arg-type]
    with pytest.raises((ValueError, TypeError, RuntimeError)):
        problem.solve()


def test_variables_are_checked() -> None:
    problem = Problem(2)
    with pytest.raises(ValueError, match="between 0 and 1"):
        problem.add(Broken(None), [0, 2])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="twice"):
        problem.add(Broken(None), [1, 1])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no subproblem has variable 0"):
        problem.solve()
    with pytest.raises(ValueError, match="iterations"):
        Limits(iterations=0)


def test_problems_that_live_to_the_end_leave_nothing_behind() -> None:
    """The core complains at exit about what still holds Python objects."""
    script = (
        "from headwise.dual import Problem\n"
        "class One:\n    def maximize(self, multipliers): return float(multipliers[0]), [1]\n"
        "problem = Problem(1)\nproblem.add(One(), [0])\nprint(problem.solve().exact)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
    assert done.stderr == ""


def test_choices_are_of_variables_that_there_are() -> None:
    problem = Problem(3)
    for wrong in ([3], [-1], [0, 10**6]):
        with pytest.raises(ValueError, match="between 0 and 2"):
            problem.add_choice(wrong)


def bounds_by_hand(problem: Problem, *, centred: bool, iterations: int) -> list[float]:
    """The subgradient method with halving steps, in plain Python; the least bound after each iteration.

    Copies that differ move by how much they differ from their mean, or (Koo et al. 2010, Figures 1 and 2)
    each against the first one, which takes what the others give.
    """
    members, subproblems = problem._members, problem._subproblems
    multipliers = [np.zeros(len(own)) for own in members]
    copies: list[list[tuple[int, int]]] = [[] for _ in range(problem.variables)]
    for s, own in enumerate(members):
        for i, v in enumerate(own):
            copies[v].append((s, i))
    bounds: list[float] = []
    previous, rises = np.inf, 0
    for _ in range(iterations):
        found = [part.maximize(own) for part, own in zip(subproblems, multipliers, strict=True)]
        bound = sum(value for value, _ in found)
        bounds.append(min([*bounds[-1:], bound]))
        rises += bound > previous
        previous = bound
        differing = [own for own in copies if len({found[s][1][i] for s, i in own}) > 1]
        if not differing:
            break
        for own in differing:
            chosen = [found[s][1][i] for s, i in own]
            against = sum(chosen) / len(chosen) if centred else chosen[0]
            moves = [0.5**rises * (on - against) for on in chosen]
            if not centred:
                moves[0] = -sum(moves)
            for (s, i), move in zip(own, moves, strict=True):
                multipliers[s][i] -= move
    return bounds


@pytest.mark.parametrize("centred", [True, False])
def test_every_bound_is_that_of_the_method_by_hand(centred: bool) -> None:
    for seed in range(20):
        problem, _, _ = random_problem(seed)
        limits = Limits(iterations=40, step="halving", eliminate=False, branch=False, centred=centred)
        expected = bounds_by_hand(problem, centred=centred, iterations=40)
        assert problem.solve(limits).trace.bounds.tolist() == pytest.approx(expected)
