"""The operators of PyTorch that everything else is made of: on CPU and CUDA, with fake tensors and gradients.

`scores` is (B, n+1, n+1), contiguous, float32 or float64; `lengths` (B,), int64, on the same device.
Sentences without a tree have −inf for log Z and the best score, probabilities 0 and heads −1; where scores
are NaN or +inf, or a length is none, NaN and −1.

The gradient of log Z are the marginals; theirs in turn, in a direction, is `derivative`, which is
symmetric: the gradient of ⟨g, marginals⟩ is the derivative of the marginals in the direction g. So log Z
may be differentiated three times.

They are registered one dispatch key at a time, and not by torch.library.custom_op, whose wrappers take
longer than a kernel over thousands of sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from headwise.torch import cpu, cuda

_LIBRARY = torch.library.Library("headwise", "DEF")
_TREES = "Tensor scores, Tensor lengths, bool projective, bool single_root"


def operator(
    name: str, schema: str, on_cpu: Callable[..., Any], on_cuda: Callable[..., Any], fake: Callable[..., Any]
) -> Any:
    _LIBRARY.define(f"{name}{schema}", tags=(torch.Tag.pt2_compliant_tag,))
    _LIBRARY.impl(name, on_cpu, "CPU")
    _LIBRARY.impl(name, on_cuda, "CUDA")
    torch.library.register_fake(f"headwise::{name}", fake, lib=_LIBRARY)
    return getattr(torch.ops.headwise, name).default


def register_gradient(name: str, operator: Any, function: type[Function]) -> None:
    def with_gradient(*arguments: Any) -> Any:
        if torch.is_grad_enabled():
            for argument in arguments:
                if isinstance(argument, Tensor) and argument.requires_grad:
                    return function.apply(*arguments)
        with torch._C._AutoDispatchBelowAutograd():
            return operator(*arguments)

    _LIBRARY.impl(name, with_gradient, "Autograd")


argmax = operator(
    "argmax",
    f"({_TREES}) -> (Tensor, Tensor)",
    cpu.argmax,
    cuda.argmax,
    lambda scores, lengths, projective, single_root: (
        lengths.new_empty((scores.shape[0], scores.shape[1] - 1)),
        scores.new_empty(scores.shape[0]),
    ),
)
log_partition = operator(
    "log_partition",
    f"({_TREES}) -> Tensor",
    cpu.log_partition,
    cuda.log_partition,
    lambda scores, lengths, projective, single_root: scores.new_empty(scores.shape[0]),
)
sums = operator(
    "sums",
    f"({_TREES}) -> (Tensor, Tensor)",
    cpu.sums,
    cuda.sums,
    lambda scores, lengths, projective, single_root: (
        scores.new_empty(scores.shape[0]),
        torch.empty_like(scores),
    ),
)
derivative = operator(
    "derivative",
    "(Tensor scores, Tensor lengths, Tensor direction, bool projective, bool single_root) -> Tensor",
    cpu.derivative,
    cuda.derivative,
    lambda scores, lengths, direction, projective, single_root: torch.empty_like(scores),
)
second_derivative = operator(
    "second_derivative",
    "(Tensor scores, Tensor lengths, Tensor first, Tensor second, bool projective, bool single_root)"
    " -> Tensor",
    cpu.second_derivative,
    cuda.second_derivative,
    lambda scores, lengths, first, second, projective, single_root: torch.empty_like(scores),
)
is_tree = operator(
    "is_tree",
    "(Tensor heads, Tensor lengths, bool projective, bool single_root) -> Tensor",
    cpu.is_tree,
    cuda.is_tree,
    lambda heads, lengths, projective, single_root: heads.new_empty(heads.shape[0], dtype=torch.bool),
)


def is_plain(tensor: Tensor) -> bool:
    """Whether nothing but autograd listens to what is done to a tensor: no compiler, mode or transform."""
    return (
        not torch.compiler.is_compiling()
        and type(tensor) in (Tensor, torch.nn.Parameter)
        and not torch._C._len_torch_dispatch_stack()
        and torch._C._functorch.peek_interpreter_stack() is None
    )


def _on_device(tensor: Tensor) -> Any:
    return cuda if tensor.device.type == "cuda" else cpu


def quick_sums(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> tuple[Tensor, Tensor]:
    """`sums`, past PyTorch's dispatcher where that may be: it takes longer than the kernel's own launch."""
    if not is_plain(scores):
        run = sums
    elif torch.is_grad_enabled() and scores.requires_grad:
        run = _Sums.apply
    else:
        run = _on_device(scores).sums
    found: tuple[Tensor, Tensor] = run(scores, lengths, projective, single_root)
    return found


class _Sums(Function):
    @staticmethod
    def forward(
        ctx: Any, scores: Tensor, lengths: Tensor, projective: bool, single_root: bool
    ) -> tuple[Tensor, Tensor]:
        if is_plain(scores):
            total, marginals = _on_device(scores).sums(scores, lengths, projective, single_root)
        else:
            with torch._C._AutoDispatchBelowAutograd():
                total, marginals = sums(scores, lengths, projective, single_root)
        ctx.set_materialize_grads(False)  # most ask for one of the two, and the other costs
        ctx.save_for_backward(scores, lengths, marginals)
        ctx.trees = projective, single_root
        return total, marginals

    @staticmethod
    def backward(ctx: Any, of_total: Tensor | None, of_marginals: Tensor | None) -> tuple[Any, ...]:
        scores, lengths, marginals = ctx.saved_tensors
        gradient: Tensor | None = None
        if of_total is not None:
            gradient = of_total.view(-1, 1, 1) * marginals
        if of_marginals is not None:
            second = derivative(scores, lengths, of_marginals.contiguous(), *ctx.trees)
            gradient = second if gradient is None else gradient + second
        return gradient, None, None, None


class _Derivative(Function):
    @staticmethod
    def forward(
        ctx: Any, scores: Tensor, lengths: Tensor, direction: Tensor, projective: bool, single_root: bool
    ) -> Tensor:
        ctx.save_for_backward(scores, lengths, direction)
        ctx.trees = projective, single_root
        with torch._C._AutoDispatchBelowAutograd():
            result: Tensor = derivative(scores, lengths, direction, projective, single_root)
        return result

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Any, ...]:
        scores, lengths, direction = ctx.saved_tensors
        towards = gradient.contiguous()
        of_scores = of_direction = None
        if ctx.needs_input_grad[0]:
            of_scores = second_derivative(scores, lengths, direction, towards, *ctx.trees)
        if ctx.needs_input_grad[2]:
            of_direction = derivative(scores, lengths, towards, *ctx.trees)
        return of_scores, None, of_direction, None, None


class _SecondDerivative(Function):
    @staticmethod
    def forward(ctx: Any, *arguments: Any) -> Tensor:
        with torch._C._AutoDispatchBelowAutograd():
            result: Tensor = second_derivative(*arguments)
        return result

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Any, ...]:
        raise NotImplementedError("the marginals of trees may be differentiated twice, and no further")


register_gradient("sums", sums, _Sums)
register_gradient("derivative", derivative, _Derivative)
register_gradient("second_derivative", second_derivative, _SecondDerivative)
