"""One score: how many were right, out of how many."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Score:
    """Counts, and the ratios made of them (fractions of 1, not per cent).

    Gold and system have different totals where the system made its own words or where the measure
    counts words by their label. Where the totals agree, precision, recall and F1 are the same number,
    the accuracy.
    """

    correct: int
    gold: int
    """How many the gold file has."""
    system: int
    """How many the system's file has."""
    aligned: int | None = None
    """How many of gold's have a counterpart in the system's file; None where that is the measure itself."""

    @property
    def precision(self) -> float:
        return self.correct / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        total = self.gold + self.system
        return 2 * self.correct / total if total else 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        """Accuracy over the aligned words only, as if tokenization had been perfect."""
        if self.aligned is None:
            return None
        return self.correct / self.aligned if self.aligned else 0.0
