"""Randomized greedy search against enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from crossing_instances import CROSSING, Instance
from headwise.reference.enumeration import is_tree
from headwise.reference.parts import Factorization
from headwise.trees import Climbing, CrossingTrees, NoTreeError, count_local_optima

INSTANCES = 12


@pytest.mark.parametrize("factorization", CROSSING)
@pytest.mark.parametrize("single_root", [False, True])
def test_climbs_nearly_always_reach_the_best_tree_and_never_pass_it(
    factorization: Factorization, single_root: bool
) -> None:
    reached = tried = 0
    for seed in range(INSTANCES):
        words = 1 + seed % 5
        instance = Instance(seed, words, factorization, scale=[1.0, 30.0, 0.0][seed % 3])
        best = instance.best_score(projective=False, single_root=single_root)
        trees = instance.trees(projective=False, single_root=single_root)
        if best == -np.inf:
            with pytest.raises(NoTreeError):
                trees.climb()
            continue
        solution = trees.climb().solution
        heads = solution.tree.heads.tolist()
        assert is_tree(heads)
        assert not single_root or heads.count(0) == 1
        assert solution.score == pytest.approx(instance.score(tuple(heads)))
        assert solution.score <= best + 1e-9
        assert not solution.exact
        assert solution.bound == np.inf
        tried += 1
        reached += solution.score >= best - 1e-9
    assert tried >= INSTANCES // 2
    assert reached >= tried - 1


@pytest.mark.parametrize("factorization", CROSSING)
@pytest.mark.parametrize("single_root", [False, True])
def test_a_climb_ends_where_no_single_move_helps(factorization: Factorization, single_root: bool) -> None:
    for seed in range(10):
        instance = Instance(seed, 7, factorization, density=1.0)
        trees = instance.trees(projective=False, single_root=single_root)
        solution = trees.climb(Climbing(patience=0)).solution
        heads = solution.tree.heads.tolist()
        for word in range(1, 8):
            for head in range(8):
                moved = [*heads[: word - 1], head, *heads[word:]]
                if head != word and is_tree(moved) and not (single_root and moved.count(0) != 1):
                    assert instance.score(tuple(moved)) <= solution.score + 1e-8


def test_one_word_of_a_single_root_can_be_exchanged_for_another() -> None:
    # The first-order optimum has word 1 for its root; siblings make word 2 a far better one.
    arcs = np.zeros((3, 3))
    arcs[0, 1] = 1.0
    siblings = np.zeros((3, 3, 3))
    siblings[0, 2, 0] = 5.0
    trees = CrossingTrees(arcs, siblings=siblings, single_root=True)
    assert trees.climb(Climbing(patience=0)).solution.tree.heads.tolist() == [2, 0]


def test_the_same_seed_gives_the_same_climbs() -> None:
    trees = Instance(5, 14, "model1", density=1.0).trees(projective=False, single_root=True)
    first, again = trees.climb(Climbing(seed=3)), trees.climb(Climbing(seed=3))
    assert first.solution.tree.heads.tolist() == again.solution.tree.heads.tolist()
    assert first[1:] == again[1:]


def test_more_restarts_never_make_the_tree_worse() -> None:
    trees = Instance(2, 15, "model2", density=1.0).trees(projective=False, single_root=False)
    scores = [trees.climb(Climbing(patience=10**6, most_restarts=k)).solution.score for k in (1, 5, 25, 125)]
    assert scores == sorted(scores)
    assert scores[-1] > scores[0]


@pytest.mark.parametrize("starts", ["mixed", "uniform", "first-order"])
def test_the_search_ends_when_nothing_better_comes_up(starts: str) -> None:
    trees = Instance(2, 10, "sibling", density=1.0).trees(projective=False, single_root=False)
    climb = trees.climb(Climbing(patience=7, starts=starts))  # type: ignore[arg-type]
    assert climb.restarts == climb.found_at + 7


def test_what_cannot_be_searched_is_refused() -> None:
    instance = Instance(1, 3, "sibling", density=1.0)
    with pytest.raises(ValueError, match="may cross"):
        instance.trees(projective=True, single_root=False).climb()
    trees = instance.trees(projective=False, single_root=False)
    with pytest.raises(ValueError, match="seed is -1"):
        trees.climb(Climbing(seed=-1))
    with pytest.raises(ValueError, match="starts must be"):
        trees.climb(Climbing(starts="zero"))  # type: ignore[arg-type]
    instance.tables["siblings"][1, 2, 1] = -np.inf
    with pytest.raises(ValueError, match="finite scores"):
        instance.trees(projective=False, single_root=False).climb()


def test_only_mixed_starts_begin_with_the_first_order_optimum() -> None:
    # Of first order the optimum is the best tree; others get stuck, but for escapes.
    def climb_once(trees: CrossingTrees, seed: int, starts: str) -> float:
        climbing = Climbing(seed=seed, patience=0, starts=starts, escapes=False)  # type: ignore[arg-type]
        return trees.climb(climbing).solution.score

    arcs = np.array([[0.0, 1.0, 0.9], [0.0, 0.0, 9.0], [0.0, 9.0, 0.0]])
    trees = CrossingTrees(arcs, single_root=False, factorization="arc")
    assert count_local_optima(arcs) == 2
    found = {
        starts: {climb_once(trees, seed, starts) for seed in range(30)}
        for starts in ("mixed", "uniform", "first-order")
    }
    assert found == {"mixed": {10.0}, "uniform": {9.9, 10.0}, "first-order": {9.9, 10.0}}


@pytest.mark.parametrize("escapes", [False, True])
def test_a_climb_counts_as_better_only_where_its_tree_is(escapes: bool) -> None:
    # Many climbs of one problem, which know what the ones before them learned: none of it may be wrong.
    later = 0
    for seed in range(12):
        trees = Instance(seed, 12, "model1", density=0.8).trees(projective=False, single_root=bool(seed % 2))
        found = trees.climb(Climbing(patience=300, escapes=escapes))
        if found.found_at > 1:
            before = trees.climb(
                Climbing(patience=300, escapes=escapes, most_restarts=found.found_at - 1)
            ).solution
            assert before.score < found.solution.score - 1e-9
            later += 1
    assert later >= 3


@pytest.mark.parametrize("seed", range(6))
def test_threads_do_not_matter(seed: int) -> None:
    trees = Instance(seed, 14, "model1", density=0.7).trees(projective=False, single_root=bool(seed % 2))
    one, *others = [trees.climb(Climbing(threads=threads, patience=9)) for threads in (1, 2, 3)]
    for other in others:
        assert other.solution.tree.heads.tolist() == one.solution.tree.heads.tolist()
        assert other[1:] == one[1:]


@pytest.mark.parametrize("single_root", [False, True])
def test_escapes_lead_higher_and_never_lower(single_root: bool) -> None:
    climbed, escaped = [], []
    for seed in range(40):
        instance = Instance(seed, 12, "model1", density=0.8)
        trees = instance.trees(projective=False, single_root=single_root)
        climbed.append(trees.climb(Climbing(patience=0, escapes=False)).solution.score)
        solution = trees.climb(Climbing(patience=0)).solution
        heads = solution.tree.heads.tolist()
        assert is_tree(heads)
        assert not single_root or heads.count(0) == 1
        assert solution.score == pytest.approx(instance.score(tuple(heads)))
        escaped.append(solution.score)
    gains = np.array(escaped) - np.array(climbed)
    assert gains.min() > -1e-9
    assert np.count_nonzero(gains > 1e-6) > 20
