"""The operators of trees with larger parts, as operators.py has those of arcs alone.

`arcs` is (B, n+1, n+1); `siblings`, `grandchildren` and `grand_siblings` are tables as part_layout.py has
them, over all heads or, with `candidates`, over those; None where parts score nothing. All are contiguous and
of one dtype. Results of tables that are not given are empty.

As of arcs, the gradient of log Z are the marginals, and theirs in a direction is the derivative in that
direction. A direction is one number for each part: a tensor for each table, None where it is zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from headwise.torch import part_cpu, part_cuda
from headwise.torch.operators import operator, register_gradient
from headwise.torch.part_problem import Problem, Tables

_TABLES = "Tensor arcs, Tensor? siblings, Tensor? grandchildren, Tensor? grand_siblings"
_OTHERS = "Tensor? candidates, Tensor lengths, bool single_root"
_FOUR = "Tensor, Tensor, Tensor, Tensor"
_Tensors = tuple[Tensor | None, ...]  # of arcs and tables


def _directions(name: str) -> str:
    return ", ".join(
        f"Tensor? {name}_{table}" for table in ("arcs", "siblings", "grandchildren", "grand_siblings")
    )


def _problem(tables: _Tensors, others: tuple[Any, ...]) -> Problem:
    arcs, siblings, grandchildren, grand_siblings = tables
    candidates, lengths, single_root = others
    assert arcs is not None
    return Problem(arcs, (siblings, grandchildren, grand_siblings), candidates, lengths, single_root)


def _direction(tensors: _Tensors) -> tuple[Tensor | None, Tables]:
    arcs, siblings, grandchildren, grand_siblings = tensors
    return arcs, (siblings, grandchildren, grand_siblings)


def _four(arcs: Tensor, tables: Tables) -> tuple[Tensor, ...]:
    return arcs, *(arcs.new_empty(0) if table is None else table for table in tables)


def _like(tables: _Tensors) -> tuple[Tensor, ...]:
    """Fake results."""
    arcs = tables[0]
    assert arcs is not None
    return tuple(arcs.new_empty(0) if table is None else torch.empty_like(table) for table in tables)


def _define(
    name: str,
    directions: int,
    on_device: Callable[[Any], Callable[..., Any]],
    fake: Callable[..., Any],
    results: str,
) -> Any:
    """An operator on tables, on directions and on what else there is."""
    schema = ", ".join([_TABLES, *map(_directions, ("first", "second")[:directions]), _OTHERS])

    def run(module: Any) -> Callable[..., Any]:
        operation = on_device(module)

        def on_tensors(*arguments: Any) -> Any:
            tables, others = arguments[:4], arguments[4 + 4 * directions :]
            given = [_direction(arguments[4 * k + 4 : 4 * k + 8]) for k in range(directions)]
            return operation(_problem(tables, others), *given)

        return on_tensors

    return operator(name, f"({schema}) -> {results}", run(part_cpu), run(part_cuda), fake)


def _sums_on(module: Any) -> Callable[[Problem], tuple[Tensor, ...]]:
    def sums(problem: Problem) -> tuple[Tensor, ...]:
        total, arcs, tables = module.sums(problem)
        return total, *_four(arcs, tables)

    return sums


def _derivatives_on(module: Any) -> Callable[..., tuple[Tensor, ...]]:
    return lambda problem, *directions: _four(*module.derivatives(problem, *directions))


argmax = _define(
    "part_argmax",
    0,
    lambda module: module.argmax,
    lambda arcs, *rest: (
        rest[-2].new_empty((arcs.shape[0], arcs.shape[1] - 1)),
        arcs.new_empty(arcs.shape[0]),
    ),
    "(Tensor, Tensor)",
)
log_partition = _define(
    "part_log_partition",
    0,
    lambda module: module.log_partition,
    lambda arcs, *rest: arcs.new_empty(arcs.shape[0]),
    "Tensor",
)
sums = _define(
    "part_sums",
    0,
    _sums_on,
    lambda arcs, *rest: (arcs.new_empty(arcs.shape[0]), *_like((arcs, *rest[:3]))),
    f"(Tensor, {_FOUR})",
)
derivative = _define("part_derivative", 1, _derivatives_on, lambda *all: _like(all[:4]), f"({_FOUR})")
second_derivative = _define(
    "part_second_derivative", 2, _derivatives_on, lambda *all: _like(all[:4]), f"({_FOUR})"
)


def _as_directions(tables: _Tensors, gradients: tuple[Tensor | None, ...]) -> _Tensors:
    """Gradients of results; tables that are not given have none."""
    return tuple(
        None if table is None or gradient is None else gradient.contiguous()
        for table, gradient in zip(tables, gradients, strict=True)
    )


def _of_given(tables: _Tensors, results: tuple[Tensor, ...]) -> tuple[Tensor | None, ...]:
    return tuple(None if table is None else result for table, result in zip(tables, results, strict=True))


class _Sums(Function):
    @staticmethod
    def forward(ctx: Any, *arguments: Any) -> tuple[Tensor, ...]:
        with torch._C._AutoDispatchBelowAutograd():
            total, *marginals = sums(*arguments)
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*arguments[:6], *marginals)
        ctx.single_root = arguments[6]
        return total, *marginals

    @staticmethod
    def backward(ctx: Any, of_total: Tensor | None, *of_marginals: Tensor | None) -> tuple[Any, ...]:
        saved = ctx.saved_tensors
        tables, others, marginals = saved[:4], (*saved[4:6], ctx.single_root), saved[6:]
        gradients: list[Tensor | None] = [None] * 4
        if of_total is not None:
            for k, table in enumerate(tables):
                if table is not None and ctx.needs_input_grad[k]:
                    gradients[k] = of_total.view(-1, *(1,) * (table.ndim - 1)) * marginals[k]
        directions = _as_directions(tables, of_marginals)
        if any(direction is not None for direction in directions):
            seconds = _of_given(tables, derivative(*tables, *directions, *others))
            for k, second in enumerate(seconds):
                first = gradients[k]
                gradients[k] = second if first is None or second is None else first + second
        return *gradients, None, None, None


class _Derivative(Function):
    @staticmethod
    def forward(ctx: Any, *arguments: Any) -> tuple[Tensor, ...]:
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*arguments[:10])
        ctx.single_root = arguments[10]
        with torch._C._AutoDispatchBelowAutograd():
            results: tuple[Tensor, ...] = derivative(*arguments)
        return results

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Any, ...]:
        saved = ctx.saved_tensors
        tables, directions, others = saved[:4], saved[4:8], (*saved[8:10], ctx.single_root)
        towards = _as_directions(tables, gradients)
        of_tables: _Tensors = (None,) * 4
        of_directions: _Tensors = (None,) * 4
        if any(direction is not None for direction in towards):
            if any(ctx.needs_input_grad[:4]):
                of_tables = _of_given(tables, second_derivative(*tables, *directions, *towards, *others))
            if any(ctx.needs_input_grad[4:8]):
                of_directions = _of_given(directions, derivative(*tables, *towards, *others))
        return *of_tables, *of_directions, None, None, None


class _SecondDerivative(Function):
    @staticmethod
    def forward(ctx: Any, *arguments: Any) -> tuple[Tensor, ...]:
        with torch._C._AutoDispatchBelowAutograd():
            results: tuple[Tensor, ...] = second_derivative(*arguments)
        return results

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Any, ...]:
        raise NotImplementedError("the marginals of trees may be differentiated twice, and no further")


register_gradient("part_sums", sums, _Sums)
register_gradient("part_derivative", derivative, _Derivative)
register_gradient("part_second_derivative", second_derivative, _SecondDerivative)
