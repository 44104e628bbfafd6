"""Fits the temperatures of a parser on sentences it has not learned from.

Guo et al. (2017), section 4.2: one number that scores are divided by, chosen so that the held-out answers are
as likely as possible, is most of the calibration that most models need. What is maximized here is the
likelihood of each word's head by itself (its marginal), since that is the probability users see. What is
left, above all that hard sentences are harder than they look, is mended by a logistic regression.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headwise.confidence.calibration import Calibration
from headwise.confidence.logistic import fit_logistic
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.parser import Parser

Floats = npt.NDArray[np.float64]

MOST_WORDS = 30_000
"""More would not change one number; sentences are taken evenly from the whole."""
LEAST_WORDS = 100
"""With fewer, a fitted number would be noise."""
_WIDEST = np.geomspace(0.01, 100.0, 13)
_ZOOMS = 3
_PRIOR = 10.0
"""How much the adjustment is held back where there are few words."""
_FLOOR = 1e-12


@dataclass(frozen=True)
class _Fit:
    loss: float
    temperature: float
    background: float = 0.0


def fit_calibration(
    parser: Parser, sentences: Sequence[Sentence], *, fitted_on: str, threads: int = 1
) -> Calibration | None:
    """The calibration of a parser; None where there are too few words to tell.

    Costs about 30 summations over the trees of at most 30,000 words.
    """
    sample = _sample(sentences)
    words = sum(map(len, sample))
    if words < LEAST_WORDS:
        return None
    heads = np.concatenate([s.heads for s in sample]).astype(np.int32)
    labels = np.concatenate([parser.label_ids(s.labels) for s in sample])
    native = parser.native

    def arc_fits(temperatures: list[float]) -> list[_Fit]:
        arcs, _, background = native.probabilities_at(
            sample, heads, labels, temperatures=temperatures, label_temperatures=[], threads=threads
        )
        rows = arcs.reshape(len(temperatures), words)
        return [_with_background(t, row, background) for t, row in zip(temperatures, rows, strict=True)]

    arc = _minimize(arc_fits)
    calibration = Calibration(arc.temperature, 1.0, arc.background, fitted_on=fitted_on, words=words)
    judged = native.judge(sample, **calibration.scale, threads=threads)
    found, right = judged[0], judged[0] == heads
    calibration = _adjusted(calibration, sample, confidence=judged[3], entropy=judged[5], right=right)
    if parser.config.label_mode in ("none", "latent"):  # nothing to compare its labels with
        return calibration

    # The probability of a label is that of being right where the head is, in the parser's own trees.
    def label_probabilities(temperatures: list[float]) -> Floats:
        _, probabilities, _ = native.probabilities_at(
            sample, found, labels, temperatures=[], label_temperatures=temperatures, threads=threads
        )
        return probabilities.reshape(len(temperatures), words)[:, right]

    considered = label_probabilities([float(_WIDEST[-1])])[0] > 0  # no temperature helps the others

    def label_fits(temperatures: list[float]) -> list[_Fit]:
        rows = label_probabilities(temperatures)[:, considered]
        losses = -np.log(np.maximum(rows, _FLOOR)).mean(axis=1)
        return [_Fit(float(loss), t) for t, loss in zip(temperatures, losses, strict=True)]

    never_considered = (np.count_nonzero(~considered) + 0.5) / (len(considered) + 1)
    return replace(
        calibration,
        label_temperature=_minimize(label_fits).temperature if considered.any() else 1.0,
        label_background=float(never_considered),
    )


def _adjusted(
    calibration: Calibration,
    sentences: Sequence[Sentence],
    *,
    confidence: Floats,
    entropy: Floats,
    right: npt.NDArray[np.bool_],
) -> Calibration:
    """With an adjustment of the log-odds of chosen heads (native/confidence/adjustment.hpp)."""
    lengths = np.array([len(s) for s in sentences])
    sentence_of = np.repeat(np.arange(len(lengths)), lengths)
    others = np.bincount(sentence_of, entropy)[sentence_of] - entropy
    uncertainty = others / np.maximum(1, lengths - 1)[sentence_of]
    weighed = (confidence > 0) & (confidence < 1) & (lengths[sentence_of] > 1)
    p, u = confidence[weighed], uncertainty[weighed]
    log_odds = np.log(p) - np.log1p(-p)
    variables = np.stack([np.ones(len(p)), log_odds, u, log_odds * u], axis=1)
    intercept, slope, context, context_slope = fit_logistic(
        variables, right[weighed], prior=np.array([0.0, 1.0, 0.0, 0.0]), strength=_PRIOR
    ).tolist()
    return replace(
        calibration, intercept=intercept, slope=slope, context=context, context_slope=context_slope
    )


def _sample(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Whole trees only, evenly from everywhere."""
    whole = [s for s in sentences if len(s) and (s.heads >= 0).all()]
    step = max(1.0, sum(map(len, whole)) / MOST_WORDS)
    return [whole[int(i)] for i in np.arange(0, len(whole), step)]


def _with_background(temperature: float, arcs: Floats, background: Floats) -> _Fit:
    """The best share of the background at this temperature, by expectation maximization."""
    share = 0.01
    for _ in range(50):
        coarse = share * background
        share = float(np.mean(coarse / ((1 - share) * arcs + coarse)))
    mixed = (1 - share) * arcs + share * background
    return _Fit(float(-np.log(mixed).mean()), temperature, share)


def _minimize(fits: Callable[[list[float]], list[_Fit]]) -> _Fit:
    """Look at a wide range of temperatures, then three times closer and closer around the best."""
    grid, ratio = _WIDEST, float(_WIDEST[1] / _WIDEST[0])
    best = min(fits(grid.tolist()), key=lambda fit: fit.loss)
    for _ in range(_ZOOMS):
        ratio = ratio**0.4
        around = best.temperature * ratio ** np.array([-2.0, -1.0, 1.0, 2.0])
        best = min([best, *fits(around.tolist())], key=lambda fit: fit.loss)
    return best
