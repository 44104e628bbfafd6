"""What is asked of the k best trees of a sentence, and of samples."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from headwise.trees import Distribution, Tree


def check_best(
    trees: Distribution | None,
    words: int,
    heads: np.ndarray,
    labels: np.ndarray | None,
    scores: np.ndarray,
    tolerance: float = 1e-9,
) -> None:
    """heads (k, n), labels and scores are the k best trees, with nothing behind where there are fewer."""
    expected = [0.0] if words == 0 else []
    if trees is not None:
        expected = [solution.score for solution in trees.top_k(len(scores))]
    count = len(expected)
    np.testing.assert_allclose(scores[:count], expected, rtol=tolerance, atol=tolerance)
    assert (scores[count:] == -np.inf).all()
    assert (heads[count:] == -1).all()
    assert (heads[:, words:] == -1).all()
    if trees is None:
        return
    total = trees.log_partition()
    for rank in range(count):
        tree = Tree(heads[rank, :words], None if labels is None else labels[rank, :words])
        assert trees.log_prob(tree) + total == pytest.approx(scores[rank], rel=tolerance, abs=10 * tolerance)
    found = heads if labels is None else np.concatenate([heads, labels], axis=1)
    assert len({tuple(row) for row in found[:count]}) == count


def check_samples(trees: Distribution, heads: np.ndarray) -> None:
    """Samples (k, n) are distributed as the trees are, by a chi-square test over all of them."""
    every = trees.top_k(trees.count())
    total = trees.log_partition()
    seen = Counter(tuple(row) for row in heads.tolist())
    observed = np.array([seen.pop(tuple(solution.tree.heads.tolist()), 0) for solution in every])
    assert not seen, "samples that are no trees"
    expected = len(heads) * np.exp([solution.score - total for solution in every])
    many = expected >= 5
    pooled = [np.append(counts[many], counts[~many].sum()) for counts in (observed, expected)]
    if pooled[1][-1] < 5:  # with the rarest of the others
        pooled = [np.append(counts[:-2], counts[-2:].sum()) for counts in pooled]
    if len(pooled[0]) > 1:
        assert chisquare(*pooled).pvalue > 1e-4
