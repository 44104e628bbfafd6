"""Fits the temperatures of a parser on sentences it has not learned from.

Guo et al. (2017), section 4.2: one number that scores are divided by, chosen so that the held-out answers are
as likely as possible, is most of the calibration that most models need. What is maximized here is the
likelihood of each word's head by itself (its marginal), since that is the probability users see. What is
left, above all that hard sentences are harder than they look, is mended by a logistic regression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headwise.base.errors import HeadwiseError
from headwise.components.confidence.logistic import fit_logistic
from headwise.components.confidence.temperatures import WIDEST, Fit, Floats, minimize, with_background
from headwise.components.scoring.calibration import Calibration
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.parser.parser import Parser

MOST_WORDS = 30_000
"""More would not change one number; sentences are taken evenly from the whole."""
LEAST_WORDS = 100
"""With fewer, a fitted number would be noise."""
_PRIOR = 10.0
"""How much the adjustment is held back where there are few words."""
_FLOOR = 1e-12


def fit_calibration(
    parser: Parser, sentences: Sequence[Sentence], *, fitted_on: str, threads: int = 1
) -> Calibration | None:
    """The calibration of a parser; None where there are too few words to tell.

    Costs about 30 summations over the trees of at most 30,000 words.
    """
    return fit_jointly([(parser, sentences)], fitted_on=fitted_on, threads=threads)


def fit_jointly(
    judged: Sequence[tuple[Parser, Sequence[Sentence]]], *, fitted_on: str, threads: int = 1
) -> Calibration | None:
    """One calibration for several parsers alike, each with sentences that it has not learned from."""
    if any(parser.scorers for parser, _ in judged):
        raise HeadwiseError(
            "probabilities of a parser with scorers written in Python, an encoder for one, cannot be fitted:"
            " they are what those scorers make of them."
        )
    judges = [_Judge(parser, sample, threads) for parser, sample in _samples(judged)]
    words = sum(judge.words for judge in judges)
    if words < LEAST_WORDS:
        return None

    def arc_fits(temperatures: list[float]) -> list[Fit]:
        found = [judge.arcs(temperatures) for judge in judges]
        rows = np.concatenate([arcs for arcs, _ in found], axis=1)
        background = np.concatenate([coarse for _, coarse in found])
        return [with_background(t, row, background) for t, row in zip(temperatures, rows, strict=True)]

    arc = minimize(arc_fits)
    calibration = Calibration(arc.temperature, 1.0, arc.background, fitted_on=fitted_on, words=words)
    verdicts = [judge.verdict(calibration) for judge in judges]
    calibration = _adjusted(calibration, verdicts)
    if any(parser.config.label_mode in ("none", "latent") for parser, _ in judged):
        return calibration  # nothing to compare its labels with

    # The probability of a label is that of being right where the head is, in the parser's own trees.
    def label_probabilities(temperatures: list[float]) -> Floats:
        rows = [
            judge.labels_where_right(verdict.found, temperatures)
            for judge, verdict in zip(judges, verdicts, strict=True)
        ]
        return np.concatenate(rows, axis=1)

    considered = label_probabilities([float(WIDEST[-1])])[0] > 0  # no temperature helps the others

    def label_fits(temperatures: list[float]) -> list[Fit]:
        rows = label_probabilities(temperatures)[:, considered]
        losses = -np.log(np.maximum(rows, _FLOOR)).mean(axis=1)
        return [Fit(float(loss), t) for t, loss in zip(temperatures, losses, strict=True)]

    never_considered = (np.count_nonzero(~considered) + 0.5) / (len(considered) + 1)
    return replace(
        calibration,
        label_temperature=minimize(label_fits).temperature if considered.any() else 1.0,
        label_background=float(never_considered),
    )


@dataclass(frozen=True)
class _Verdict:
    """What a parser says of its own heads, word by word, and whether they are right."""

    lengths: npt.NDArray[np.int64]
    """Of sentences."""
    found: npt.NDArray[np.int32]
    right: npt.NDArray[np.bool_]
    confidence: Floats
    entropy: Floats


class _Judge:
    """A parser with whole trees that it has not learned from."""

    def __init__(self, parser: Parser, sentences: list[Sentence], threads: int) -> None:
        self._native, self._sentences, self._threads = parser.native, sentences, threads
        self._heads = np.concatenate([s.heads for s in sentences]).astype(np.int32)
        self._labels = np.concatenate([parser.label_ids(s.labels) for s in sentences])
        self.words = len(self._heads)

    def arcs(self, temperatures: list[float]) -> tuple[Floats, Floats]:
        """Probabilities of the annotated heads [temperature, word], and what the background gives them."""
        arcs, _, background = self._native.probabilities_at(
            self._sentences,
            self._heads,
            self._labels,
            temperatures=temperatures,
            label_temperatures=[],
            threads=self._threads,
        )
        return arcs.reshape(len(temperatures), self.words), background

    def verdict(self, calibration: Calibration) -> _Verdict:
        judged = self._native.judge(self._sentences, **calibration.scale, threads=self._threads)
        lengths = np.array([len(s) for s in self._sentences])
        return _Verdict(lengths, judged[0], judged[0] == self._heads, confidence=judged[3], entropy=judged[5])

    def labels_where_right(self, found: npt.NDArray[np.int32], temperatures: list[float]) -> Floats:
        """Probabilities of the annotated labels [temperature, word] of the words whose heads were found."""
        _, probabilities, _ = self._native.probabilities_at(
            self._sentences,
            found,
            self._labels,
            temperatures=[],
            label_temperatures=temperatures,
            threads=self._threads,
        )
        return probabilities.reshape(len(temperatures), self.words)[:, found == self._heads]


def _adjusted(calibration: Calibration, verdicts: Sequence[_Verdict]) -> Calibration:
    """With an adjustment of the log-odds of chosen heads (native/confidence/adjustment.hpp)."""
    lengths = np.concatenate([verdict.lengths for verdict in verdicts])
    confidence = np.concatenate([verdict.confidence for verdict in verdicts])
    entropy = np.concatenate([verdict.entropy for verdict in verdicts])
    right = np.concatenate([verdict.right for verdict in verdicts])
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


def _samples(
    judged: Sequence[tuple[Parser, Sequence[Sentence]]],
) -> list[tuple[Parser, list[Sentence]]]:
    """Whole trees only, evenly from everywhere."""
    whole = [(parser, [s for s in part if len(s) and (s.heads >= 0).all()]) for parser, part in judged]
    step = max(1.0, sum(len(s) for _, part in whole for s in part) / MOST_WORDS)
    return [(parser, [part[int(i)] for i in np.arange(0, len(part), step)]) for parser, part in whole if part]
