"""The tests of significance against full enumeration and closed forms."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from evaluation_examples import trees
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.evaluation import SentenceCounts, compare, permutation_test, sign_test


def counts(correct: list[int], gold: list[int], system: list[int] | None = None) -> SentenceCounts:
    return SentenceCounts(*(np.asarray(column) for column in (correct, gold, system or gold)))


def f1_difference(first: list[tuple[int, int]], second: list[tuple[int, int]], gold: int) -> Fraction:
    def f1(rows: list[tuple[int, int]]) -> Fraction:
        return Fraction(2 * sum(correct for correct, _ in rows), gold + sum(system for _, system in rows))

    return f1(first) - f1(second)


def exact_p_value(first: SentenceCounts, second: SentenceCounts) -> float:
    """The share of all swaps that differ at least as much as no swap at all, in exact fractions."""
    gold = int(first.gold.sum())
    one = list(zip(first.correct.tolist(), first.system.tolist(), strict=True))
    other = list(zip(second.correct.tolist(), second.system.tolist(), strict=True))
    observed = abs(f1_difference(one, other, gold))
    at_least = 0
    for swaps in product([False, True], repeat=len(one)):
        left = [b if swap else a for a, b, swap in zip(one, other, swaps, strict=True)]
        right = [a if swap else b for a, b, swap in zip(one, other, swaps, strict=True)]
        at_least += abs(f1_difference(left, right, gold)) >= observed
    return at_least / 2 ** len(one)


SENTENCES = st.lists(
    st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(0, 9), st.integers(1, 9), st.integers(1, 9)),
    min_size=1,
    max_size=7,
)


@settings(max_examples=30)
@given(SENTENCES, st.booleans())
def test_permutations_agree_with_all_swaps(rows: list[tuple[int, ...]], same_words: bool) -> None:
    gold = [row[0] for row in rows]
    totals = [gold, gold] if same_words else [[row[3] for row in rows], [row[4] for row in rows]]
    first, second = (
        counts([min(row[1 + i], g, s) for row, g, s in zip(rows, gold, system, strict=True)], gold, system)
        for i, system in enumerate(totals)
    )
    permutations = 20_000
    exact = exact_p_value(first, second)
    found = permutation_test(first, second, permutations=permutations, seed=3).p_value
    # Five standard deviations of a binomial share, and what the (b + 1) / (R + 1) correction moves.
    assert abs(found - exact) <= 5 * sqrt(exact * (1 - exact) / permutations) + 1 / permutations


def test_permutation_p_value_counts_the_systems_as_they_are() -> None:
    gold = [1] * 60
    first, second = counts([1] * 60, gold), counts([0] * 60, gold)
    # All 60 sentences differ the same way; no permutation in 999 will do the like.
    assert permutation_test(first, second, permutations=999, seed=1).p_value == 1 / 1000
    assert permutation_test(first, first, permutations=999, seed=1).p_value == 1.0


def test_permutation_test_is_reproducible_and_symmetric() -> None:
    generator = np.random.default_rng(0)
    gold = generator.integers(1, 30, 300)
    first = counts(list(generator.binomial(gold, 0.85)), list(gold))
    second = counts(list(generator.binomial(gold, 0.84)), list(gold))
    one, again, swapped = (
        permutation_test(*pair, permutations=2000, seed=7)
        for pair in [(first, second), (first, second), (second, first)]
    )
    assert one == again
    assert (swapped.p_value, swapped.difference) == (one.p_value, -one.difference)
    # Two seeds may hit the same count by chance; ten that all do would mean the seed is not used.
    assert (
        len({permutation_test(first, second, permutations=2000, seed=seed).p_value for seed in range(10)}) > 1
    )


def test_the_same_coins_however_they_are_put_into_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    from headwise.evaluation import significance

    gold = [5] * 100
    first, second = counts([3, 4] * 50, gold), counts([4, 3, 3, 3] * 25, gold)
    whole = permutation_test(first, second, permutations=1000, seed=1)
    monkeypatch.setattr(significance, "_blocks", lambda permutations, sentences: [7] * 142 + [6])
    assert permutation_test(first, second, permutations=1000, seed=1) == whole


def test_permutation_test_needs_a_permutation() -> None:
    with pytest.raises(ValueError, match="at least one"):
        permutation_test(counts([1], [1]), counts([0], [1]), permutations=0)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 9))
def test_sign_test_is_the_binomial_tail(first_wins: int, second_wins: int, ties: int) -> None:
    gold = [2] * (first_wins + second_wins + ties)
    first = counts([2] * first_wins + [0] * second_wins + [1] * ties, gold)
    second = counts([1] * first_wins + [1] * second_wins + [1] * ties, gold)
    result = sign_test(first, second)
    assert (result.first_better, result.second_better, result.ties) == (first_wins, second_wins, ties)
    trials = first_wins + second_wins
    tail = sum(comb(trials, k) for k in range(min(first_wins, second_wins) + 1))
    assert result.p_value == float(min(Fraction(1), Fraction(2 * tail, 2**trials)))


@pytest.mark.parametrize(("better", "worse"), [(448, 343), (500, 383)])
def test_sign_test_gives_what_the_thesis_reports(better: int, worse: int) -> None:
    """Koo (2010), footnote 2 of chapter 4: out of 2,472 sentences, both significant with p ≤ 0.001."""
    gold = [1] * 2472
    first = counts([1] * better + [0] * (2472 - better), gold)
    second = counts([0] * better + [1] * worse + [0] * (2472 - better - worse), gold)
    result = sign_test(first, second)
    assert result.ties == 2472 - better - worse
    assert 1e-6 < result.p_value <= 0.001


def test_compare_counts_sentences_by_hand() -> None:
    gold = trees("a/0/root b/1/obj c/1/obl", "d/0/root e/1/obj", "f/0/root ./1/punct")
    first = trees("a/0/root b/1/obj c/2/obl", "d/0/root e/1/obj", "f/0/root ./1/punct")
    second = trees("a/0/root b/3/obj c/2/nmod", "d/0/root e/1/obl", "f/0/root ./1/punct")
    rows = {row.name: row for row in compare(gold, first, second, "all", permutations=500, seed=1)}
    assert list(rows) == ["UAS", "LAS", "Label accuracy", "CLAS"]
    uas, las = rows["UAS"], rows["LAS"]
    assert (uas.sign.first_better, uas.sign.second_better, uas.sign.ties) == (1, 0, 2)
    assert (las.sign.first_better, las.sign.second_better, las.sign.ties) == (2, 0, 1)
    assert las.permutation.difference == pytest.approx(6 / 7 - 4 / 7)
    assert (las.first.correct, las.second.correct) == (6, 4)
    # Two sentences differ, so half of all swaps differ as much: both or neither swapped.
    assert las.permutation.p_value == pytest.approx(0.5, abs=0.1)
    assert las.sign.p_value == 0.5
    assert all(row.protocol.name == "all" for row in rows.values())


def test_compare_systems_with_words_of_their_own() -> None:
    gold = trees("ab/0/root c/1/obj", "d/0/root")
    split = trees("a/0/root b/1/obj c/1/obj", "d/0/root")
    (uas, *_) = compare(gold, gold, split, "ud", permutations=100, seed=1)
    assert (uas.second.correct, uas.second.gold, uas.second.system) == (1, 3, 4)
    assert uas.permutation.difference == pytest.approx(1 - 2 / 7)
    assert (uas.sign.first_better, uas.sign.ties) == (1, 1)
