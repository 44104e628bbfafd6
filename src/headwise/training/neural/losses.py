"""What a network is to make small: losses of heads, word by word or tree by tree, of labels and tags.

Of a network that has teachers, also how far it is from what they hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from headwise.learning.choices import NetworkLoss
from headwise.torch import Distribution, ProjectiveTrees, SpanningTrees
from headwise.training.neural.biaffine import Biaffine, Scorer, Scores
from headwise.training.neural.treebank import Batch


@dataclass(frozen=True)
class Objective:
    """A loss of heads and labels of a batch, summed over its words."""

    loss: NetworkLoss
    projective: bool
    single_root: bool

    def of(self, network: Scorer, batch: Batch) -> tuple[Tensor, Tensor]:
        """The loss, and how many words would have chosen a wrong head by themselves."""
        scores: Scores = network(batch)
        wrong = (scores.arcs[:, :, 1:].argmax(dim=1) != batch.heads) & (batch.heads >= 0)
        return self.of_scores(network.biaffine, scores, batch), wrong.sum()

    def of_scores(self, biaffine: Biaffine, scores: Scores, batch: Batch) -> Tensor:
        loss = self.of_heads(scores, batch)
        if biaffine.label_count:
            loss = loss + _of_labels(biaffine, scores, batch)
        if scores.tags is not None and batch.tags is not None:
            loss = loss + _of_tags(scores.tags, batch.tags)
        return loss

    def of_heads(self, scores: Scores, batch: Batch) -> Tensor:
        if self.loss == "heads":
            by_word = scores.arcs[:, :, 1:].transpose(1, 2).flatten(0, 1)
            known = batch.heads.flatten() >= 0  # behind the last word there is nothing but −inf
            gold = batch.heads.flatten().masked_fill(~known, 0)
            return (
                cross_entropy(by_word.masked_fill(~known[:, None], 0.0), gold, reduction="none")
                .masked_fill(~known, 0.0)
                .sum()
            )
        if self.loss == "trees":
            gold = self.trees(scores, batch, partial_heads=batch.heads).log_partition()
            return (self.trees(scores, batch).log_partition() - gold).sum()
        cost = _cost(scores, batch)
        if self.loss == "risk":
            return self.trees(scores, batch).expectation(cost).sum()
        rival = self._trees(scores.arcs + cost, batch).argmax().score
        gold = self.trees(scores, batch, partial_heads=batch.heads).argmax().score
        return (rival - gold).clamp(min=0).sum()

    def trees(self, scores: Scores, batch: Batch, partial_heads: Tensor | None = None) -> Distribution:
        return self._trees(scores.arcs, batch, partial_heads)

    def _trees(self, arcs: Tensor, batch: Batch, partial_heads: Tensor | None = None) -> Distribution:
        structure = ProjectiveTrees if self.projective else SpanningTrees
        return structure(arcs, batch.lengths, single_root=self.single_root, partial_heads=partial_heads)


@dataclass(frozen=True)
class TaughtObjective(Objective):
    """The loss of an objective, and the cross-entropy of what teachers hold."""

    share: float

    def of_scores(self, biaffine: Biaffine, scores: Scores, batch: Batch) -> Tensor:
        shares = torch.where(batch.heads >= 0, self.share, 1.0)
        taught = (shares * taught_losses(biaffine, scores, batch)).sum()
        return (1 - self.share) * super().of_scores(biaffine, scores, batch) + taught


def taught_losses(biaffine: Biaffine, scores: Scores, batch: Batch) -> Tensor:
    """Of each word, (B, n): −Σ p log q over heads, labels and tags, p being the teachers'."""
    lesson = batch.lesson
    assert lesson is not None
    by_word = lesson.heads.cross_entropies(head_log_probabilities(scores, batch))
    if biaffine.label_count:
        logs = biaffine.labels(batch, scores, lesson.asked).log_softmax(dim=-1)
        by_word = by_word + lesson.labels.cross_entropies(logs)
    if lesson.tags is not None and scores.tags is not None:
        by_word = by_word + lesson.tags.cross_entropies(scores.tags[:, 1:].log_softmax(dim=-1))
    return by_word.masked_fill(~is_word(batch), 0.0)


def head_log_probabilities(scores: Scores, batch: Batch) -> Tensor:
    """log p(h | m), (B, n, n+1). Behind the last word there is nothing but −inf: these rows are even."""
    arcs = scores.arcs[:, :, 1:].transpose(1, 2).masked_fill(~is_word(batch)[:, :, None], 0.0)
    return arcs.log_softmax(dim=-1)


def is_word(batch: Batch) -> Tensor:
    """(B, n)."""
    return torch.arange(batch.words, device=batch.lengths.device) < batch.lengths[:, None]


def _of_labels(biaffine: Biaffine, scores: Scores, batch: Batch) -> Tensor:
    gold = batch.labels.masked_fill(batch.heads < 0, -1).flatten()
    labels = biaffine.labels(batch, scores, batch.heads).flatten(0, 1)
    return cross_entropy(labels, gold, ignore_index=-1, reduction="sum")


def _of_tags(scores: Tensor, gold: Tensor) -> Tensor:
    return cross_entropy(scores[:, 1:].flatten(0, 1), gold.flatten(), ignore_index=-1, reduction="sum")


def _cost(scores: Scores, batch: Batch) -> Tensor:
    """1 for every arc that is not the gold one; unknown heads cost nothing."""
    nodes = torch.arange(batch.words + 1, device=batch.heads.device)
    wrong = (nodes[:, None] != batch.heads[:, None, :]) & (batch.heads[:, None, :] >= 0)
    cost = torch.zeros_like(scores.arcs)
    cost[:, :, 1:] = wrong.to(cost.dtype)
    return cost
