"""Distributions over dependency trees on batches of tensors, differentiable, on CPUs and GPUs.

The verbs are those of `headwise.trees` over padded batches, first order or with larger parts::

    from headwise.torch import ProjectiveTrees, SpanningTrees

    trees = ProjectiveTrees(arcs, lengths, single_root=True)  # arcs[sentence, head, modifier]
    loss = -trees.log_prob(gold_heads).mean()
    loss.backward()
    trees.argmax().heads, trees.marginals().arcs, trees.entropy(), trees.sample(3, seed=1).heads

Tensors on a CPU go to the native core, those on a CUDA device to kernels that PyTorch's own NVRTC compiles.
This module needs PyTorch (`pip install headwise[torch]`); nothing else in Headwise imports it.
"""

try:
    import torch as _torch  # noqa: F401
except ImportError as error:
    raise ImportError("headwise.torch needs PyTorch: pip install headwise[torch]") from error

from headwise.torch.distribution import Distribution, Marginals, Solution
from headwise.torch.projective import ProjectiveTrees
from headwise.torch.spanning import SpanningTrees

__all__ = ["Distribution", "Marginals", "ProjectiveTrees", "Solution", "SpanningTrees"]
