"""Prices on arcs of dependency trees and on tags, and the paper's steps: what the joined systems build on."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from headwise.components.tagging.tagger import TagLattice
from headwise.dual import Limits, Problem
from headwise.trees import NoTreeError, ProjectiveTrees


@pytest.mark.parametrize("factorization", ["arc", "sibling", "carreras", "model1"])
def test_prices_of_arcs_are_as_if_the_scores_had_them(factorization: str) -> None:
    chance = np.random.default_rng(1)
    n = 5
    tables = {}
    if factorization != "arc":
        tables["siblings"] = chance.normal(size=(n + 1,) * 3)
    if factorization in ("carreras", "model1"):
        tables["grandchildren"] = chance.normal(size=(n + 1,) * 3)
    arcs, prices = chance.normal(size=(n + 1, n + 1)), chance.normal(0, 3, (n + 1, n + 1))
    prices[2, 3] = prices[0, 1] = -math.inf

    def trees(scores: np.ndarray) -> ProjectiveTrees:
        return ProjectiveTrees(scores, factorization=factorization, single_root=True, **tables)  # type: ignore[arg-type]

    whole = trees(arcs)
    before = whole.argmax()
    priced, expected = whole.with_arc_prices(prices).argmax(), trees(arcs + prices).argmax()
    assert priced.score == pytest.approx(expected.score)
    assert priced.tree.heads.tolist() == expected.tree.heads.tolist()
    assert whole.argmax().score == before.score
    allowed = whole.with_arc_prices(prices).allowed_arcs()
    assert not allowed[2, 3]
    assert allowed[1, 3]
    with pytest.raises(NoTreeError):
        whole.with_arc_prices(np.full((n + 1, n + 1), -math.inf)).argmax()


@pytest.mark.parametrize("widths", [[2], [2, 3], [1, 2, 3], [3, 2, 1, 2]])
def test_prices_of_tags_are_added(widths: list[int]) -> None:
    chance = np.random.default_rng(2)
    before = [[1, 1, *widths][k : k + 3] for k in range(len(widths))]
    tables = [chance.normal(size=shape) for shape in before]
    tags = [[("_", str(k), "_") for k in range(width)] for width in widths]
    lattice = TagLattice(tags, np.concatenate([table.reshape(-1) for table in tables]))
    assert lattice.size == sum(widths)
    prices = chance.normal(size=lattice.size)
    firsts = np.cumsum([0, *widths])

    def score(choice: tuple[int, ...]) -> float:
        history = [0, 0, *choice]
        return sum(
            float(table[tuple(history[k : k + 3])]) + float(prices[firsts[k] + choice[k]])
            for k, table in enumerate(tables)
        )

    best = max(itertools.product(*map(range, widths)), key=score)
    chosen, found = lattice.best(prices)
    assert tuple(chosen) == best
    assert found == pytest.approx(score(best))


class Choice:
    """One of several variables, each with a score."""

    def __init__(self, scores: list[float]) -> None:
        self.scores = np.array(scores)

    def maximize(self, multipliers: np.ndarray) -> tuple[float, list[int]]:
        total = self.scores + multipliers
        best = int(total.argmax())
        return float(total[best]), [int(k == best) for k in range(len(total))]


def test_the_papers_steps_begin_with_a_half_and_are_halved() -> None:
    # The two first disagree by 0.7 on their favourites: a step of a half turns the tables after two steps.
    problem = Problem(2)
    problem.add(Choice([1.0, 0.3]), [0, 1])
    problem.add(Choice([0.0, 0.9]), [0, 1])
    result = problem.solve(Limits(iterations=50, step="halving", eliminate=False, branch=False))
    assert result.exact
    assert result.score == pytest.approx(1.2)
    assert result.iterations <= 10
    with pytest.raises(ValueError, match="halving"):
        Limits(step="doubling")  # type: ignore[arg-type]
