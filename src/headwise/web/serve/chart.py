"""Eisner's algorithm with everything it looks at, for a page that shows it step by step (Eisner 1996).

A **span** covers words that stand together. One that is *closed* has its head at one end and is finished; one
that is *open* has just got an arc between its ends. Two closed spans that meet between two words, with an arc
added, make an open one; an open one and a closed one that meet at a word make a closed one. Every span is
filled once, the short ones first, by the best of the places where its two parts may meet: O(n³).

The score of an arc is the logarithm of its probability. So the best tree here is the one whose arcs are
jointly the most probable one by one, which is nearly always the parser's own.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Kind = Literal["open", "closed"]
Span = tuple[Kind, int, int, int]
"""Its kind, its ends, and which of them is its head."""


@dataclass(frozen=True)
class Step:
    """A span that is filled."""

    kind: Kind
    left: int
    right: int
    head: int
    """The end that is the head of the span, ``left`` or ``right``."""
    splits: list[tuple[int, float]]
    """Each place where its parts may meet, with the score that results; parts of an open span end there and
    begin at the next word."""
    split: int
    """The best of them."""
    score: float
    parts: tuple[int, int]
    """The steps that filled its parts; −1 for a single word, which is there from the start."""

    @property
    def arc(self) -> tuple[int, int] | None:
        """The arc that an open span adds."""
        if self.kind == "closed":
            return None
        return self.head, self.right if self.head == self.left else self.left


class Chart:
    """The chart of a sentence, filled."""

    def __init__(self, probabilities: npt.NDArray[np.float64], *, single_root: bool) -> None:
        """``probabilities[h, m]`` of arcs. With a single root it is added last, over the words' own chart."""
        with np.errstate(divide="ignore"):
            self.scores = np.log(probabilities)
        self._n = len(probabilities) - 1
        self._first = 1 if single_root else 0
        self.steps: list[Step] = []
        self._at: dict[Span, int] = {}
        for width in range(1, self._n - self._first + 1):
            for left in range(self._first, self._n - width + 1):
                right = left + width
                for head in (left, right):
                    self._fill("open", left, right, head)
                for head in (left, right):
                    self._fill("closed", left, right, head)
        self.roots = self._roots() if single_root else []
        """With a single root: each word that may be it, with the score of the tree that results."""
        self.root = max(self.roots, key=lambda pair: pair[1])[0] if single_root else None

    def _fill(self, kind: Kind, left: int, right: int, head: int) -> None:
        pairs: dict[int, tuple[Span, Span]]
        if kind == "open":
            modifier = right if head == left else left
            arc = float(self.scores[head, modifier]) if modifier != 0 else -math.inf
            pairs = {
                s: (("closed", left, s, left), ("closed", s + 1, right, right)) for s in range(left, right)
            }
        else:
            arc = 0.0
            if head == left:
                pairs = {
                    s: (("open", left, s, left), ("closed", s, right, s)) for s in range(left + 1, right + 1)
                }
            else:
                pairs = {s: (("closed", left, s, s), ("open", s, right, right)) for s in range(left, right)}
        splits = [(s, arc + self._score(*a) + self._score(*b)) for s, (a, b) in pairs.items()]
        split, score = max(splits, key=lambda pair: pair[1])
        first, second = pairs[split]
        parts = self._at.get(first, -1), self._at.get(second, -1)
        self._at[kind, left, right, head] = len(self.steps)
        self.steps.append(Step(kind, left, right, head, splits, split, score, parts))

    def _score(self, kind: Kind, left: int, right: int, head: int) -> float:
        return 0.0 if left == right else self.steps[self._at[kind, left, right, head]].score

    def _roots(self) -> list[tuple[int, float]]:
        return [
            (
                r,
                float(self.scores[0, r])
                + self._score("closed", 1, r, r)
                + self._score("closed", r, self._n, r),
            )
            for r in range(1, self._n + 1)
        ]

    @property
    def score(self) -> float:
        """Of the best tree."""
        return max(score for _, score in self.roots) if self.roots else self._score("closed", 0, self._n, 0)

    def heads(self) -> list[int]:
        """The head of every word in the best tree: back through the best splits."""
        heads = [0] * self._n
        ways: list[Span]
        if self.root is not None:
            ways = [("closed", 1, self.root, self.root), ("closed", self.root, self._n, self.root)]
        else:
            ways = [("closed", 0, self._n, 0)]
        numbers = [self._at.get(way, -1) for way in ways]
        while numbers:
            number = numbers.pop()
            if number < 0:
                continue
            step = self.steps[number]
            if step.arc is not None:
                head, modifier = step.arc
                heads[modifier - 1] = head
            numbers += step.parts
        return heads

    def to_json(self) -> dict[str, Any]:
        """For the page; a score of −inf is null."""
        return {
            "first": self._first,
            "scores": [[_finite(x) for x in row] for row in self.scores.tolist()],
            "steps": [
                {
                    **asdict(step),
                    "arc": step.arc,
                    "score": _finite(step.score),
                    "splits": [[s, _finite(x)] for s, x in step.splits],
                }
                for step in self.steps
            ],
            "roots": [[r, _finite(x)] for r, x in self.roots],
            "root": self.root,
            "score": _finite(self.score),
            "heads": self.heads(),
        }


def _finite(score: float) -> float | None:
    return round(score, 4) if math.isfinite(score) else None
