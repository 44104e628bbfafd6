"""Learning which tags go with which trees, from candidates of models that have not seen the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.components.tagging.joint.candidates import Candidate
from headwise.components.tagging.joint.features import NO_FEATURES, Features, TagNames, differences
from headwise.components.tagging.joint.mistakes import mistakes
from headwise.treebank import Sentence

Floats = npt.NDArray[np.float64]
SAMPLES = 6
"""Of a sentence in a pass of SampleRank."""


@dataclass(frozen=True)
class Example:
    """The candidates of a sentence, each beside the first of them, which the tagger prefers."""

    tag_scores: Floats
    tree_scores: Floats
    costs: Floats
    """Wrong tags and wrong heads."""
    features: Sequence[Features]

    @classmethod
    def of(
        cls, gold: Sentence, candidates: Sequence[Candidate], names: TagNames, bits: int | None
    ) -> Example:
        """Without ``bits`` they have no features."""
        first, *others = candidates
        return cls(
            np.array([c.tag_score - first.tag_score for c in candidates]),
            np.array([c.parse.score - first.parse.score for c in candidates]),
            np.array([mistakes(gold, c) for c in candidates], np.float64),
            [NO_FEATURES, *differences(first, others, names, bits)] if bits else [],
        )

    def scores(self, parser_weight: float, weights: npt.NDArray[np.floating[Any]] | None) -> Floats:
        """Of tags and trees together, above that of the first candidate."""
        scores: Floats = self.tag_scores + parser_weight * self.tree_scores
        return scores if weights is None else scores + np.array([own.score(weights) for own in self.features])


class CandidateLearner:
    """MIRA over candidates: the one with the fewest mistakes against the one that tempts most.

    With ``samples``, SampleRank (Zhang et al. 2014, "Steps to excellence", Figure 4): candidates are drawn by
    their scores, and each is compared with the one drawn before and with the one with the fewest mistakes.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        bits: int,
        *,
        parser_weight: float,
        aggressiveness: float,
        samples: int,
    ) -> None:
        self._examples, self._parser_weight, self._samples = examples, parser_weight, samples
        self._longest_step = aggressiveness
        self._weights = np.zeros(1 << bits)
        self._late = np.zeros(1 << bits)
        """Σ of steps, each times the number of examples before it: what averaging takes off."""
        self._seen = 0

    def train(self, order: npt.NDArray[np.int64], seed: tuple[int, ...]) -> None:
        """One pass, which depends on the order and the seed alone."""
        random = np.random.default_rng(seed)
        for i in order.tolist():
            self._learn(self._examples[i], random)
            self._seen += 1

    def averaged(self) -> npt.NDArray[np.float32]:
        mean: Floats = self._weights - self._late / max(1, self._seen)
        return mean.astype(np.float32)

    def _learn(self, example: Example, random: np.random.Generator) -> None:
        scores = example.scores(self._parser_weight, self._weights)
        best = min(range(len(scores)), key=lambda k: (example.costs[k], -scores[k]))
        if not self._samples:
            return self._step(example, best, int(np.argmax(scores + example.costs)))
        before = 0
        for _ in range(self._samples):
            chances = np.exp(scores - scores.max())
            drawn = int(random.choice(len(scores), p=chances / chances.sum()))
            for other in (before, best):
                self._step(example, *sorted((drawn, other), key=lambda k: example.costs[k]))
            scores, before = example.scores(self._parser_weight, self._weights), drawn
        return None

    def _step(self, example: Example, better: int, worse: int) -> None:
        """Make the better candidate score more than the worse by the difference of their costs."""
        scores = example.scores(self._parser_weight, self._weights)
        shortfall = float(example.costs[worse] - example.costs[better] - scores[better] + scores[worse])
        if example.costs[worse] == example.costs[better] or shortfall <= 0:
            return
        places, amounts = example.features[better].minus(example.features[worse])
        norm = float(amounts @ amounts)
        if norm == 0:
            return
        step = min(self._longest_step, shortfall / norm) * amounts
        self._weights[places] += step
        self._late[places] += step * self._seen
