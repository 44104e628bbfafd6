"""The kernels themselves, without a GPU: their lanes take turns on the processor (emulated_lanes.hpp)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from batches import KINDS, draw, draw_lengths, sentences_of
from emulation import WARP, Emulation
from several_trees import check_best, check_samples

from headwise.torch import chart_memory, cpu, cuda


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
        best: int = 0,
        lanes: int = WARP,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The best tree, or several: heads and scores."""
        rows = (len(scores), samples or best) if samples or best else (len(scores),)
        totals, heads = np.full(rows, 7.0, scores.dtype), np.full((*rows, scores.shape[1] - 1), 77)
        task = self._emulation.task(scores, lengths, single_root, lanes)
        kernels = cuda.ArcKernels(
            "SAMPLE" if samples else "TOP_K" if best else "ARGMAX", 1, structure == "projective", False, best
        )
        task.memory_size = kernels.numbers(int(lengths.max()), lanes // WARP * 32)
        task.totals, task.heads, task.seed = totals.ctypes.data, heads.ctypes.data, 5
        task.samples, task.best = samples, best
        self._emulation.run(task, scores.itemsize, 0, structure == "projective")
        return heads, totals

    def labelled(
        self, arcs: np.ndarray, lengths: np.ndarray, structure: str, single_root: bool, best: int
    ) -> Any:
        """The best trees with labels: heads, labels, scores."""
        heads, totals = self.trees(
            np.ascontiguousarray(arcs.max(axis=3)), lengths, structure, single_root, best=best
        )
        labels = np.full_like(heads, 77)
        task = self._emulation.task(arcs, lengths, single_root, WARP)
        task.memory_size = chart_memory.label_top_k(int(lengths.max()), best)
        task.totals, task.heads, task.best = totals.ctypes.data, heads.ctypes.data, best
        self._emulation.run_labels(task, arcs.itemsize, arcs.shape[3], labels)
        return heads, labels, totals


@pytest.fixture
def kernels(emulation: Emulation) -> Kernels:
    return Kernels(emulation)


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


@pytest.mark.parametrize("kind", ["smooth", "sparse", "large"])
def test_samples(kernels: Kernels, structure: str, single_root: bool, kind: str) -> None:
    """Distributed as the trees are, and the same for any number of lanes."""
    scores, lengths = draw(kind, 3, 4), np.array([4, 3, 0])
    heads, _ = kernels.trees(scores, lengths, structure, single_root, samples=300)
    more, _ = kernels.trees(scores, lengths, structure, single_root, samples=300, lanes=2 * WARP)
    assert (heads == more).all()
    sentences = sentences_of(structure, scores, lengths, single_root, torch.float64)
    for b, (trees, n) in enumerate(zip(sentences.trees, lengths, strict=True)):
        assert (heads[b, :, n if trees else 0 :] == -1).all()
        if trees:
            check_samples(trees, heads[b, :, :n])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["float64", "float32"])
def test_best(kernels: Kernels, structure: str, single_root: bool, kind: str, dtype: torch.dtype) -> None:
    """Few of many trees, and more than there are."""
    for words, k in ((7, 12), (3, 40)):
        lengths = draw_lengths(5, words)
        scores = torch.tensor(draw(kind, 5, words), dtype=dtype).numpy()
        sentences = sentences_of(structure, scores, lengths, single_root, dtype)
        heads, best = kernels.trees(scores, lengths, structure, single_root, best=k)
        tolerance = 1e-9 if dtype == torch.float64 else 1e-4
        for b, (trees, n) in enumerate(zip(sentences.trees, lengths, strict=True)):
            check_best(trees, n, heads[b], None, best[b], tolerance)


@pytest.mark.parametrize("kind", ["smooth", "ties", "sparse"])
def test_best_with_labels(kernels: Kernels, structure: str, single_root: bool, kind: str) -> None:
    for words, k in ((5, 12), (2, 40)):
        arcs, lengths = draw(kind, 4, words, 3), draw_lengths(4, words)
        sentences = sentences_of(structure, arcs, lengths, single_root, torch.float64)
        heads, labels, best = kernels.labelled(arcs, lengths, structure, single_root, k)
        for b, (trees, n) in enumerate(zip(sentences.trees, lengths, strict=True)):
            check_best(trees, n, heads[b], labels[b], best[b])


def test_best_of_scores_that_are_none(kernels: Kernels, structure: str, single_root: bool) -> None:
    scores = draw("smooth", 2, 4)
    scores[0, 2, 3] = np.nan
    heads, best = kernels.trees(scores, np.array([4, 4]), structure, single_root, best=3)
    assert np.isnan(best[0]).all()
    assert (heads[0] == -1).all()
    assert np.isfinite(best[1]).all()
