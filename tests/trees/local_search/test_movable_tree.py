"""The score that follows the moves of a tree is the score of the tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossing_instances import CROSSING, Instance
from headwise._native import local_search
from headwise.reference.enumeration import all_trees
from headwise.reference.parts import Factorization
from headwise.trees import CrossingTrees, SpanningTrees


def movable(trees: CrossingTrees) -> local_search.SearchedTrees:
    return local_search.SearchedTrees(
        trees.candidates, trees._scores(), trees.factorization, trees.single_root
    )


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    words=st.integers(1, 12),
    factorization=st.sampled_from(CROSSING),
    single_root=st.booleans(),
)
def test_every_move_changes_the_score_by_what_it_says(
    seed: int, words: int, factorization: Factorization, single_root: bool
) -> None:
    instance = Instance(seed, words, factorization, density=1.0)
    trees = instance.trees(projective=False, single_root=single_root)
    tree = movable(trees)
    rng = np.random.default_rng(seed)
    flat = SpanningTrees(np.zeros((words + 1,) * 2), single_root=single_root)
    heads = flat.sample(1, seed=seed)[0].heads
    tree.assign(heads)
    assert tree.score() == pytest.approx(instance.score(tuple(heads)), abs=1e-9)
    for _ in range(20):
        word, head = int(rng.integers(1, words + 1)), int(rng.integers(0, words + 1))
        before = instance.score(tuple(tree.heads().tolist()))
        if not tree.can_move(word, head):
            continue
        gain = tree.move(word, head)
        now = tuple(tree.heads().tolist())
        assert now[word - 1] == head
        assert tree.score() == pytest.approx(instance.score(now), abs=1e-9)
        assert gain == pytest.approx(instance.score(now) - before, abs=1e-9)
        assert trees.score(now) == pytest.approx(tree.score(), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    words=st.integers(2, 4),
    factorization=st.sampled_from(CROSSING),
    single_root=st.booleans(),
)
def test_what_is_remembered_holds_when_the_tree_comes_back(
    seed: int, words: int, factorization: Factorization, single_root: bool
) -> None:
    # There are few trees, so that each arc is met again and again, among the same and among other words.
    instance = Instance(seed, words, factorization, density=1.0)
    tree = movable(instance.trees(projective=False, single_root=single_root))
    scores = {
        heads: instance.score(heads) for heads in all_trees(words, projective=False, single_root=single_root)
    }
    rng = np.random.default_rng(seed)
    now = None
    for _ in range(200):
        if now is None or rng.random() < 0.05:
            now = list(scores)[rng.integers(len(scores))]
            tree.assign(np.array(now, dtype=np.int32))
        word, head = int(rng.integers(1, words + 1)), int(rng.integers(0, words + 1))
        moved = (*now[: word - 1], head, *now[word:])
        assert tree.can_move(word, head) == (moved in scores)
        if moved not in scores:
            continue
        assert tree.move(word, head) == pytest.approx(scores[moved] - scores[now], abs=1e-9)
        assert tree.score() == pytest.approx(scores[moved], abs=1e-9)
        now = moved


def test_moves_leave_a_tree() -> None:
    tree = movable(Instance(1, 4, "model1", density=1.0).trees(projective=False, single_root=True))
    tree.assign(np.array([0, 1, 2, 1], dtype=np.int32))
    assert not tree.can_move(2, 3)  # a cycle
    assert not tree.can_move(2, 2)
    assert not tree.can_move(1, 2)  # the root word stays
    assert not tree.can_move(4, 0)  # and stays alone
    assert tree.can_move(4, 3)
    with pytest.raises(ValueError, match="leaves no tree"):
        tree.move(2, 3)


def test_bad_trees_are_refused() -> None:
    tree = movable(Instance(1, 3, "sibling", density=1.0).trees(projective=False, single_root=False))
    with pytest.raises(ValueError, match="assign one"):
        tree.score()
    with pytest.raises(ValueError, match="one entry a word"):
        tree.assign(np.array([0, 1], dtype=np.int32))
    with pytest.raises(ValueError, match="allowed arcs"):
        tree.assign(np.array([1, 0, 0], dtype=np.int32))
    with pytest.raises(ValueError, match="form a tree"):
        tree.assign(np.array([0, 3, 2], dtype=np.int32))
