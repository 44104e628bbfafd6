"""Crossing arcs and projectivization, against their definitions by brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.treebank import (
    check_tree,
    crossing_arcs,
    is_projective,
    nonprojective_arcs,
    projectivize,
    projectivized,
    read,
)


def trees(n, single_root):
    candidates = itertools.product(range(n + 1), repeat=n)
    return [heads for heads in candidates if not check_tree(heads, single_root=single_root)]


def crossing_by_definition(heads):
    spans = [tuple(sorted((h, m))) for m, h in enumerate(heads, start=1)]
    return [
        m
        for m, (left, right) in enumerate(spans, start=1)
        if any(a < left < b < right or left < a < right < b for a, b in spans)
    ]


def ancestors(heads, word):
    while word != 0:
        word = heads[word - 1]
        yield word


def nonprojective_by_definition(heads):
    return [
        m
        for m, h in enumerate(heads, start=1)
        if any(h not in ancestors(heads, word) for word in range(min(h, m) + 1, max(h, m)))
    ]


@st.composite
def random_trees(draw, longest=30):
    """A tree of any shape: every word gets a head among the words attached before it, or the root."""
    n = draw(st.integers(1, longest))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for i, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:i]]))
    return heads


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_every_small_tree(n):
    for heads in trees(n, single_root=False):
        assert crossing_arcs(heads) == crossing_by_definition(heads)
        assert nonprojective_arcs(heads) == nonprojective_by_definition(heads)
        assert is_projective(heads) == (nonprojective_arcs(heads) == [])


@given(random_trees())
def test_random_trees(heads):
    assert crossing_arcs(heads) == crossing_by_definition(heads)
    assert nonprojective_arcs(heads) == nonprojective_by_definition(heads)
    assert is_projective(heads) == (nonprojective_arcs(heads) == [])


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("single_root", [False, True])
def test_projectivized_trees_share_the_most_arcs(n, single_root):
    projective = np.array([t for t in trees(n, single_root) if is_projective(t)])
    for heads in trees(n, single_root=False):
        result = projectivize(heads, single_root=single_root)
        assert not check_tree(result, single_root=single_root)
        assert is_projective(result)
        assert (result == heads).sum() == (projective == heads).sum(axis=1).max()


@given(random_trees())
def test_projectivizing_leaves_projective_trees_alone(heads):
    once = projectivize(heads, single_root=False)
    assert is_projective(once)
    assert projectivize(once, single_root=False).tolist() == once.tolist()
    if is_projective(heads):
        assert once.tolist() == heads


def test_ties_go_to_the_nearest_ancestor():
    # "A hearing is scheduled on the issue today": hearing → on passes over scheduled, its own head.
    heads = [2, 4, 4, 0, 2, 7, 5, 4]
    assert nonprojective_arcs(heads) == [5]
    assert projectivize(heads, single_root=True).tolist() == [2, 4, 4, 0, 4, 7, 5, 4]


def test_projectivized_sentence_keeps_labels_and_bytes(fixtures):
    for sentence in read(fixtures / "nasty.conllu"):
        if (sentence.heads == -1).any():
            continue
        result = projectivized(sentence, single_root=False)
        assert is_projective(result.heads)
        assert result.labels == sentence.labels
        assert is_projective(sentence.heads) == (result == sentence)


def test_no_tree_is_an_error():
    for function in (nonprojective_arcs, lambda heads: projectivize(heads, single_root=True)):
        with pytest.raises(ValueError, match="cycle"):
            function([2, 1, 0])
        with pytest.raises(ValueError, match="word 2 has no head"):
            function([0, -1])
    with pytest.raises(ValueError, match="word 1 has head 7"):
        is_projective([7])


def test_a_sentence_of_any_length_is_looked_at():
    n = 100_000
    assert is_projective([0] * n)
    assert nonprojective_arcs([0, *([1] * (n - 1))]) == []
