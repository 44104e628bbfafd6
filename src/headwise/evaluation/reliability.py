"""Do probabilities mean what they say? Calibration and error detection, from a system's MISC column.

Expected calibration error: Guo et al. (2017), section 2, with bins of equal width and (Nguyen & O'Connor
2015) of equal mass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.evaluation.assessment import Assessment
from headwise.evaluation.words import BoolArray, Column, EvaluationError, Words
from headwise.treebank.probabilities import HEAD, LABEL, TAG, read_numbers

Floats = NDArray[np.float64]
BINS = 15


@dataclass(frozen=True)
class Bin:
    """Words of similar probability."""

    words: int
    confidence: float
    """Their mean probability …"""
    accuracy: float
    """… and how many of them are right."""
    chance: float
    """How far the two would be apart, on average, if all probabilities were true."""


@dataclass(frozen=True, eq=False)
class Reliability:
    """The probabilities of answers held against their truth."""

    name: str
    """What is assessed: ``head``, ``label`` (of words whose head is right) or ``labelled head``."""
    confidence: Floats
    right: BoolArray

    @property
    def words(self) -> int:
        return len(self.right)

    @property
    def accuracy(self) -> float:
        return float(self.right.mean())

    @property
    def mean_confidence(self) -> float:
        return float(self.confidence.mean())

    @cached_property
    def equal_width(self) -> list[Bin]:
        """Bins that divide the probabilities evenly; empty ones are left out."""
        place = np.minimum((self.confidence * BINS).astype(np.int64), BINS - 1)
        return [self._bin(np.flatnonzero(place == k)) for k in range(BINS) if (place == k).any()]

    @cached_property
    def equal_mass(self) -> list[Bin]:
        """Bins of as many words each, from the least probable to the most."""
        return [self._bin(chosen) for chosen in np.array_split(self._order, BINS) if len(chosen)]

    def _bin(self, chosen: NDArray[np.int64]) -> Bin:
        p, words = self.confidence[chosen], len(chosen)
        # The mean distance of a normal variable from its mean: √(2/π) standard deviations.
        chance = math.sqrt(2 / math.pi * float((p * (1 - p)).sum())) / words
        return Bin(words, float(p.mean()), float(self.right[chosen].mean()), chance)

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        return np.argsort(self.confidence, kind="stable")

    @staticmethod
    def error_of(bins: list[Bin]) -> float:
        """The expected calibration error: how far mean probability and accuracy of a word's bin are apart."""
        words = sum(bin.words for bin in bins)
        return sum(bin.words * abs(bin.confidence - bin.accuracy) for bin in bins) / words

    @staticmethod
    def error_by_chance(bins: list[Bin]) -> float:
        """The calibration error that true probabilities would show on so few words."""
        return sum(bin.words * bin.chance for bin in bins) / sum(bin.words for bin in bins)

    @property
    def brier(self) -> float:
        """The mean squared distance of the probability from the truth."""
        return float(np.mean((self.confidence - self.right) ** 2))

    @cached_property
    def detection(self) -> tuple[Floats, Floats]:
        """The share of words looked at, least probable first, and the share of errors found among them.

        Words of equal probability are looked at together: the curve is straight over them.
        """
        confidence, wrong = self.confidence[self._order], ~self.right[self._order]
        last_of_equals = np.append(np.flatnonzero(np.diff(confidence)), len(wrong) - 1)
        looked_at = (last_of_equals + 1) / len(wrong)
        found = np.cumsum(wrong)[last_of_equals] / max(1, int(wrong.sum()))
        return np.concatenate([[0.0], looked_at]), np.concatenate([[0.0], found])

    @property
    def detection_area(self) -> float:
        """The area under that curve: 0.5 for chance, ``best_detection_area`` if all errors come first."""
        looked_at, found = self.detection
        return float(np.sum(np.diff(looked_at) * (found[1:] + found[:-1]) / 2))

    @property
    def best_detection_area(self) -> float:
        return 1.0 - (1.0 - self.accuracy) / 2

    def looked_at_to_find(self, share: float) -> float:
        """The share of words that holds this share (above 0) of the errors, least probable words first."""
        looked_at, found = self.detection
        if not found[-1]:
            return 0.0
        after = int(np.searchsorted(found, share))  # the first point of the curve that has found so much
        before = after - 1
        part = (share - found[before]) / (found[after] - found[before])
        return float(looked_at[before] + part * (looked_at[after] - looked_at[before]))

    def to_json(self) -> dict[str, Any]:
        return {
            "judged": self.name,
            "words": self.words,
            "accuracy": self.accuracy,
            "mean_confidence": self.mean_confidence,
            "expected_calibration_error": {
                "equal_width": self.error_of(self.equal_width),
                "equal_mass": self.error_of(self.equal_mass),
                "equal_mass_by_chance": self.error_by_chance(self.equal_mass),
                "bins": BINS,
            },
            "brier": self.brier,
            "error_detection": {
                "area": self.detection_area,
                "best_area": self.best_detection_area,
                "words_for_half_of_the_errors": self.looked_at_to_find(0.5),
            },
            "bins": [
                {"words": bin.words, "confidence": bin.confidence, "accuracy": bin.accuracy}
                for bin in self.equal_width
            ],
        }


def reliability_of(assessment: Assessment, *, aligned: bool = False) -> list[Reliability]:
    """How reliable the probabilities in the system's MISC column are, over the words the protocol counts.

    Heads, and where there are probabilities of labels: labels of the words whose head is right, and both
    together (the product). Parts of speech, where there are probabilities of them. A system's word that is no
    word of gold's is wrong; with ``aligned`` it is left out.
    """
    pairs, counted = assessment.alignment, assessment.counted[1]
    if aligned:
        is_aligned = np.zeros(pairs.system_size, np.bool_)
        is_aligned[pairs.system_word] = True
        counted = counted & is_aligned
    heads = _numbers(assessment.system, HEAD, required=True)
    labels = _numbers(assessment.system, LABEL, required=False)
    tags = _numbers(assessment.system, TAG, required=False)
    assert heads is not None
    if not counted.any():
        raise EvaluationError(f"{assessment.system.name} has no words whose probabilities could be assessed")

    def of_system(right: BoolArray) -> BoolArray:
        table = np.zeros(pairs.system_size, np.bool_)
        table[pairs.system_word] = right[pairs.gold_word]
        return table

    head_right, label_right = of_system(assessment.head_right), of_system(assessment.label_right)
    result = [Reliability("head", heads[counted], head_right[counted])]
    if labels is not None:
        attached = counted & head_right
        if attached.any():
            result.append(Reliability("label", labels[attached], label_right[attached]))
        both = head_right & label_right
        result.append(Reliability("labelled head", (heads * labels)[counted], both[counted]))
    if tags is not None:
        tag_right = of_system(assessment.equal(Column.of(assessment.gold, assessment.system, "upos")))
        result.append(Reliability("tag", tags[counted], tag_right[counted]))
    return result


def _numbers(file: Words, key: str, *, required: bool) -> Floats | None:
    columns = []
    for number, sentence in enumerate(file.sentences):
        column = read_numbers(sentence, key)
        if column is None:
            if not required:
                return None
            raise EvaluationError(
                f"{file.sentence_place(number)} has words without {key} in MISC: "
                "parse with --confidence to have probabilities to assess"
            )
        columns.append(column)
    return np.concatenate(columns) if columns else np.zeros(0)
