"""The operators of PyTorch that everything else is made of: on CPU and CUDA, with fake tensors and gradients.

`scores` is (B, n+1, n+1), contiguous, float32 or float64; `lengths` (B,), int64, on the same device. Sentences without a
tree have −inf for log Z and the best score, probabilities 0 and heads −1; where scores are NaN or +inf, or a length is
none, NaN and −1.

The gradient of log Z are the marginals; theirs in turn, in a direction, is `derivative`, which is symmetric: the gradient
of ⟨g, marginals⟩ is the derivative of the marginals in the direction g. So log Z may be differentiated three times.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from headwise.torch import cpu, cuda

_NAMESPACE = "headwise"


def _operator(name: str, on_cpu: Callable[..., Any], on_cuda: Callable[..., Any], schema: str) -> Any:
    operator = torch.library.custom_op(
        f"{_NAMESPACE}::{name}", on_cpu, mutates_args=(), device_types="cpu", schema=schema
    )
    operator.register_kernel("cuda")(on_cuda)
    return operator


_TREES = "Tensor scores, Tensor lengths, bool projective, bool single_root"

argmax = _operator("argmax", cpu.argmax, cuda.argmax, f"({_TREES}) -> (Tensor, Tensor)")
log_partition = _operator("log_partition", cpu.log_partition, cuda.log_partition, f"({_TREES}) -> Tensor")
sums = _operator("sums", cpu.sums, cuda.sums, f"({_TREES}) -> (Tensor, Tensor)")
derivative = _operator(
    "derivative",
    cpu.derivative,
    cuda.derivative,
    "(Tensor scores, Tensor lengths, Tensor direction, bool projective, bool single_root) -> Tensor",
)
second_derivative = _operator(
    "second_derivative",
    cpu.second_derivative,
    cuda.second_derivative,
    "(Tensor scores, Tensor lengths, Tensor first, Tensor second, bool projective, bool single_root) -> Tensor",
)
is_tree = _operator(
    "is_tree",
    cpu.is_tree,
    cuda.is_tree,
    "(Tensor heads, Tensor lengths, bool projective, bool single_root) -> Tensor",
)


@argmax.register_fake
def _(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> tuple[Tensor, Tensor]:
    batch, width, _ = scores.shape
    return lengths.new_empty((batch, width - 1)), scores.new_empty(batch)


@log_partition.register_fake
def _(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> Tensor:
    return scores.new_empty(scores.shape[0])


@sums.register_fake
def _(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> tuple[Tensor, Tensor]:
    return scores.new_empty(scores.shape[0]), torch.empty_like(scores)


@derivative.register_fake
def _(scores: Tensor, lengths: Tensor, direction: Tensor, projective: bool, single_root: bool) -> Tensor:
    return torch.empty_like(scores)


@second_derivative.register_fake
def _(
    scores: Tensor, lengths: Tensor, first: Tensor, second: Tensor, projective: bool, single_root: bool
) -> Tensor:
    return torch.empty_like(scores)


@is_tree.register_fake
def _(heads: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> Tensor:
    return torch.empty(heads.shape[0], dtype=torch.bool, device=heads.device)


def _save_sums(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    scores, lengths, ctx.projective, ctx.single_root = inputs
    ctx.set_materialize_grads(False)  # most ask for one of the two, and the other costs
    ctx.save_for_backward(scores, lengths, output[1])


def _sums_backward(ctx: Any, of_total: Tensor | None, of_marginals: Tensor | None) -> tuple[Any, ...]:
    scores, lengths, marginals = ctx.saved_tensors
    gradient: Tensor | None = None
    if of_total is not None:
        gradient = of_total[:, None, None] * marginals
    if of_marginals is not None:
        second = derivative(scores, lengths, of_marginals.contiguous(), ctx.projective, ctx.single_root)
        gradient = second if gradient is None else gradient + second
    return gradient, None, None, None


def _save_derivative(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    scores, lengths, direction, ctx.projective, ctx.single_root = inputs
    ctx.save_for_backward(scores, lengths, direction)


def _derivative_backward(ctx: Any, gradient: Tensor) -> tuple[Any, ...]:
    scores, lengths, direction = ctx.saved_tensors
    towards = gradient.contiguous()
    of_scores = of_direction = None
    if ctx.needs_input_grad[0]:
        of_scores = second_derivative(
            scores, lengths, direction, towards, ctx.projective, ctx.single_root
        )
    if ctx.needs_input_grad[2]:
        of_direction = derivative(scores, lengths, towards, ctx.projective, ctx.single_root)
    return of_scores, None, of_direction, None, None


sums.register_autograd(_sums_backward, setup_context=_save_sums)
derivative.register_autograd(_derivative_backward, setup_context=_save_derivative)
