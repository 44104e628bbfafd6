"""Counting local optima against looking at every tree."""

from __future__ import annotations

import numpy as np
import pytest

from headwise.reference.enumeration import all_trees
from headwise.trees import count_local_optima


def enumerated(arcs: np.ndarray) -> int:
    words = len(arcs) - 1
    everything = all_trees(words, projective=False, single_root=False)
    scores = {heads: sum(arcs[h, m] for m, h in enumerate(heads, start=1)) for heads in everything}
    scores = {heads: score for heads, score in scores.items() if score > -np.inf}

    def is_optimum(heads: tuple[int, ...]) -> bool:
        return all(
            scores.get((*heads[:m], h, *heads[m + 1 :]), -np.inf) <= scores[heads] + 1e-12
            for m in range(words)
            for h in range(words + 1)
        )

    return sum(map(is_optimum, scores))


@pytest.mark.parametrize("words", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("density", [1.0, 0.7])
def test_counts_are_those_of_enumeration(words: int, density: float) -> None:
    rng = np.random.default_rng(words)
    counts = []
    for _ in range(20):
        arcs = rng.normal(size=(words + 1, words + 1))
        arcs[0] -= 1  # cycles among the words
        arcs[rng.random(arcs.shape) > density] = -np.inf
        counts.append(count_local_optima(arcs))
        assert counts[-1] == enumerated(arcs)
    assert words < 3 or max(counts) > 1


def test_counting_stops_at_a_limit() -> None:
    # Words prefer each other in pairs, and any word of a pair may be the one that hangs from the root.
    pairs = 8
    arcs = np.full((2 * pairs + 1, 2 * pairs + 1), -np.inf)
    arcs[0] = np.linspace(-2.0, -1.0, 2 * pairs + 1)
    for m in range(1, 2 * pairs, 2):
        arcs[m, m + 1] = arcs[m + 1, m] = 0.0
    assert count_local_optima(arcs) == 2**pairs
    assert count_local_optima(arcs, most=10) == 10
