"""The score that follows single moves is the score of the tree, from scratch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise._native.scoring import WholeTree
from headwise.components.whole_tree.config import ALL
from headwise.treebank import is_projective
from whole_trees import full_shape, random_sentence, random_tree

WEIGHTS = 1 << 14


def tree_of(words: int, seed: int, families: tuple[str, ...] = ALL) -> WholeTree:
    weights = np.random.default_rng(seed).normal(size=WEIGHTS).astype(np.float32)
    return WholeTree(full_shape(families), random_sentence(words, seed), weights)


@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 10**6), words=st.integers(1, 14))
def test_every_move_changes_the_score_by_what_it_says(seed: int, words: int) -> None:
    tree, fresh = tree_of(words, seed), tree_of(words, seed)
    rng = np.random.default_rng(seed)
    heads = random_tree(words, seed)
    tree.assign(heads)
    for _ in range(15):
        word, head = int(rng.integers(1, words + 1)), int(rng.integers(0, words + 1))
        if not tree.can_move(word, head):
            continue
        before = tree.score()
        gain = tree.move(word, head)
        heads[word - 1] = head
        fresh.assign(heads)
        assert tree.score() == pytest.approx(fresh.score(), abs=1e-3)
        assert gain == pytest.approx(fresh.score() - before, abs=1e-3)


@pytest.mark.parametrize("family", ALL)
def test_each_family_alone_follows_moves(family: str) -> None:
    tree, fresh = tree_of(10, 3, (family,)), tree_of(10, 3, (family,))
    heads = random_tree(10, 3)
    tree.assign(heads)
    rng = np.random.default_rng(3)
    scores = set()
    for _ in range(60):
        word, head = int(rng.integers(1, 11)), int(rng.integers(0, 11))
        if tree.can_move(word, head):
            tree.move(word, head)
            heads[word - 1] = head
            fresh.assign(heads)
            assert tree.score() == pytest.approx(fresh.score(), abs=1e-3)
            scores.add(round(fresh.score(), 3))
    assert len(scores) > 1  # the family says something


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), words=st.integers(1, 10))
def test_a_tree_scores_the_weights_of_its_features(seed: int, words: int) -> None:
    tree = tree_of(words, seed)
    weights = np.random.default_rng(seed).normal(size=WEIGHTS).astype(np.float32)
    heads = random_tree(words, seed)
    tree.assign(heads)
    assert tree.score() == pytest.approx(float(weights[tree.features(heads)].sum()), abs=1e-3)


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 10**6), words=st.integers(1, 9))
def test_projective_moves_are_those_that_leave_a_projective_tree(seed: int, words: int) -> None:
    tree = tree_of(words, seed)
    heads = random_tree(words, seed)
    if not is_projective(heads):
        return
    tree.assign(heads)
    for word in range(1, words + 1):
        for head in range(words + 1):
            moved = heads.copy()
            moved[word - 1] = head
            wanted = head != word and tree.can_move(word, head) and is_projective(moved)
            assert tree.can_move(word, head, projective=True) == wanted


def test_what_is_no_tree_is_refused() -> None:
    tree = tree_of(3, 1)
    for heads in ([2, 1, 0], [4, 0, 0], [0, 0]):
        wrong = np.array(heads, np.int32)
        for use in (tree.assign, tree.hashes, tree.features, tree.kin):
            with pytest.raises(ValueError, match=r"form a tree|one head a word"):
                use(wrong)
