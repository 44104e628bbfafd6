"""The first-order decoders against enumeration."""

import numpy as np
import pytest

from headwise._native import trees as native
from headwise.reference import EnumeratedTrees, is_projective, is_tree

DECODERS = {True: native.decode_projective, False: native.decode_nonprojective}


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("kind", ["smooth", "ties", "masked", "large"])
def test_best_tree_equals_enumeration(projective: bool, single_root: bool, kind: str) -> None:
    rng = np.random.default_rng(7)
    for n in range(1, 6):
        for _ in range(15):
            arcs = rng.normal(size=(n + 1, n + 1))
            if kind == "ties":
                arcs = rng.integers(0, 3, size=(n + 1, n + 1)).astype(float)
            elif kind == "masked":
                arcs[rng.random(arcs.shape) < 0.4] = -np.inf
            elif kind == "large":
                arcs *= 1000
            expected = EnumeratedTrees({"arcs": arcs}, single_root=single_root, projective=projective)
            heads, score = DECODERS[projective](arcs, single_root)
            if expected.count() == 0:
                assert score == -np.inf
                continue
            assert score == pytest.approx(expected.scores.max(), rel=1e-12)
            assert is_tree(heads)
            assert is_projective(heads) or not projective
            assert (heads == 0).sum() == 1 or not single_root
            assert score == pytest.approx(expected.score(tuple(heads)), rel=1e-12)


@pytest.mark.parametrize("projective", [True, False])
def test_same_scores_same_tree(projective: bool) -> None:
    first, _ = DECODERS[projective](np.zeros((31, 31)), True)
    DECODERS[projective](np.random.default_rng(0).normal(size=(50, 50)), True)
    again, _ = DECODERS[projective](np.zeros((31, 31)), True)
    assert (first == again).all()


@pytest.mark.parametrize("projective", [True, False])
def test_long_sentences(projective: bool) -> None:
    n = 300
    heads, score = DECODERS[projective](np.random.default_rng(0).normal(size=(n + 1, n + 1)), True)
    assert is_tree(heads)
    assert (heads == 0).sum() == 1
    assert score > n / 2


def test_non_projective_at_least_projective() -> None:
    arcs = np.random.default_rng(1).normal(size=(41, 41))
    for single_root in (True, False):
        assert (
            native.decode_nonprojective(arcs, single_root)[1]
            >= native.decode_projective(arcs, single_root)[1]
        )
