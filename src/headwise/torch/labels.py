"""Labels of arcs: summed or maximized out before trees are searched, and put back in afterwards."""

from __future__ import annotations

import torch
from torch import Tensor


def log_sum(arcs: Tensor) -> Tensor:
    """log Σ exp over labels; −inf, with gradient 0, where no label is allowed."""
    top = arcs.detach().amax(dim=-1, keepdim=True)
    top = torch.where(top > -torch.inf, top, 0)
    total = (arcs - top).exp().sum(dim=-1)
    possible = total != 0  # NaN is
    return torch.where(possible, torch.where(possible, total, 1).log() + top.squeeze(-1), -torch.inf)


def shares(arcs: Tensor, sums: Tensor) -> Tensor:
    """The probability of each label of an arc, given the arc."""
    possible = sums > -torch.inf
    return (arcs - torch.where(possible, sums, 0).unsqueeze(-1)).exp() * possible.unsqueeze(-1)


def of_heads(arcs: Tensor, heads: Tensor) -> Tensor:
    """The scores of the arcs, or of all labels of the arcs, into each word: (B, …, n) or (B, …, n, L).

    heads is (B, …, n); −1 is read as the root, and whoever asks takes those words out.
    """
    batch, width = arcs.shape[:2]
    extra = (1,) * (heads.ndim - 2)
    sentence = torch.arange(batch, device=arcs.device).view(batch, *extra, 1)
    word = torch.arange(1, width, device=arcs.device).view(*(1,) * (heads.ndim - 1), width - 1)
    return arcs[sentence, heads.clamp(min=0), word]
