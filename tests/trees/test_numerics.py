"""Accuracy at any scale, against arithmetic with a hundred digits."""

from __future__ import annotations

from decimal import Decimal, localcontext

import mpmath
import numpy as np
import pytest

from headwise.trees import Distribution, ProjectiveTrees, SenseTrees, SpanningTrees
from vector_widths import outputs_at_every_width


def matrix_tree_log_partition(arcs: np.ndarray, single_root: bool) -> mpmath.mpf:
    """Koo, Globerson, Carreras and Collins (2007), literally."""
    n = len(arcs) - 1
    weight = [[mpmath.exp(mpmath.mpf(score)) for score in row] for row in arcs]
    laplacian = mpmath.matrix(n, n)
    for m in range(1, n + 1):
        for h in range(1 if single_root else 0, n + 1):
            if h == m:
                continue
            laplacian[m - 1, m - 1] += weight[h][m]
            if h:
                laplacian[h - 1, m - 1] -= weight[h][m]
    if single_root:
        for m in range(1, n + 1):
            laplacian[0, m - 1] = weight[0][m]
    return mpmath.log(mpmath.det(laplacian))


def eisner_log_partition(arcs: np.ndarray, single_root: bool) -> mpmath.mpf:
    """The textbook recurrences with big numbers."""
    n = len(arcs) - 1
    zero, one = mpmath.mpf(0), mpmath.mpf(1)
    weight = [[mpmath.exp(mpmath.mpf(s)) for s in row] for row in arcs]
    complete = {(h, h): one for h in range(n + 1)}
    incomplete: dict[tuple[int, int], mpmath.mpf] = {}
    for width in range(1, n + 1):
        for i in range(n + 1 - width):
            j = i + width
            splits = [i] if single_root and i == 0 else range(i, j)
            joined = sum((complete[i, r] * complete[j, r + 1] for r in splits), zero)
            incomplete[i, j], incomplete[j, i] = joined * weight[i][j], joined * weight[j][i]
            complete[i, j] = sum((incomplete[i, m] * complete[m, j] for m in range(i + 1, j + 1)), zero)
            complete[j, i] = sum((incomplete[j, m] * complete[m, i] for m in range(i, j)), zero)
    return mpmath.log(complete[0, n])


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("scale", [1, 50, 1000])
@pytest.mark.parametrize(
    ("structure", "exact"),
    [(SpanningTrees, matrix_tree_log_partition), (ProjectiveTrees, eisner_log_partition)],
)
def test_log_partition_and_marginals_with_100_digits(
    structure, exact, scale: float, single_root: bool
) -> None:
    n = 7
    arcs = np.random.default_rng(n).normal(size=(n + 1, n + 1)) * scale
    trees = structure(arcs, single_root=single_root)
    marginals = trees.marginals().arcs
    with mpmath.workdps(1500 if scale == 1000 else 100):
        log_partition = exact(arcs, single_root)
        assert trees.log_partition() == pytest.approx(float(log_partition), rel=1e-12)
        for h, m in [(0, 3), (2, 5), (5, 2), (7, 1), (4, 3)]:
            without = arcs.copy()
            without[h, m] = -np.inf
            # p(h → m) = 1 − Z without the arc / Z, with digits to spare for the subtraction
            expected = float(1 - mpmath.exp(exact(without, single_root) - log_partition))
            assert marginals[h, m] == pytest.approx(expected, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("scale", [1, 1000])
def test_long_projective_log_partition(scale: float, single_root: bool) -> None:
    arcs = np.random.default_rng(3).uniform(-scale, scale, size=(31, 31))
    with mpmath.workdps(100):
        expected = float(eisner_log_partition(arcs, single_root))
    assert ProjectiveTrees(arcs, single_root=single_root).log_partition() == pytest.approx(
        expected, rel=1e-13
    )


def sum_by_elimination(arcs: np.ndarray) -> Decimal:
    """The sum over spanning trees with one root, words eliminated one by one: nothing cancels."""
    weight = [[Decimal(score).exp() for score in row] for row in arcs.tolist()]
    for node in range(len(arcs)):
        weight[node][node] = Decimal(0)
    total = Decimal(1)
    for k in range(len(arcs) - 1, 1, -1):
        shares = [weight[c][k] for c in range(k)]
        through = sum(shares[1:], Decimal(0))
        total *= through
        for row, share in zip(weight, shares, strict=False):
            factor = share / through
            row[1:k] = [old + factor * via for old, via in zip(row[1:k], weight[k][1:k], strict=True)]
    return total * weight[0][1]


def test_a_hundred_words_with_100_digits() -> None:
    """Scores of ±1000 at n = 100: the sum, and an arc's share of it as a ratio of two sums."""
    n = 100
    arcs = np.random.default_rng(1).uniform(-1000, 1000, size=(n + 1, n + 1))
    trees = SpanningTrees(arcs, single_root=True)
    marginals = trees.marginals().arcs
    word = int(np.argmax((marginals * (marginals < 0.9)).max(axis=0)))
    head = int(np.argmax(marginals[:, word] * (marginals[:, word] < 0.9)))
    only = arcs.copy()
    only[np.arange(n + 1) != head, word] = -np.inf
    with localcontext(prec=100):
        expected = sum_by_elimination(arcs)
        assert trees.log_partition() == pytest.approx(float(expected.ln()), rel=1e-13)
        share = float(sum_by_elimination(only) / expected)
    assert marginals[head, word] == pytest.approx(share, rel=1e-9)


def structures(n: int, scale: float, single_root: bool) -> list[Distribution]:
    rng = np.random.default_rng(n)
    arcs = rng.uniform(-scale, scale, size=(n + 1, n + 1))
    siblings = rng.uniform(-scale, scale, size=(n + 1,) * 3)
    few = np.zeros((n + 1, n + 1), dtype=bool)
    for m in range(1, n + 1):
        few[np.argsort(np.abs(np.arange(n + 1) - m))[:7], m] = True
        few[0, m] = True
    return [
        ProjectiveTrees(arcs, single_root=single_root),
        SpanningTrees(arcs, single_root=single_root),
        ProjectiveTrees(arcs, siblings=siblings, single_root=single_root),
        ProjectiveTrees(arcs, siblings=siblings, grandchildren=siblings, mask=few, single_root=single_root),
        ProjectiveTrees(arcs, siblings=siblings, mask=few, factorization="model2", single_root=single_root),
        SenseTrees(np.stack([np.stack([arcs, -arcs], -1)] * 2, -1), single_root=single_root),
    ]


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("scale", [1, 1000])
def test_probabilities_stay_probabilities(scale: float, single_root: bool) -> None:
    """Scores of ±1000 at n = 100: nothing overflows, cancels or needs clipping."""
    for trees in structures(100, scale, single_root):
        marginals = trees.marginals().arcs
        assert (marginals >= 0).all()
        assert (marginals <= 1 + 1e-12).all()
        np.testing.assert_allclose(marginals[:, 1:].sum(axis=0), 1.0, atol=1e-9)
        best = trees.argmax()
        assert trees.log_prob(best.tree) <= 0
        assert trees.log_partition() >= best.score - 1e-9 * abs(best.score)
        assert trees.log_prob(best.tree) == pytest.approx(best.score - trees.log_partition(), abs=1e-8)
        assert np.isfinite(trees.entropy())
        assert trees.entropy() >= 0
        assert len(trees.sample(2, seed=1)) == 2


def test_an_entropy_of_nearly_nothing() -> None:
    """One tree has all but 2e-80 of the probability; projective entropies keep even that."""
    arcs = np.array([[0.0, 0.0, -200.0], [0.0, 0.0, 0.0], [0.0, -200.0, 0.0]])
    expected = 1e0 * np.exp(-200) * (200 + 1) + np.exp(-400) * 401
    assert ProjectiveTrees(arcs, single_root=False).entropy() == pytest.approx(expected, rel=1e-6)


def test_kernels_give_the_same_bytes_for_any_threads() -> None:
    from headwise.trees import Batch

    trees = [t for n in (5, 17, 33) for t in structures(n, 3.0, True)[:3]]
    one, three = Batch(trees, threads=1), Batch(trees, threads=3)
    for a, b in zip(one.marginals(), three.marginals(), strict=True):
        assert a.arcs.tobytes() == b.arcs.tobytes()
    assert one.log_partition() == three.log_partition()


FINGERPRINT = """
import hashlib
import numpy as np
from headwise.trees import ProjectiveTrees, SpanningTrees

digest = hashlib.sha256()
for n in (1, 3, 8, 21, 40):
    rng = np.random.default_rng(n)
    arcs, siblings = rng.normal(size=(n + 1, n + 1)) * 3, rng.normal(size=(n + 1,) * 3)
    for single_root in (True, False):
        for trees in (
            ProjectiveTrees(arcs, single_root=single_root),
            ProjectiveTrees(arcs, siblings=siblings, single_root=single_root),
            ProjectiveTrees(arcs, factorization="model1", single_root=single_root),
            SpanningTrees(arcs, single_root=single_root),
            SpanningTrees(arcs * 300, single_root=single_root),
        ):
            digest.update(trees.argmax().tree.heads.tobytes())
            digest.update(np.float64(trees.log_partition()).tobytes())
            digest.update(np.ascontiguousarray(trees.marginals().arcs).tobytes())
print(digest.hexdigest())
"""


def test_same_bytes_on_any_width_of_vectors() -> None:
    assert len(outputs_at_every_width(FINGERPRINT)) == 1


@pytest.mark.parametrize("scale", [0.1, 1.0, 10.0, 50.0, 200.0, 1000.0])
@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("words", [1, 2, 7, 8, 9, 40])
def test_sums_in_doubles_equal_sums_in_scaled_numbers(scale: float, single_root: bool, words: int) -> None:
    """Arcs without labels are summed in doubles where those do; a label that no arc can have stops that."""
    arcs = np.random.default_rng(words).normal(scale=scale, size=(words + 1, words + 1))
    impossible = np.full_like(arcs, -np.inf)
    doubles = ProjectiveTrees(arcs, single_root=single_root)
    scaled = ProjectiveTrees(np.stack([arcs, impossible], axis=2), single_root=single_root)
    assert doubles.log_partition() == pytest.approx(scaled.log_partition(), rel=1e-12)
    np.testing.assert_allclose(doubles.marginals().arcs, scaled.marginals().arcs, rtol=1e-9, atol=1e-300)
