"""The kernels of trees with larger parts, without a GPU: their lanes take turns on the processor."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
import torch
from batches import KINDS
from emulation import WARP, Emulation, Task
from part_batches import PartBatch, draw_parts
from several_trees import check_best, check_samples

from headwise.torch import chart_memory, part_cpu, part_layout
from headwise.torch.part_problem import Problem

SENTENCES, WORDS = 7, 6


class PartKernels:
    def __init__(self, emulation: Emulation, parts: str, batch: PartBatch, single_root: bool) -> None:
        self._emulation, self._batch, self._single_root = emulation, batch, single_root
        self._grandparents = parts != "siblings"
        self._dtype = next(iter(batch.given.values())).dtype
        self._arcs = batch.arcs.astype(self._dtype)
        self._held: list[Any] = []  # what tasks point to

    def sums(
        self, *directions: dict[str, np.ndarray], marginals: bool = True, lanes: int = 2 * WARP
    ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """log Z, and the marginals of arcs and tables, or their derivative."""
        totals = np.full(len(self._arcs), 7.0, self._dtype)
        tables = {"arcs": self._arcs, **self._batch.given}
        found = {name: np.zeros_like(table) for name, table in tables.items()}
        task, parts = self._task(2 ** len(directions), lanes, marginals=marginals, walks=False)
        task.totals = totals.ctypes.data
        for field, direction in zip(("direction", "second_direction"), directions, strict=False):
            self._held.append(direction)
            setattr(task, field, direction["arcs"].ctypes.data)
            for name in self._batch.given:
                setattr(getattr(parts, name), field, direction[name].ctypes.data)
        if marginals:
            task.marginals = found["arcs"].ctypes.data
            for name in self._batch.given:
                getattr(parts, name).results = found[name].ctypes.data
        self._emulation.run_parts(task, self._dtype.itemsize, 2 ** len(directions), self._grandparents)
        return totals, found

    def trees(self, *, samples: int = 0, best: int = 0, lanes: int = WARP) -> tuple[np.ndarray, np.ndarray]:
        """The best tree, or several: heads and scores."""
        rows = (len(self._arcs), samples or best) if samples or best else (len(self._arcs),)
        heads, scores = np.full((*rows, self._arcs.shape[1] - 1), 77), np.full(rows, 7.0, self._dtype)
        task, _ = self._task(1, lanes, marginals=False, walks=True)
        task.memory_size += chart_memory.best_walks(2 * int(self._batch.lengths.max()) + 1, best)
        task.totals, task.heads, task.seed = scores.ctypes.data, heads.ctypes.data, 5
        task.samples, task.best = samples, best
        self._emulation.run_parts(task, self._dtype.itemsize, 0, self._grandparents)
        return heads, scores

    def _task(
        self, components: int, lanes: int, *, marginals: bool, walks: bool
    ) -> tuple[Task, part_layout.Parts]:
        batch, parts = self._batch, part_layout.Parts()
        lengths, longest = batch.lengths.astype(np.int64), int(batch.lengths.max())
        choices = None if batch.candidates is None else batch.candidates.shape[2]
        parts.choices = batch.arcs.shape[1] if choices is None else choices
        parts.empty_sides = batch.empty_sides
        self._held += [parts, lengths]
        if batch.candidates is not None:
            candidates = np.ascontiguousarray(batch.candidates, dtype=np.int64)
            parts.candidates = candidates.ctypes.data
            self._held.append(candidates)
        for name, given in batch.given.items():
            table = np.ascontiguousarray(given)
            self._held.append(table)
            getattr(parts, name).scores = table.ctypes.data
            part_layout.set_strides(parts, name, table.shape, over_candidates=choices is not None)
        task = self._emulation.task(self._arcs, lengths, self._single_root, lanes)
        task.parts = ctypes.addressof(parts)
        warps = lanes // WARP if walks else 0
        task.memory_size = (
            chart_memory.grand_sibling_trees(
                longest, components, warps, longest + 1 if choices is None else choices, marginals=marginals
            )
            if self._grandparents
            else chart_memory.sibling_trees(longest, components, warps, choices, marginals=marginals)
        )
        return task, parts


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [*((kind, np.float64) for kind in KINDS), ("smooth", np.float32), ("large", np.float32)],
)
def test_sums_and_searches(
    emulation: Emulation, parts: str, single_root: bool, pruned: bool, kind: str, dtype: type
) -> None:
    batch = draw_parts(
        parts, kind, SENTENCES, WORDS, pruned=pruned, empty_sides=kind != "masked", dtype=dtype
    )
    kernels = PartKernels(emulation, parts, batch, single_root)
    tolerance = 1e-9 if dtype == np.float64 else 5e-3 if kind == "large" else 1e-4
    totals, found = kernels.sums()
    alone, _ = kernels.sums(marginals=False)
    heads, best = kernels.trees()
    for b, n in enumerate(batch.lengths):
        trees = batch.sentence(b, single_root)
        assert (heads[b, n if trees else 0 :] == -1).all()
        if trees is None:
            assert totals[b] == alone[b] == best[b] == (-np.inf if n else 0)
            assert all((table[b] == 0).all() for table in found.values())
            continue
        close = {"rtol": tolerance, "atol": tolerance}
        np.testing.assert_allclose([totals[b], alone[b]], trees.log_partition(), **close)
        for name, expected in batch.marginals(b, trees).items():
            np.testing.assert_allclose(found[name][b], expected, err_msg=name, **close)
        score = trees.argmax().score
        assert best[b] == pytest.approx(score, rel=tolerance, abs=tolerance)
        assert trees.log_prob(heads[b, :n]) + trees.log_partition() == pytest.approx(
            score, rel=tolerance, abs=10 * tolerance
        )


def test_derivatives(emulation: Emulation, parts: str, single_root: bool, pruned: bool) -> None:
    """By the lanes of a block as by one thread, which the gradients' own tests compare with differences."""
    batch = draw_parts(parts, "masked", 3, 5, pruned=pruned)
    kernels = PartKernels(emulation, parts, batch, single_root)
    rng = np.random.default_rng(1)
    first, second = (
        {name: rng.normal(size=table.shape) for name, table in (("arcs", batch.arcs), *batch.given.items())}
        for _ in range(2)
    )
    tables = (batch.given.get(name) for name in part_layout.NAMES)
    siblings, grandchildren, grand_siblings = (None if t is None else torch.tensor(t) for t in tables)
    candidates = None if batch.candidates is None else torch.tensor(batch.candidates)
    problem = Problem(
        torch.tensor(batch.arcs),
        (siblings, grandchildren, grand_siblings),
        candidates,
        torch.tensor(batch.lengths),
        single_root,
    )
    directions = []
    for direction in (first, second):
        of_tables = (direction.get(name) for name in part_layout.NAMES)
        a, b, c = (None if t is None else torch.tensor(t) for t in of_tables)
        directions.append((torch.tensor(direction["arcs"]), (a, b, c)))
    for count in (1, 2):
        _, found = kernels.sums(*(first, second)[:count])
        arcs, expected = part_cpu.derivatives(problem, *directions[:count])
        np.testing.assert_allclose(found["arcs"], arcs, atol=1e-12)
        for name, table in zip(part_layout.NAMES, expected, strict=True):
            if table is not None:
                np.testing.assert_allclose(found[name], table, atol=1e-12)


def test_samples(emulation: Emulation, parts: str, single_root: bool, pruned: bool) -> None:
    """Distributed as the trees are, and the same for any number of lanes."""
    batch = draw_parts(parts, "smooth", 2, 4, pruned=pruned)
    kernels = PartKernels(emulation, parts, batch, single_root)
    heads, _ = kernels.trees(samples=300)
    more, _ = kernels.trees(samples=300, lanes=2 * WARP)
    assert (heads == more).all()
    for b, n in enumerate(batch.lengths):
        trees = batch.sentence(b, single_root)
        if trees is not None:
            check_samples(trees, heads[b, :, :n])


@pytest.mark.parametrize("kind", ["smooth", "ties", "sparse"])
def test_best(emulation: Emulation, parts: str, single_root: bool, pruned: bool, kind: str) -> None:
    for words, k in ((6, 10), (3, 40)):
        batch = draw_parts(parts, kind, 4, words, pruned=pruned)
        heads, scores = PartKernels(emulation, parts, batch, single_root).trees(best=k)
        for b, n in enumerate(batch.lengths):
            check_best(batch.sentence(b, single_root), n, heads[b], None, scores[b])
