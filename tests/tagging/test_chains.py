"""Best sequences, k best and marginals of a trigram chain against enumeration of all sequences."""

from __future__ import annotations

import itertools
import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise._native.tagging import best_through, edge_marginals, k_best, viterbi

Edges = dict[tuple[int, int, int, int], int]


def edges_of(widths: list[int]) -> Edges:
    """The place of every edge (word, v, u, t) in the flat table of scores."""
    padded = [1, 1, *widths]
    edges = [
        (i, v, u, t)
        for i in range(len(widths))
        for v, u, t in itertools.product(*(range(w) for w in padded[i : i + 3]))
    ]
    return {edge: place for place, edge in enumerate(edges)}


def path_of(sequence: tuple[int, ...]) -> list[tuple[int, int, int, int]]:
    padded = (0, 0, *sequence)
    return [(i, *padded[i : i + 3]) for i in range(len(sequence))]


def enumerate_scores(widths: list[int], scores: npt.NDArray[np.float64]) -> dict[tuple[int, ...], float]:
    edges = edges_of(widths)
    return {
        sequence: sum(scores[edges[edge]] for edge in path_of(sequence))
        for sequence in itertools.product(*(range(w) for w in widths))
    }


@st.composite
def chains(draw: st.DrawFn) -> tuple[list[int], npt.NDArray[np.float64]]:
    widths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    kinds = st.one_of(
        st.integers(-2, 2).map(float),  # small whole numbers: many ties
        st.floats(-1e3, 1e3),
        st.just(-math.inf),
    )
    size = len(edges_of(widths))
    return widths, np.array(draw(st.lists(kinds, min_size=size, max_size=size)))


@settings(max_examples=150, deadline=None)
@given(chains())
def test_viterbi_finds_the_best_sequence(chain: tuple[list[int], npt.NDArray[np.float64]]) -> None:
    widths, scores = chain
    every = enumerate_scores(widths, scores)
    best, score = viterbi(widths, scores)
    assert score == pytest.approx(max(every.values()), rel=1e-12)
    if score > -math.inf:
        assert every[tuple(best)] == pytest.approx(score, rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(chains())
def test_the_best_sequence_through_each_candidate(chain: tuple[list[int], npt.NDArray[np.float64]]) -> None:
    widths, scores = chain
    every = enumerate_scores(widths, scores)
    for word, width in enumerate(widths):
        for candidate in range(width):
            best, score = best_through(widths, scores, word, candidate)
            wanted = max(s for sequence, s in every.items() if sequence[word] == candidate)
            assert score == pytest.approx(wanted, rel=1e-12)
            if score > -math.inf:
                assert best[word] == candidate
                assert every[tuple(best)] == pytest.approx(score, rel=1e-12)


@settings(max_examples=150, deadline=None)
@given(chains(), st.integers(1, 12))
def test_k_best_are_the_best_in_order_and_distinct(
    chain: tuple[list[int], npt.NDArray[np.float64]], k: int
) -> None:
    widths, scores = chain
    every = enumerate_scores(widths, scores)
    possible = sorted((s for s in every.values() if s > -math.inf), reverse=True)
    found = k_best(widths, scores, k)
    assert [score for _, score in found] == pytest.approx(possible[:k], rel=1e-12)
    assert len({tuple(labels) for labels, _ in found}) == len(found)
    for labels, score in found:
        assert every[tuple(labels)] == pytest.approx(score, rel=1e-12)


@settings(max_examples=150, deadline=None)
@given(chains())
def test_marginals_are_sums_over_sequences(chain: tuple[list[int], npt.NDArray[np.float64]]) -> None:
    widths, scores = chain
    every = enumerate_scores(widths, scores)
    log_partition, marginals = edge_marginals(widths, scores)
    greatest = max(every.values())
    if greatest == -math.inf:
        assert log_partition == -math.inf
        return
    total = sum(math.exp(score - greatest) for score in every.values())
    assert log_partition == pytest.approx(greatest + math.log(total), rel=1e-12, abs=1e-9)
    edges = edges_of(widths)
    expected = np.zeros(len(edges))
    for sequence, score in every.items():
        for edge in path_of(sequence):
            expected[edges[edge]] += math.exp(score - greatest) / total
    np.testing.assert_allclose(marginals, expected, atol=1e-9)


def test_viterbi_breaks_ties_by_candidate_number() -> None:
    widths = [2, 3, 2]
    best, score = viterbi(widths, np.zeros(len(edges_of(widths))))
    assert (best, score) == ([0, 0, 0], 0.0)


def test_a_chain_needs_one_score_an_edge() -> None:
    with pytest.raises(ValueError, match="one number an edge"):
        viterbi([2, 2], np.zeros(3))
    with pytest.raises(ValueError, match="every word needs a candidate"):
        viterbi([2, 0], np.zeros(2))
