"""The operators on a CPU, by the native core: sentences side by side on PyTorch's threads."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from headwise._native import trees as native


def argmax(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> tuple[Tensor, Tensor]:
    batch, width, _ = scores.shape
    heads = torch.empty((batch, width - 1), dtype=torch.int64)
    best = torch.empty(batch, dtype=scores.dtype)
    native.padded_argmax(*_inputs(scores, lengths, projective, single_root), heads.numpy(), best.numpy())
    return heads, best


def log_partition(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> Tensor:
    total = torch.empty(scores.shape[0], dtype=scores.dtype)
    native.padded_sums(*_inputs(scores, lengths, projective, single_root), total.numpy(), None)
    return total


def sums(scores: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> tuple[Tensor, Tensor]:
    total = torch.empty(scores.shape[0], dtype=scores.dtype)
    marginals = torch.empty_like(scores)
    native.padded_sums(*_inputs(scores, lengths, projective, single_root), total.numpy(), marginals.numpy())
    return total, marginals


def derivative(
    scores: Tensor, lengths: Tensor, direction: Tensor, projective: bool, single_root: bool
) -> Tensor:
    result = torch.empty_like(scores)
    native.padded_derivatives(
        *_inputs(scores, lengths, projective, single_root), direction.numpy(), None, result.numpy()
    )
    return result


def second_derivative(
    scores: Tensor, lengths: Tensor, first: Tensor, second: Tensor, projective: bool, single_root: bool
) -> Tensor:
    result = torch.empty_like(scores)
    native.padded_derivatives(
        *_inputs(scores, lengths, projective, single_root), first.numpy(), second.numpy(), result.numpy()
    )
    return result


def top_k(
    scores: Tensor, lengths: Tensor, k: int, projective: bool, single_root: bool
) -> tuple[Tensor, Tensor]:
    batch, width, _ = scores.shape
    heads = torch.empty((batch, k, width - 1), dtype=torch.int64)
    best = torch.empty((batch, k), dtype=scores.dtype)
    native.padded_top_k(*_inputs(scores, lengths, projective, single_root), k, heads.numpy(), best.numpy())
    return heads, best


def label_top_k(
    arcs: Tensor, lengths: Tensor, trees: Tensor, tree_scores: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Heads, labels and scores of the best trees with labels, from the best trees."""
    heads, labels, best = torch.empty_like(trees), torch.empty_like(trees), torch.empty_like(tree_scores)
    native.padded_label_top_k(
        arcs.numpy(),
        lengths.numpy(),
        _threads(*arcs.shape[:2]),
        trees.numpy(),
        tree_scores.numpy(),
        heads.numpy(),
        labels.numpy(),
        best.numpy(),
    )
    return heads, labels, best


def sample(scores: Tensor, lengths: Tensor, k: int, seed: int, projective: bool, single_root: bool) -> Tensor:
    batch, width, _ = scores.shape
    heads = torch.empty((batch, k, width - 1), dtype=torch.int64)
    native.padded_sample(*_inputs(scores, lengths, projective, single_root), k, seed % 2**64, heads.numpy())
    return heads


def is_tree(heads: Tensor, lengths: Tensor, projective: bool, single_root: bool) -> Tensor:
    result = torch.empty(heads.shape[0], dtype=torch.bool)
    native.padded_is_tree(heads.numpy(), lengths.numpy(), projective, single_root, result.numpy())
    return result


def _inputs(
    scores: Tensor, lengths: Tensor, projective: bool, single_root: bool
) -> tuple[Any, Any, bool, bool, int]:
    return scores.numpy(), lengths.numpy(), projective, single_root, _threads(*scores.shape[:2])


def _threads(sentences: int, nodes: int) -> int:
    """As many as PyTorch has, where each has work for longer than it takes to start."""
    seconds = sentences * (2e-6 + 1e-9 * nodes**3)
    return max(1, min(int(torch.get_num_threads()), int(seconds / 1e-4)))
