"""What makes probabilities of a parser's scores; stored in its model file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from headwise.base.limits import Positive, Within

Share = Annotated[float, Within(0, 1)]
PositiveNumber = Annotated[float, Positive()]


ENOUGH_WORDS = 2000
"""Probabilities fitted on fewer are little more than guesses: a few dozen wrong heads decide."""


@dataclass(frozen=True)
class Calibration:
    """Numbers fitted on sentences the parser has not learned from.

    Trees are distributed as p(tree) ∝ exp(score / temperature). Labels of an arc are distributed as the
    softmax of their scores over ``label_temperature``. The log-odds x of each head that was chosen are then
    adjusted to ``intercept + slope · x + (context + context_slope · x) · u``, where u is the mean entropy of
    the other heads of the sentence.
    """

    temperature: PositiveNumber = 1.0
    label_temperature: PositiveNumber = 1.0
    background: Share = 0.0
    """The share in which the probability of an arc is a coarser model's (above first order the pruner's, else
    all heads alike): it speaks for the arcs that the parser never considers."""
    label_background: Share = 0.0
    """The share in which all labels are alike: it speaks for labels that were never seen on such arcs."""
    intercept: float = 0.0
    slope: float = 1.0
    context: float = 0.0
    context_slope: float = 0.0
    fitted_on: str = ""
    """What it was fitted on: ``dev`` or ``held-out``; empty where it was not fitted."""
    words: int = 0
    """How many words that was."""

    @property
    def caution(self) -> str | None:
        """What to tell those who rely on it, where it stands on few words."""
        if not self.is_fitted or self.words >= ENOUGH_WORDS:
            return None
        return (
            f"the probabilities are fitted on {self.words:,} words only, and may be far off; fit them on a "
            "few thousand (headwise calibrate)"
        )

    @property
    def is_fitted(self) -> bool:
        return bool(self.fitted_on)

    @property
    def arc_scale(self) -> dict[str, Any]:
        """What the native core needs for the probabilities of arcs."""
        return {
            "temperature": self.temperature,
            "background": self.background,
            "adjustment": [self.intercept, self.slope, self.context, self.context_slope],
        }

    @property
    def scale(self) -> dict[str, Any]:
        """… and of labels."""
        return {
            **self.arc_scale,
            "label_temperature": self.label_temperature,
            "label_background": self.label_background,
        }

    def __str__(self) -> str:
        if not self.is_fitted:
            return "not fitted: probabilities are what the bare scores make of them"
        return (
            f"temperature {self.temperature:.3g}, of labels {self.label_temperature:.3g},"
            f" fitted on {self.words:,} words ({self.fitted_on})"
        )


UNFITTED = Calibration()


@dataclass(frozen=True)
class TagCalibration:
    """The same for a tagger: tag sequences are distributed as p(tags) ∝ exp(score / temperature)."""

    temperature: PositiveNumber = 1.0
    background: Share = 0.0
    """The share in which all tags are alike: it speaks for tags that are not considered for a word."""
    fitted_on: str = ""
    """As in `Calibration`."""
    words: int = 0

    @property
    def is_fitted(self) -> bool:
        return bool(self.fitted_on)

    def __str__(self) -> str:
        return f"temperature {self.temperature:.3g}, fitted on {self.words:,} words ({self.fitted_on})"


UNFITTED_TAGS = TagCalibration()
