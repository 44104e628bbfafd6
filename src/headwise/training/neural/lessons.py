"""What teachers hold of sentences: of every word the likeliest heads, labels and tags.

Teachers are asked once, before training begins. Of each distribution the likeliest choices are kept, which
have nearly all of its mass: a few numbers a word, so that there may be millions of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import pad

from headwise.training.neural.on_device import OnDevice

Integers = npt.NDArray[np.int64]
KEPT = 8
"""Choices of a distribution that are kept."""


@dataclass(frozen=True)
class Likely(OnDevice):
    """The likeliest choices, and their probabilities, which add up to 1.

    Places without a choice have 0 for both.
    """

    choices: Tensor
    """(…, KEPT), in 32 bits: there are many."""
    probabilities: Tensor
    """(…, KEPT)."""

    @classmethod
    def of(cls, distributions: Tensor) -> Likely:
        """``distributions`` is (…, choices). Where there is no mass, nothing is likely."""
        found = distributions.topk(min(KEPT, distributions.shape[-1]), dim=-1)
        lacking = (0, KEPT - found.values.shape[-1])
        mass = found.values.sum(dim=-1, keepdim=True)
        shares = found.values / mass.clamp(min=torch.finfo(mass.dtype).tiny)
        choices = found.indices.masked_fill(shares == 0, 0)
        return cls(pad(choices.int(), lacking), pad(shares, lacking))

    def cross_entropies(self, logs: Tensor) -> Tensor:
        """−Σ p log q, (…); ``logs`` is log q, (…, choices)."""
        return -(self.probabilities * logs.gather(-1, self.choices.long())).sum(dim=-1)

    def __getitem__(self, where: Tensor) -> Likely:
        return Likely(self.choices[where], self.probabilities[where])


@dataclass(frozen=True)
class Lesson(OnDevice):
    """What teachers hold of the words of a batch, on average. Behind the last word all is zero."""

    heads: Likely
    """p(h | m), (B, n, KEPT)."""
    asked: Tensor
    """The head that each word's label is asked for, (B, n): the treebank's, else the likeliest."""
    labels: Likely
    """p(l | asked head, m)."""
    tags: Likely | None
    """p(t | m)."""

    def __getitem__(self, where: Tensor) -> Lesson:
        tags = None if self.tags is None else self.tags[where]
        return Lesson(self.heads[where], self.asked[where], self.labels[where], tags)


class Lessons:
    """Lessons of all sentences of a treebank, word after word."""

    def __init__(self, lengths: Integers, orders: Sequence[Integers], lessons: Sequence[Lesson]) -> None:
        """``lessons`` are of words, (W, …), one sentence after the other as in ``orders``."""
        self._lengths = lengths
        order = np.concatenate(orders)
        self._first = np.empty_like(lengths)
        self._first[order] = np.cumsum(lengths[order]) - lengths[order]
        self._words = _joined(lessons)

    def of(self, order: Integers) -> Lesson:
        """Of these sentences, as a batch: (B, n, …)."""
        lengths = self._lengths[order][:, None]
        words = np.arange(lengths.max())
        nothing = len(self._words.asked) - 1
        places = np.where(words < lengths, self._first[order][:, None] + words, nothing)
        return self._words[torch.from_numpy(places)]


def _joined(lessons: Sequence[Lesson]) -> Lesson:
    """One after the other, and at the end one of nothing."""

    def table(parts: list[Tensor]) -> Tensor:
        return torch.cat([*parts, torch.zeros_like(parts[0][:1])])

    def likely(parts: list[Likely]) -> Likely:
        return Likely(table([x.choices for x in parts]), table([x.probabilities for x in parts]))

    tags = [lesson.tags for lesson in lessons if lesson.tags is not None]
    return Lesson(
        likely([lesson.heads for lesson in lessons]),
        table([lesson.asked for lesson in lessons]),
        likely([lesson.labels for lesson in lessons]),
        likely(tags) if tags else None,
    )
