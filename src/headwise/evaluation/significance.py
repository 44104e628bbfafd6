"""Is one system better than the other, or could chance have done it? Two paired tests over sentences.

The sentence is the unit because the words of a sentence are not independent of one another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.evaluation.words import IntArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SentenceCounts:
    """A measure of one system, sentence by gold sentence."""

    correct: IntArray
    gold: IntArray
    """Counted gold words."""
    system: IntArray
    """Counted system words that begin in the gold sentence."""


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """Paired approximate randomization."""

    difference: float
    """F1 of the first system less F1 of the second."""
    p_value: float
    permutations: int
    seed: int


@dataclass(frozen=True, slots=True)
class SignTest:
    """The sentence-level sign test."""

    first_better: int
    """Sentences where the first system has more words right."""
    second_better: int
    ties: int
    """Sentences where both have as many; they do not take part."""
    p_value: float


def permutation_test(
    first: SentenceCounts, second: SentenceCounts, permutations: int = 10_000, seed: int = 1
) -> PermutationTest:
    """Two-sided paired permutation test of the difference in F1 (accuracy, where totals are the same).

    If the systems were alike, swapping their outputs on any sentence would change nothing that matters. Each
    permutation swaps each sentence with probability 1/2, and the p-value is (b + 1) / (R + 1) where b of R
    permutations differ at least as much as the systems do: the systems as they are count as one permutation,
    which keeps the test valid for any R (Phipson and Smyth, 2010; Noreen, 1989). Same seed, same p-value, on
    every machine. O(R · sentences) time, in blocks of bounded memory.
    """
    if permutations < 1:
        raise ValueError(f"a permutation test needs at least one permutation, not {permutations}")
    correct = np.stack([first.correct, second.correct]).astype(np.float64)
    system = np.stack([first.system, second.system]).astype(np.float64)
    gold = float(first.gold.sum())

    # Only what a swap changes has to be permuted; sentences where nothing differs drop out.
    change = np.stack([correct[1] - correct[0], system[1] - system[0]])
    change = change[:, change.any(axis=0)]
    correct_total, system_total = correct.sum(axis=1), system.sum(axis=1)
    observed = _f1_difference(correct_total, system_total, gold)

    bits = _RandomBits(seed)
    at_least = 0
    for size in _blocks(permutations, change.shape[1]):
        swapped = bits.matrix(size, change.shape[1])
        correct_moved, system_moved = swapped @ change[0], swapped @ change[1]
        differences = _f1_difference(
            np.stack([correct_total[0] + correct_moved, correct_total[1] - correct_moved]),
            np.stack([system_total[0] + system_moved, system_total[1] - system_moved]),
            gold,
        )
        # All counts are whole numbers, exact in float64; only the division rounds, hence the margin.
        at_least += int(np.count_nonzero(np.abs(differences) >= abs(observed) - 1e-12))
    return PermutationTest(float(observed), (at_least + 1) / (permutations + 1), permutations, seed)


def sign_test(first: SentenceCounts, second: SentenceCounts) -> SignTest:
    """Two-sided exact sign test over the sentences where one system has more words right than the other.

    This is the test of the parsing papers ("the sign test at the sentence level", Koo, 2010, sections 3.4.1
    and 4.6.2). Under the null hypothesis either system wins such a sentence with probability 1/2, so the
    p-value is twice the binomial tail P(wins ≤ min(first, second)), at most 1.
    """
    first_better = int(np.count_nonzero(first.correct > second.correct))
    second_better = int(np.count_nonzero(first.correct < second.correct))
    untied = first_better + second_better
    return SignTest(
        first_better=first_better,
        second_better=second_better,
        ties=len(first.correct) - untied,
        p_value=_two_sided_binomial(min(first_better, second_better), untied),
    )


def _two_sided_binomial(fewer: int, trials: int) -> float:
    """min(1, 2 P(X ≤ fewer)), X binomial(trials, 1/2), in exact integers until the last division."""
    coefficient, tail = 1, 0
    for k in range(fewer + 1):
        tail += coefficient
        coefficient = coefficient * (trials - k) // (k + 1)
    return min(1.0, 2 * tail / (1 << trials))


def _f1_difference(correct: FloatArray, system: FloatArray, gold: float) -> FloatArray:
    total = gold + system
    f1: FloatArray = np.divide(2 * correct, total, out=np.zeros_like(correct), where=total > 0)
    difference: FloatArray = f1[0] - f1[1]
    return difference


class _RandomBits:
    """Fair coins from raw PCG64 output, whose stream NumPy keeps the same in every version."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.PCG64(seed)

    def matrix(self, rows: int, columns: int) -> FloatArray:
        """`rows` rows of coins, each 0.0 or 1.0; every row begins on a fresh 64-bit number, so the coins
        do not depend on how rows are put into blocks."""
        words = -(-columns // 64)
        raw = self._generator.random_raw(rows * words).astype("<u8")
        bits = np.unpackbits(raw.view(np.uint8).reshape(rows, words * 8), axis=1)
        return bits[:, :columns].astype(np.float64)


def _blocks(permutations: int, sentences: int, coins: int = 1 << 22) -> list[int]:
    """Sizes of blocks of permutations with at most about `coins` coins each."""
    size = max(1, coins // max(1, sentences))
    full, rest = divmod(permutations, size)
    return [size] * full + ([rest] if rest else [])
