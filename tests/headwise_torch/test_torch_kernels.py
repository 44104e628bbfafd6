"""The kernels themselves, without a GPU: their lanes take turns on the processor (emulated_lanes.hpp)."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from batches import KINDS, STRUCTURES, draw, draw_lengths, sentences_of
from emulation import WARP, Emulation

from headwise.torch import chart_memory, cpu


class Kernels:
    def __init__(self, emulation: Emulation) -> None:
        self._emulation = emulation

    def sums(
        self,
        scores: np.ndarray,
        lengths: np.ndarray,
        structure: str,
        single_root: bool,
        *directions: np.ndarray,
        marginals: bool = True,
        lanes: int = 2 * WARP,
    ) -> tuple[np.ndarray, np.ndarray]:
        totals, probabilities = np.full(len(scores), 7.0, scores.dtype), np.full_like(scores, 7.0)
        projective = structure == "projective"
        count = chart_memory.projective_sums if projective else chart_memory.spanning_sums
        components = 2 ** len(directions)
        task = self._emulation.task(scores, lengths, single_root, lanes)
        task.memory_size = count(int(lengths.max()), components, marginals=marginals)
        task.totals = totals.ctypes.data
        task.marginals = probabilities.ctypes.data if marginals else None
        if directions:
            task.direction = directions[0].ctypes.data
        if len(directions) > 1:
            task.second_direction = directions[1].ctypes.data
        self._emulation.run(task, scores.itemsize, components, projective)
        return totals, probabilities

    def trees(
        self,
        scores: np.ndarray,
        lengths: np.ndarray,
        structure: str,
        single_root: bool,
        *,
        samples: int = 0,
        lanes: int = WARP,
    ) -> tuple[np.ndarray, np.ndarray]:
        sentences, words = len(scores), scores.shape[1] - 1
        shape = (sentences, samples, words) if samples else (sentences, words)
        totals, heads = np.full(sentences, 7.0, scores.dtype), np.full(shape, 77)
        longest = int(lengths.max())
        task = self._emulation.task(scores, lengths, single_root, lanes)
        if samples:
            task.memory_size = chart_memory.projective_sample(longest, lanes // WARP)
        elif structure == "projective":
            task.memory_size = chart_memory.projective_argmax(longest)
        else:
            task.memory_size = chart_memory.spanning_argmax(longest)
        task.totals, task.heads, task.samples, task.seed = totals.ctypes.data, heads.ctypes.data, samples, 5
        self._emulation.run(task, scores.itemsize, 0, structure == "projective")
        return heads, totals


@pytest.fixture
def kernels(emulation: Emulation) -> Kernels:
    return Kernels(emulation)


@pytest.fixture(params=list(STRUCTURES))
def structure(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[True, False], ids=["one-root", "many-roots"])
def single_root(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
def test_sums_and_searches(
    kernels: Kernels, structure: str, single_root: bool, kind: str, dtype: torch.dtype
) -> None:
    lengths = draw_lengths(8, 6)
    scores = torch.tensor(draw(kind, 8, 6), dtype=dtype).numpy()
    sentences = sentences_of(structure, scores, lengths, single_root, dtype)
    tolerance = 1e-9 if dtype == torch.float64 else 2e-3 if kind == "large" else 3e-5
    expected = sentences.expected("log_partition")
    totals, marginals = kernels.sums(scores, lengths, structure, single_root)
    np.testing.assert_allclose(totals, expected, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(marginals, sentences.marginals(), rtol=tolerance, atol=tolerance)
    alone, _ = kernels.sums(scores, lengths, structure, single_root, marginals=False)
    np.testing.assert_allclose(alone, expected, rtol=tolerance, atol=tolerance)
    heads, best = kernels.trees(scores, lengths, structure, single_root)
    for b, (tree, n) in enumerate(zip(sentences.trees, lengths, strict=True)):
        assert (heads[b, n if tree else 0 :] == -1).all()
        if tree is None:
            assert best[b] == (-np.inf if n else 0)
            continue
        score = tree.argmax().score
        assert best[b] == pytest.approx(score, rel=tolerance, abs=tolerance)
        assert tree.log_prob(heads[b, :n]) + tree.log_partition() == pytest.approx(
            score, rel=tolerance, abs=10 * tolerance
        )


def test_derivatives(kernels: Kernels, structure: str, single_root: bool) -> None:
    """By the lanes of a block as by one thread, which the gradients' own tests compare with differences."""
    scores, lengths = draw("masked", 4, 6), draw_lengths(4, 6)
    first, second = draw("smooth", 4, 6, seed=1), draw("smooth", 4, 6, seed=2)
    _, found = kernels.sums(scores, lengths, structure, single_root, first)
    tensors = [torch.tensor(array) for array in (scores, lengths, first, second)]
    projective = structure == "projective"
    expected = cpu.derivative(*tensors[:3], projective, single_root)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    _, found = kernels.sums(scores, lengths, structure, single_root, first, second)
    expected = cpu.second_derivative(*tensors, projective, single_root)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_samples_do_not_depend_on_the_number_of_lanes(kernels: Kernels, single_root: bool) -> None:
    scores, lengths = draw("smooth", 2, 4), np.array([4, 3])
    heads, _ = kernels.trees(scores, lengths, "projective", single_root, samples=1000)
    more, _ = kernels.trees(scores, lengths, "projective", single_root, samples=1000, lanes=2 * WARP)
    assert (heads == more).all()
    expected = sentences_of("projective", scores, lengths, single_root, torch.float64).marginals()
    frequency = np.zeros_like(scores)
    for b, n in enumerate(lengths):
        for tree in heads[b, :, :n]:
            frequency[b, tree, np.arange(1, n + 1)] += 1 / 1000
    assert np.abs(frequency - expected).max() < 0.08  # 5 standard deviations
