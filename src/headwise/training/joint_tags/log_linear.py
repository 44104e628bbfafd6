"""A log-linear model of candidates: how likely tags and tree are, by the scores of both and by features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from headwise.training.joint_tags.learning import Example

RATE = 0.02
SHARPNESS = 4.0
"""What the tagger's score counts at first …"""
LEAST_PARSER_WEIGHT = 0.1
"""… and the parser's beside it, where it would count for nothing."""
DISTASTE = 2.0
"""By how much a mistake lowers the logarithm of what is wanted."""


class LogLinearLearner:
    """Makes candidates with few mistakes likely: p ∝ exp(a · tag score + b · tree score + features).

    The target is p itself with every mistake e² times less likely; steps follow the gradient, ever shorter
    where there were many (AdaGrad). Only what the scores of two candidates differ by is of use afterwards, so
    a, which says how sharp p is, is divided out.
    """

    def __init__(self, examples: Sequence[Example], bits: int, *, parser_weight: float) -> None:
        self._examples = examples
        self._weights = np.zeros(1 << bits)
        self._scales = SHARPNESS * np.array([1.0, max(parser_weight, LEAST_PARSER_WEIGHT)])
        self._steps, self._scale_steps = np.ones(1 << bits), np.ones(2)
        """1 + Σ of squared gradients."""
        self._summed, self._summed_scales, self._passes = np.zeros(1 << bits), np.zeros(2), 0

    def train(self, order: npt.NDArray[np.int64]) -> None:
        """One pass; the result is the mean of what is known after each."""
        for i in order.tolist():
            self._learn(self._examples[i])
        self._summed += self._weights
        self._summed_scales += self._scales
        self._passes += 1

    def averaged(self) -> tuple[float, npt.NDArray[np.float32]]:
        """What the parser counts beside the tagger, and the weights of features."""
        of_tags, of_trees = self._summed_scales / self._passes
        weights = self._summed / self._passes / of_tags
        return float(of_trees / of_tags), weights.astype(np.float32)

    def _learn(self, example: Example) -> None:
        if example.costs.min() == example.costs.max():
            return
        dense = np.stack([example.tag_scores, example.tree_scores])
        sparse = np.array([own.score(self._weights) for own in example.features])
        scores = self._scales @ dense + sparse
        likely = np.exp(scores - scores.max())
        likely /= likely.sum()
        wanted = likely * np.exp(DISTASTE * (example.costs.min() - example.costs))
        wanted /= wanted.sum()
        for amount, own in zip(likely - wanted, example.features, strict=True):
            gradient = amount * own.amounts
            self._steps[own.places] += gradient**2
            self._weights[own.places] -= RATE * gradient / np.sqrt(self._steps[own.places])
        of_scales = dense @ (likely - wanted)
        self._scale_steps += of_scales**2
        self._scales = np.maximum(self._scales - RATE * of_scales / np.sqrt(self._scale_steps), 0.0)
