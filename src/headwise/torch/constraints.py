"""Which trees there are: masks and partial trees, as −inf among the scores of arcs."""

from __future__ import annotations

import torch
from torch import Tensor

from headwise.torch import checks


def with_mask(arcs: Tensor, mask: Tensor | None) -> Tensor:
    """Forbids the arcs, or labelled arcs, where the mask is false."""
    if mask is None:
        return arcs
    if mask.dtype != torch.bool:
        raise ValueError(f"mask must be booleans (true: allowed), not {mask.dtype}")
    checks.on_device("mask", mask, arcs.device)
    if mask.shape not in (arcs.shape[:3], arcs.shape):
        raise ValueError(f"mask must have shape {tuple(arcs.shape[:3])}, not {tuple(mask.shape)}")
    allowed = mask if mask.ndim == arcs.ndim else mask.unsqueeze(-1)
    return arcs.masked_fill(~allowed, -torch.inf)


def with_partial_heads(arcs: Tensor, heads: Tensor | None) -> Tensor:
    """Forbids all arcs into a word whose head is given, but for that from it (−1: any head)."""
    if heads is None:
        return arcs
    words = arcs.shape[1] - 1
    checks.integers("partial_heads", heads, (arcs.shape[0], words), arcs.device)
    checks.within("partial_heads", heads, -1, words)
    known = torch.nn.functional.pad(heads.long(), (1, 0), value=-1)[:, None, :]
    nodes = torch.arange(words + 1, device=arcs.device)[None, :, None]
    forbidden = (known >= 0) & (nodes != known)
    return arcs.masked_fill(forbidden if arcs.ndim == 3 else forbidden.unsqueeze(-1), -torch.inf)


def with_partial_labels(arcs: Tensor, labels: Tensor | None) -> Tensor:
    """Forbids all labels of a word whose label is given, but for that one (−1: any label)."""
    if labels is None:
        return arcs
    if arcs.ndim != 4:
        raise ValueError("partial_labels is of use only where arcs have labels")
    words, count = arcs.shape[1] - 1, arcs.shape[3]
    checks.integers("partial_labels", labels, (arcs.shape[0], words), arcs.device)
    checks.within("partial_labels", labels, -1, count - 1)
    known = torch.nn.functional.pad(labels.long(), (1, 0), value=-1)[:, None, :, None]
    every = torch.arange(count, device=arcs.device)
    return arcs.masked_fill((known >= 0) & (every != known), -torch.inf)
