"""Fits the temperature of a tagger on sentences it has not learned from, as that of a parser is fitted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from headwise.components.confidence.fitting import LEAST_WORDS, MOST_WORDS
from headwise.components.confidence.temperatures import Fit, minimize, with_background
from headwise.components.scoring.calibration import TagCalibration
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.tagging import Tagger


def fit_tags(
    tagger: Tagger, sentences: Sequence[Sentence], *, fitted_on: str, threads: int = 1
) -> TagCalibration | None:
    """The calibration of a tagger; None where there are too few words with tags to tell.

    Costs 25 summations over the tag sequences of at most 30,000 words.
    """
    whole = [s for s in sentences if len(s) and "_" not in getattr(s, tagger.config.judged_column)]
    step = max(1.0, sum(map(len, whole)) / MOST_WORDS)
    sample = [whole[int(i)] for i in np.arange(0, len(whole), step)]
    words = sum(map(len, sample))
    if words < LEAST_WORDS:
        return None
    alike = np.full(words, 1 / len(tagger.config.values(tagger.config.judged_column)))

    def fits(temperatures: list[float]) -> list[Fit]:
        rows = tagger.probabilities_at(sample, temperatures, threads=threads)
        return [with_background(t, row, alike) for t, row in zip(temperatures, rows, strict=True)]

    best = minimize(fits)
    return TagCalibration(best.temperature, best.background, fitted_on, words)
