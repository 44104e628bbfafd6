"""The k best trees of a whole batch by Lawler's partition (Lawler 1972; Camerini, Fratta and Maffioli 1980).

When a tree is taken out of a set of trees, the rest falls into smaller sets: the w-th keeps the choices of
the tree for the words before w and forbids its choice for w. Of all sets seen so far, the k with the best
trees are kept. Every round is one search in B · n sets, so that k rounds need nothing but `argmax`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

Search = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


class _Sets(NamedTuple):
    """Sets of trees, and the best of each: (B, K, …)."""

    score: Tensor
    heads: Tensor  # (B, K, n)
    labels: Tensor  # (B, K, n)
    first_free: Tensor  # the words before have one choice left
    forbidden: Tensor  # (B, K, n+1, L): choices for the first free word


def k_best(arcs: Tensor, lengths: Tensor, k: int, search: Search) -> tuple[Tensor, Tensor, Tensor]:
    """heads (B, k, n), labels (B, k, n) and scores (B, k), best first; −1 and −inf where there are no more.

    arcs is (B, n+1, n+1, L); search(scores, lengths) gives heads and scores of the best trees.
    """
    batch, width, _, count = arcs.shape
    words = width - 1
    best_label = arcs.max(dim=-1)
    heads, score = search(best_label.values.contiguous(), lengths)
    sets = _Sets(
        score[:, None],
        heads[:, None],
        _labels(best_label.indices, heads)[:, None],
        torch.zeros((batch, 1), dtype=torch.int64, device=arcs.device),
        torch.zeros((batch, 1, width, count), dtype=torch.bool, device=arcs.device),
    )
    found = []
    for rank in range(k):
        top = sets.score.argmax(dim=1)
        best = _Sets(*(field[torch.arange(batch, device=arcs.device), top] for field in sets))
        found.append(best)
        if rank + 1 == k:
            break
        score = sets.score.clone()
        score[torch.arange(batch, device=arcs.device), top] = -torch.inf
        rest = _without_best(arcs, best_label.values, lengths, best, search)
        every = _Sets(
            torch.cat([score, rest.score], 1),
            *(torch.cat([old, new], 1) for old, new in zip(sets[1:], rest[1:], strict=True)),
        )
        kept = every.score.topk(min(k, every.score.shape[1]), dim=1).indices
        sets = _Sets(*(_take(field, kept) for field in every))
    scores = torch.stack([best.score for best in found], 1)
    none = (scores == -torch.inf)[:, :, None] | (
        torch.arange(words, device=arcs.device) >= lengths[:, None, None]
    )
    heads = torch.stack([best.heads for best in found], 1).masked_fill(none, -1)
    return heads, torch.stack([best.labels for best in found], 1).masked_fill(none, -1), scores


def _take(field: Tensor, kept: Tensor) -> Tensor:
    index = kept.view(*kept.shape, *(1,) * (field.ndim - 2)).expand(*kept.shape, *field.shape[2:])
    return field.gather(1, index)


def _labels(best_label: Tensor, heads: Tensor) -> Tensor:
    """The best label of each arc of a tree."""
    return best_label[:, :, 1:].gather(1, heads.clamp(min=0)[:, None]).squeeze(1)


def _without_best(arcs: Tensor, best: Tensor, lengths: Tensor, tree: _Sets, search: Search) -> _Sets:
    """The sets that are left of a set when its best tree is taken out, one a word."""
    batch, width, _, count = arcs.shape
    words = width - 1
    device = arcs.device
    word = torch.arange(words, device=device)
    heads = tree.heads.clamp(min=0)
    # The choice of the tree for each word is forbidden, and with it what was for the first free word.
    choice = torch.zeros((batch, words, width, count), dtype=torch.bool, device=device)
    sentence = torch.arange(batch, device=device)[:, None]
    choice[sentence, word, heads, tree.labels.clamp(min=0)] = True
    is_first = word == tree.first_free[:, None]
    forbidden = choice | (tree.forbidden[:, None] & is_first[:, :, None, None])
    by_word = arcs[:, :, 1:].transpose(1, 2)  # (B, n, n+1, L): into each word
    left = by_word.masked_fill(forbidden, -torch.inf).max(dim=-1)
    # [b, w, head, modifier]: words before w keep their choice.
    scores = best[:, None].expand(batch, words, width, width).clone()
    kept = torch.where(choice, by_word, -torch.inf).amax(dim=-1).transpose(1, 2)  # (B, n+1, n)
    before = word[None, :] < word[:, None]  # [w, modifier]
    scores[..., 1:] = torch.where(before[None, :, None], kept[:, None], scores[..., 1:])
    scores[:, word, :, word + 1] = left.values.transpose(0, 1)
    # No tree is left out twice: words that have one choice left, and words that are not there, give no set.
    real = (word >= tree.first_free[:, None]) & (word < lengths[:, None]) & (tree.score > -torch.inf)[:, None]
    of_each = lengths.repeat_interleave(words)
    found, score = search(scores.flatten(0, 1), of_each)
    found, score = found.view(batch, words, words), score.view(batch, words)
    # The labels of a set's best tree: the best of each arc, but for the words that are fixed or restricted.
    every = torch.where(before[None], tree.labels[:, None], _labels_of(arcs, found))
    at_word = left.indices.gather(2, found.clamp(min=0).diagonal(dim1=1, dim2=2).unsqueeze(2)).squeeze(2)
    every = torch.where(torch.eye(words, dtype=torch.bool, device=device), at_word[:, :, None], every)
    score = torch.where(real, score, -torch.inf)
    return _Sets(score, found, every, word.expand(batch, words), forbidden)


def _labels_of(arcs: Tensor, heads: Tensor) -> Tensor:
    """The best labels of the arcs of several trees a sentence: (B, K, n)."""
    best = arcs.argmax(dim=-1)[:, :, 1:]  # (B, n+1, n)
    return best.gather(1, heads.clamp(min=0).flatten(1, 1).view(best.shape[0], -1, best.shape[2]))
