"""The integer program agrees with enumeration and with dual decomposition; its relaxations are bounds."""

from __future__ import annotations

import sys

import pytest

from crossing_instances import CROSSING, Instance
from headwise import HeadwiseError
from headwise.dual import Limits
from headwise.reference.parts import Factorization
from headwise.trees import NoTreeError


@pytest.mark.parametrize("factorization", CROSSING)
def test_equals_enumeration(factorization: Factorization) -> None:
    pytest.importorskip("highspy")
    for seed in range(4):
        instance = Instance(seed, 2 + seed, factorization)
        single_root = seed % 2 == 0
        trees = instance.trees(projective=False, single_root=single_root)
        best = instance.best_score(projective=False, single_root=single_root)
        for flow in ("single", "multi"):
            try:
                solution = trees.argmax_by_program(flow=flow)
            except NoTreeError:
                assert best == -float("inf")
                continue
            assert solution.exact
            assert solution.score == pytest.approx(best, abs=1e-6)


def test_relaxations_order_as_they_should() -> None:
    """Optimum ≤ multi-commodity ≤ single-commodity relaxation; the former is the limit of the dual."""
    pytest.importorskip("highspy")
    for seed in range(4):
        trees = Instance(seed, 8, "sibling", density=0.6).trees(projective=False, single_root=False)
        try:
            best = trees.argmax()
        except NoTreeError:
            continue
        multi = trees.argmax_by_program(relax=True, flow="multi")
        single = trees.argmax_by_program(relax=True, flow="single")
        assert best.exact
        assert best.score <= multi.bound + 1e-6
        assert multi.bound <= single.bound + 1e-6
        dual = trees.argmax(Limits(iterations=3000, step="decreasing", branch=False, eliminate=False))
        assert dual.bound >= multi.bound - 1e-6
        assert dual.bound == pytest.approx(multi.bound, abs=0.05)


@pytest.mark.parametrize("factorization", ["sibling", "model1", "model2"])
def test_a_tree_to_begin_with_does_not_change_the_answer(factorization: Factorization) -> None:
    pytest.importorskip("highspy")
    for seed in range(3):
        instance = Instance(seed, 6, factorization, density=1.0)
        trees = instance.trees(projective=False, single_root=True)
        best = trees.argmax_by_program().score
        for start in ([0, 1, 2, 3, 4, 5], trees.argmax().tree.heads):
            assert trees.argmax_by_program(start=start).score == pytest.approx(best, abs=1e-6)
    with pytest.raises(ValueError, match="allowed arcs"):
        trees.argmax_by_program(start=[1, 0, 0, 0, 0, 0])


def test_an_optimum_below_a_known_tree_is_not_believed() -> None:
    """HiGHS 1.15 claims 33.3 to be the best score of this one."""
    pytest.importorskip("highspy")
    trees = Instance(4, 10, "model1", density=1.0).trees(projective=False, single_root=False)
    known = trees.climb().solution
    assert trees.argmax_by_program(start=known.tree.heads).score >= known.score - 1e-6


def test_what_is_no_tree_scores_nothing() -> None:
    trees = Instance(0, 3, "model1", density=1.1).trees(projective=False, single_root=False)
    assert trees.score([1, 0, 0]) == -float("inf")  # its own head
    with pytest.raises(ValueError, match="between 0 and n"):
        trees.score([4, 0, 0])


def test_without_the_solver_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    trees = Instance(0, 3, "sibling", density=1.1).trees(projective=False, single_root=False)
    with pytest.raises(HeadwiseError, match=r"headwise\[ilp\]"):
        trees.argmax_by_program()
