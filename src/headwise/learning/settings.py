"""What a user can choose about learners, each group for one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from headwise.base.fields import setting
from headwise.base.limits import COUNT, NOT_NEGATIVE, POSITIVE, Within
from headwise.learning.choices import MARGIN_LEARNERS, Constraints

ALONE = "there are no features, but a network alone"
LEARNING = "Learning"


@dataclass(frozen=True)
class GradientSteps:
    """Of learners that follow a gradient g, a sentence at a time (AdaGrad).

    A weight moves by step·g/√(damping + Σ g²), so that weights that have seen little gradient all move alike,
    and others less and less.
    """

    step: float = setting(0.15, "Step of stochastic gradient.", POSITIVE, option="--step", panel=LEARNING)
    damping: float = setting(100.0, "What the sum of squared gradients starts from.", NOT_NEGATIVE)
    label_step: float = setting(0.1, "The step of labels over the finished tree.", POSITIVE)
    label_damping: float = setting(1.0, "The damping of labels over the finished tree.", NOT_NEGATIVE)
    l2: float = setting(
        0.0, "How strongly the weights that a sentence touches are pulled towards zero.", NOT_NEGATIVE
    )
    cost: float = setting(
        2.0,
        "Of log-linear: what a wrong head or label costs while learning (softmax-margin, Gimpel and Smith"
        " 2010). 0 is plain likelihood, with which probabilities are calibrated best; with more, trees are"
        " better.",
        NOT_NEGATIVE,
        option="--cost",
        panel=LEARNING,
    )
    negligible: float = setting(
        0.005,
        "Of log-linear: parts whose probability is this close to the truth are not worth a step.",
        NOT_NEGATIVE,
    )

    def without_effect(self, name: str, settings: Any) -> str | None:
        """Why a setting of these is not read beside the others; None: as far as is known, it is."""
        if settings.network.alone:
            return ALONE
        follows = settings.learner not in MARGIN_LEARNERS
        return None if follows else f"the learner {settings.learner} follows no gradient"


@dataclass(frozen=True)
class ExponentiatedGradient:
    """Of the optimizers ``eg`` and ``eg-batch``."""

    start: float = setting(
        9.0, "It starts with so much more weight on the parts of the gold tree (β).", NOT_NEGATIVE
    )
    rate: float | None = setting(
        None,
        "Its learning rate at first (η), halved where a step fails. None: 0.5 for log-linear, 8 for"
        " max-margin.",
        POSITIVE,
    )

    def without_effect(self, name: str, settings: Any) -> str | None:
        """Why a setting of these is not read beside the others; None: as far as is known, it is."""
        if settings.network.alone:
            return ALONE
        by_eg = settings.optimizer.startswith("eg")
        return None if by_eg else f"the optimizer {settings.optimizer} is another"


@dataclass(frozen=True)
class Sampling:
    """Of the learner ``samplerank``."""

    samples_a_word: int = setting(1, "Steps of the chain for each word of a sentence.", COUNT)
    constraints: Constraints = setting(
        "both",
        "The better one of two successive samples is to score higher (pairs), the gold tree is to score"
        " higher than a sample (gold), or both (Zhang et al. 2014, Figures 4 and 8).",
    )
    keep_chains: bool = setting(
        False, "Each epoch goes on from the trees that the chains had come to in the last one."
    )

    def without_effect(self, name: str, settings: Any) -> str | None:
        """Why a setting of these is not read beside the others; None: as far as is known, it is."""
        if settings.network.alone:
            return ALONE
        samples = settings.learner == "samplerank"
        return None if samples else f"the learner {settings.learner} takes no samples"


@dataclass(frozen=True)
class LatentLabels:
    """Labels that no treebank names: clusters of arcs, summed over."""

    clusters: int = setting(
        4,
        "How many latent labels there are.",
        Within(1, 200),
        option="--clusters",
        panel="Labels",
        mistaken="files of word clusters are for --word-clusters",
    )
    noise: float = setting(
        0.1, "They start from random weights of this size, so that they come to differ.", NOT_NEGATIVE
    )

    def without_effect(self, name: str, settings: Any) -> str | None:
        """Why a setting of these is not read beside the others; None: as far as is known, it is."""
        return None if settings.labels == "latent" else "there are no latent labels"
