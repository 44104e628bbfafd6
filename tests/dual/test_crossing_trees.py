"""Dual decomposition with head automata against enumeration: what is certified is the best tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from crossing_instances import CROSSING, Instance
from headwise._native import dual as native_dual
from headwise.dual import KOO_2010, Limits
from headwise.reference.parts import Factorization
from headwise.treebank import check_tree, is_projective
from headwise.trees import CrossingTrees, NoTreeError

PLAIN = Limits(iterations=60, branch=False, eliminate=False)
KOO = Limits(iterations=60, step="decreasing", branch=False, eliminate=False)
PUBLISHED = replace(KOO_2010, iterations=60)
ELIMINATING = Limits(iterations=60, branch=False)
BRANCHING = Limits(iterations=20_000)


@pytest.mark.parametrize("factorization", CROSSING)
@pytest.mark.parametrize("projective", [False, True])
@pytest.mark.parametrize("single_root", [False, True])
def test_certified_trees_are_the_best(
    factorization: Factorization, projective: bool, single_root: bool
) -> None:
    kind = {"projective": projective, "single_root": single_root}
    for seed in range(14):
        instance = Instance(seed, 1 + seed % 5, factorization, scale=(0.0, 1.0, 1e3)[seed % 3])
        best = instance.best_score(**kind)
        trees = instance.trees(**kind)
        for limits in (PLAIN, KOO, PUBLISHED, ELIMINATING, BRANCHING):
            if best == -np.inf:
                with pytest.raises(NoTreeError):
                    trees.argmax(limits)
                continue
            solution = trees.argmax(limits)
            slack = 1e-8 * max(1.0, abs(best))
            heads = solution.tree.heads
            assert check_tree(heads, single_root=single_root) == []
            assert is_projective(heads) or not projective
            assert solution.score == pytest.approx(instance.score(tuple(heads.tolist())), abs=slack)
            assert solution.score == pytest.approx(trees.score(heads), abs=slack)
            assert solution.score <= best + slack
            assert solution.bound >= best - slack
            if solution.exact:
                assert solution.score == pytest.approx(best, abs=slack)
                assert solution.bound == solution.score
            assert solution.exact or limits is not BRANCHING


def test_six_words() -> None:
    for seed, factorization in enumerate(("sibling", "model1")):
        instance = Instance(seed, 6, factorization, density=0.5)
        solution = instance.trees(projective=False, single_root=False).argmax()
        assert solution.exact
        assert solution.score == pytest.approx(instance.best_score(projective=False, single_root=False))


def test_longer_instances_agree_whatever_the_method() -> None:
    """Of two searches that certify their trees, both are right: they have the same score."""
    certified = 0
    for seed in range(12):
        instance = Instance(seed, 12, "model1", density=0.3)
        trees = instance.trees(projective=False, single_root=True)
        try:
            best = trees.argmax(BRANCHING)
        except NoTreeError:
            continue
        assert best.exact
        for limits in (PLAIN, KOO, ELIMINATING):
            other = trees.argmax(limits)
            assert other.bound >= best.score - 1e-8
            assert other.score <= best.score + 1e-8
            certified += other.exact
    assert certified > 0


def test_the_bound_falls_and_the_score_rises() -> None:
    search = Instance(3, 15, "model1", density=0.4).trees(projective=False, single_root=True).search(PLAIN)
    assert np.all(np.diff(search.trace.bounds) <= 0)
    assert np.all(np.diff(search.trace.scores) >= 0)
    assert search.trace.solved[0] == 17  # the tree, and an automaton for every node


@pytest.mark.parametrize("factorization", CROSSING)
def test_relaxed_choices(factorization: Factorization) -> None:
    """They score at least as much as any tree, and as much as the parts that training makes of them."""
    for seed in range(6):
        instance = Instance(seed, 5, factorization, density=0.9)
        single_root = seed % 2 == 0
        trees = instance.trees(projective=False, single_root=single_root)
        arcs, score, of_parts = native_dual.relaxed_tree(
            trees.candidates, trees._scores(), factorization, single_root
        )
        assert (arcs, score) == trees.relaxed()
        assert score == pytest.approx(of_parts, abs=1e-9)
        assert len(set(arcs)) == len(arcs)
        assert all(instance.mask[arc] for arc in arcs)
        assert score >= instance.best_score(projective=False, single_root=single_root) - 1e-9


def test_partial_trees_are_respected() -> None:
    instance = Instance(1, 5, "model1", density=1.1)
    fixed = [2, -1, -1, 3, -1]
    trees = CrossingTrees(
        instance.arcs, single_root=True, factorization="model1", partial_heads=fixed, **instance.tables
    )
    heads = trees.argmax().tree.heads
    assert heads[0] == 2
    assert heads[3] == 3


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="labels are not searched"):
        CrossingTrees(np.zeros((3, 3, 2)), single_root=True)
    with pytest.raises(ValueError, match="cannot be scored"):
        CrossingTrees(np.zeros((3, 3)), siblings=np.zeros((3, 3, 3)), factorization="arc", single_root=True)
    with pytest.raises(ValueError, match="siblings must have shape"):
        CrossingTrees(np.zeros((3, 3)), siblings=np.zeros((2, 2, 2)), single_root=True)
    trees = CrossingTrees(np.zeros((3, 3)), single_root=True)
    with pytest.raises(ValueError, match="one entry a word"):
        trees.score([0])


def test_the_share_of_the_tree_changes_the_way_and_not_the_bound_of_the_end() -> None:
    """Whatever it has to begin with, every bound is one."""
    trees = Instance(3, 6, "model1", density=1.0).trees(projective=False, single_root=False)
    best = trees.argmax().score
    bounds = [trees.search(replace(KOO_2010, tree_share=share)).trace.bounds for share in (0.0, 0.001, 1.0)]
    assert all((own >= best - 1e-9).all() for own in bounds)
    assert bounds[0][0] != bounds[2][0]


def test_shares_are_shares() -> None:
    with pytest.raises(ValueError, match="tree_share"):
        Limits(tree_share=1.5)
