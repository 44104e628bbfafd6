"""The operators of trees with larger parts on a CPU, by the native core, in float64."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from headwise._native import trees as native
from headwise.torch.part_problem import NO_TABLES, Problem, Tables, each_table


def argmax(problem: Problem) -> tuple[Tensor, Tensor]:
    batch, width, _ = problem.arcs.shape
    heads = torch.full((batch, width - 1), -1, dtype=torch.int64)
    best = torch.zeros(batch, dtype=torch.float64)
    _padded(problem).argmax(_threads(problem), heads.numpy(), best.numpy())
    return heads, best.to(problem.arcs.dtype)


def log_partition(problem: Problem) -> Tensor:
    return sums(problem)[0]


def sums(problem: Problem) -> tuple[Tensor, Tensor, Tables]:
    total = torch.zeros(problem.arcs.shape[0], dtype=torch.float64)
    arcs, tables = problem.zeros(torch.float64)
    _padded(problem).sums(_threads(problem), total.numpy(), arcs.numpy(), _arrays(tables))
    return total.to(problem.arcs.dtype), *_as_given(problem, arcs, tables)


def derivatives(problem: Problem, *directions: tuple[Tensor | None, Tables]) -> tuple[Tensor, Tables]:
    """In one direction, or the second in two; of arcs, and of tables."""
    arcs, tables = problem.zeros(torch.float64)
    (first, firsts), (second, seconds) = (*directions, (None, NO_TABLES))[:2]
    _padded(problem).derivatives(
        _threads(problem),
        *_directions(first, firsts),
        *_directions(second, seconds),
        arcs.numpy(),
        _arrays(tables),
    )
    return _as_given(problem, arcs, tables)


def sample(problem: Problem, k: int, seed: int) -> Tensor:
    batch, width, _ = problem.arcs.shape
    heads = torch.full((batch, k, width - 1), -1, dtype=torch.int64)
    _padded(problem).sample(_threads(problem), k, seed % 2**64, heads.numpy())
    return heads


def _padded(problem: Problem) -> native.PaddedParts:
    candidates = None if problem.candidates is None else problem.candidates.numpy()
    return native.PaddedParts(
        problem.arcs.double().numpy(),
        _arrays(problem.tables),
        candidates,
        problem.lengths.numpy(),
        problem.single_root,
    )


def _arrays(tables: Tables) -> list[Any]:
    return [None if table is None else table.double().numpy() for table in tables]


def _directions(arcs: Tensor | None, tables: Tables) -> tuple[Any, list[Any]]:
    return None if arcs is None else arcs.double().numpy(), _arrays(tables)


def _as_given(problem: Problem, arcs: Tensor, tables: Tables) -> tuple[Tensor, Tables]:
    dtype = problem.arcs.dtype
    return arcs.to(dtype), each_table(tables, lambda table: table.to(dtype))


def _threads(problem: Problem) -> int:
    """As many as PyTorch has, where each has work for longer than it takes to start."""
    sentences, nodes, _ = problem.arcs.shape
    seconds = sentences * (1e-5 + 5e-9 * nodes**3)
    return max(1, min(int(torch.get_num_threads()), int(seconds / 1e-4)))
