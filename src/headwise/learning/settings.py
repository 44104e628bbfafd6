"""What a user can choose about training, with defaults that hold for any treebank."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from headwise.scoring.factorizations import PARTS, TABLES, Factorization
from headwise.scoring.whole_tree import ALL as GLOBAL_FEATURES
from headwise.scoring.whole_tree import FAMILIES

Trees = Literal["auto", "projective", "nonprojective"]
Root = Literal["auto", "single", "multi"]
Learner = Literal["mira", "perceptron", "samplerank", "log-linear", "max-margin"]
Optimizer = Literal["online", "eg", "eg-batch", "l-bfgs", "cg"]
Labels = Literal["separate", "joint", "latent", "none"]
Rival = Literal["tree", "relaxed"]
GlobalLearning = Literal["stacked", "joint"]
Constraints = Literal["both", "pairs", "gold"]
Preset = Literal["first", "second", "third", "full"]

MARGIN_LEARNERS = ("mira", "perceptron", "samplerank")
"""Learners that compare single trees, and so can do with features of whole trees."""

PRESETS: dict[str, dict[str, Any]] = {
    "first": {"factorization": "arc"},
    "second": {"factorization": "carreras", "prune_threshold": 1e-3},
    "third": {"factorization": "model1"},
    "full": {
        "factorization": "model2",
        "epochs": 15,
        "arc_bits": 23,
        "prune_threshold": 3e-5,
        "prune_heads": 16,
        "runs": 3,
        "global_features": FAMILIES,
        "network": True,
    },
}
"""What a preset stands for; whatever is set beside it wins."""

REGULARIZATION = {"log-linear": 10.0, "max-margin": 100.0}
"""Tuned on held-out Danish and Gothic at 1,000 to 1,500 sentences (4 is as good as 10 for ``log-linear``, 30
nearly as good as 100 for ``max-margin``); for ``max-margin`` the same is best at 4,700 sentences."""


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of a training run. Nothing here depends on the language."""

    trees: Trees = "auto"
    """Search projective trees, all trees, or decide from the training data."""
    root: Root = "auto"
    """One word under the root, several, or decide from the training data."""
    factorization: Factorization = "model1"
    """The parts that are scored: arcs alone, or larger ones (see :mod:`headwise.scoring.factorizations`)."""
    learner: Learner = "mira"
    """What is learned: margins one example at a time (``mira``, ``perceptron``), margins between trees that a
    chain of samples comes by (``samplerank``), probabilities of trees (``log-linear``), or margins by the
    gradient of an objective (``max-margin``)."""
    optimizer: Optimizer = "online"
    """How the objective of ``log-linear`` or ``max-margin`` is optimized: by stochastic gradient, by
    exponentiated gradient on the dual (one sentence after the other, or all at once), or, for ``log-linear``,
    by SciPy over all sentences at once. Only ``online`` is without ``regularization``."""
    regularization: float | None = None
    """C of the regularized objective C/2·|w|² + Σ losses; None: 10 for ``log-linear``, 100 for
    ``max-margin``, whatever the number of sentences."""
    dual_start: float = 9.0
    """Exponentiated gradient starts with so much more weight on the parts of the gold tree (β)."""
    dual_rate: float | None = None
    """Its learning rate at first (η), halved where a step fails; None: 0.5 for ``log-linear``, 8 for
    ``max-margin``."""
    labels: Labels = "separate"
    """Find labels over the finished tree, inside the search, or not at all; or learn ``clusters`` of arcs
    that no treebank names (latent labels, summed over)."""
    clusters: int = 4
    noise: float = 0.1
    """Latent labels start from random weights of this size, so that they come to differ."""
    epochs: int = 10
    aggressiveness: float = 0.01
    """MIRA's C: the longest step a single sentence may cause."""
    rival: Rival = "tree"
    """Above first order, what the gold tree is compared with in training: the best tree, or the best choices
    of head automata that need not agree on one (Koo et al. 2010, section 6): faster, and learns less."""
    samples_a_word: int = 1
    """Of ``samplerank``: steps of the chain for each word of a sentence."""
    constraints: Constraints = "both"
    """Of ``samplerank``: the better one of two successive samples is to score higher (``pairs``), the gold
    tree is to score higher than a sample (``gold``), or both (Zhang et al. 2014, Figures 4 and 8)."""
    step: float = 0.15
    """Of learners that follow a gradient g: a weight moves by step·g/√(damping + Σ g²) (AdaGrad) …"""
    damping: float = 100.0
    """… so that weights that have seen little gradient all move alike, and others less and less."""
    label_step: float = 0.1
    label_damping: float = 1.0
    """The same for labels that are chosen over the finished tree."""
    l2: float = 0.0
    """Of the same: how strongly the weights that a sentence touches are pulled towards zero."""
    cost: float = 2.0
    """Of ``log-linear``: what a wrong head or label costs while learning (softmax-margin, Gimpel and Smith
    2010). With 0 the likelihood is maximized, and probabilities are calibrated best; with more, trees are
    better."""
    negligible: float = 0.005
    """Of ``log-linear``: parts whose probability is this close to the truth are not worth a step."""
    seed: int = 1
    runs: int = 1
    """Above first order, of online learners: so many runs over the data, in orders of their own, averaged."""
    threads: int = 1
    arc_bits: int = 22
    """The arc weight table has 2**arc_bits entries of 4 bytes."""
    label_bits: int = 22
    templates: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Feature templates by table (``arc``, ``label``, ``sibling`` …) instead of the built-in ones; either way
    they are fitted to the columns that the treebank fills."""
    without: tuple[str, ...] = ()
    """Kinds of larger parts that get no features, although the factorization has them."""
    prune_threshold: float = 1e-4
    """Above first order: heads less likely than this share of the best head's are not considered."""
    prune_heads: int = 10
    """Above first order: at most so many heads a word are considered."""
    global_features: tuple[str, ...] = ()
    """Above first order: families of features of whole trees (:mod:`headwise.scoring.whole_tree`); trees
    are then searched by climbing from the best tree of the other parts."""
    global_learning: GlobalLearning = "stacked"
    """How they are learned: on top of parsers that have not seen the sentence
    (:mod:`headwise.learning.stacking`), or together with all other features, in one pass."""
    global_folds: int = 3
    """Of ``stacked``: so many parsers, each of which leaves one part of the data out …"""
    global_fold_epochs: int = 5
    """… in so many passes; then …"""
    global_epochs: int = 3
    """… passes over the data that learn features of whole trees …"""
    global_aggressiveness: float = 0.003
    """… with this C of MIRA."""
    global_bits: int = 21
    """Their weight table has 2**global_bits entries."""
    global_restarts: int = 0
    """Where arcs may cross, climb from so many random trees too."""
    roles: bool | None = None
    """Above first order: guess what each word is (its label, and the side of its head) before heads are
    searched, for features that ask for it (:mod:`headwise.scoring.roles`). None: from third order on."""
    network: bool = False
    """Above first order: train a recurrent network too, and add its opinion to the scores of features
    (:mod:`headwise.learning.network`)."""
    network_width: int = 128
    """How wide its layers are; a multiple of 16."""
    network_weight: float | None = None
    """What its log-probabilities are multiplied by; None: 1 beside log-probabilities of ``log-linear``, 0.3
    beside margins, where a mistake costs 1."""
    calibrate: bool = True
    """Fit what makes probabilities of scores, on the development set. Without one, parsers of parts of the
    data are trained for it (:mod:`headwise.learning.calibrating`)."""
    prune_epochs: int = 2
    prune_bits: int = 20

    @property
    def regularization_constant(self) -> float:
        """C, chosen or by default. Only what minimizes a regularized objective has one."""
        return self.regularization or REGULARIZATION[self.learner]

    @property
    def opinion_weight(self) -> float:
        """How much the opinion of a network counts, chosen or by default (docs/network.md)."""
        return self.network_weight or (1.0 if self.learner == "log-linear" else 0.3)

    @property
    def guesses_roles(self) -> bool:
        return "grand_sibling" in PARTS[self.factorization] if self.roles is None else self.roles

    @classmethod
    def preset(cls, preset: Preset = "third", **changes: Any) -> TrainingSettings:
        """The settings of a preset, with changes.

        At first order a network is left out; features of whole trees and several runs are where what is
        changed cannot do with them: first order, a learner that sums over trees or follows a gradient, an
        optimizer that sees all sentences at once.
        """
        if preset not in PRESETS:
            raise ValueError(f"preset is {preset!r}, must be one of: {', '.join(PRESETS)}")
        chosen = {**PRESETS[preset], **changes}
        if "global_features" not in changes and not _takes_global_features(chosen):
            chosen.pop("global_features", None)
        if "runs" not in changes and not _takes_several_runs(chosen):
            chosen.pop("runs", None)
        if "network" not in changes and chosen.get("factorization") == "arc":
            chosen.pop("network", None)
        return cls(**chosen)

    def __post_init__(self) -> None:
        if self.factorization not in PARTS:
            raise ValueError(f"factorization is {self.factorization!r}, must be one of: {', '.join(PARTS)}")
        hints = get_type_hints(type(self))
        for f in fields(self):
            if get_origin(hints[f.name]) is Literal and getattr(self, f.name) not in get_args(hints[f.name]):
                choices = ", ".join(get_args(hints[f.name]))
                raise ValueError(f"{f.name} is {getattr(self, f.name)!r}, must be one of: {choices}")
        if self.labels in ("joint", "latent") and self.factorization != "arc":
            raise ValueError(f"labels={self.labels!r} needs factorization='arc'")
        if self.labels == "latent" and self.learner != "log-linear":
            raise ValueError("labels='latent' needs learner='log-linear'")
        self._check_optimizer()
        self._check_global_features()
        self._check_samplerank()
        if unknown := set(self.without) - {part for parts in PARTS.values() for part in parts}:
            raise ValueError(f"without names no part: {', '.join(sorted(unknown))}")
        if unknown := set(self.templates) - set(TABLES):
            raise ValueError(
                f"templates names no table: {', '.join(sorted(unknown))} (use {', '.join(TABLES)})"
            )
        if not 0 <= self.prune_threshold <= 1:
            raise ValueError(f"prune_threshold is {self.prune_threshold}, must be between 0 and 1")
        if self.seed < 0:
            raise ValueError(f"seed is {self.seed}, must not be negative")
        for name in ("epochs", "runs"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, must be at least 1")
        if self.roles and self.factorization == "arc":
            raise ValueError("roles need a factorization above 'arc'")
        if self.network and self.factorization == "arc":
            raise ValueError("a network needs a factorization above 'arc'")
        if not 16 <= self.network_width <= 4096 or self.network_width % 16:
            raise ValueError(f"network_width is {self.network_width}, must be a multiple of 16, at most 4096")
        if self.runs > 1 and (self.factorization == "arc" or self.optimizer != "online"):
            raise ValueError("runs above 1 need a factorization above 'arc' and optimizer='online'")
        if not 1 <= self.clusters <= 200:
            raise ValueError(f"clusters is {self.clusters}, must be from 1 to 200")
        for name in (
            "aggressiveness",
            "global_aggressiveness",
            "step",
            "label_step",
            "regularization",
            "network_weight",
        ):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise ValueError(f"{name} is {value}, must be positive")
        for name in ("damping", "label_damping", "l2", "cost", "negligible", "dual_start", "noise"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} is {getattr(self, name)}, must not be negative")

    def _check_global_features(self) -> None:
        if unknown := set(self.global_features) - set(GLOBAL_FEATURES):
            choices = ", ".join(GLOBAL_FEATURES)
            raise ValueError(f"global_features names no family: {', '.join(sorted(unknown))} (use {choices})")
        if self.global_restarts < 0:
            raise ValueError(f"global_restarts is {self.global_restarts}, must not be negative")
        if self.global_folds < 2:
            raise ValueError(f"global_folds is {self.global_folds}, must be at least 2")
        for name in ("global_epochs", "global_fold_epochs"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, must be at least 1")
        if not 4 <= self.global_bits <= 28:
            raise ValueError(f"global_bits is {self.global_bits}, must be from 4 to 28")
        if not self.global_features:
            return
        if self.factorization == "arc":
            raise ValueError("global_features need a factorization above 'arc'")
        if self.learner not in MARGIN_LEARNERS or self.rival != "tree":
            choices = ", ".join(map(repr, MARGIN_LEARNERS))
            raise ValueError(f"global_features need rival='tree' and a learner of: {choices}")

    def _check_samplerank(self) -> None:
        if self.samples_a_word < 1:
            raise ValueError(f"samples_a_word is {self.samples_a_word}, must be at least 1")
        if self.learner != "samplerank":
            return
        if self.factorization == "arc":
            raise ValueError("learner='samplerank' needs a factorization above 'arc'")
        if self.trees == "projective":
            raise ValueError("learner='samplerank' samples trees whose arcs may cross: trees='nonprojective'")
        if self.rival != "tree":
            raise ValueError("learner='samplerank' chooses its own rivals: rival='tree'")

    def _check_optimizer(self) -> None:
        if self.optimizer == "online":
            return
        suited = ("log-linear",) if self.optimizer in ("l-bfgs", "cg") else ("log-linear", "max-margin")
        if self.learner not in suited:
            raise ValueError(f"optimizer={self.optimizer!r} needs learner={' or '.join(map(repr, suited))}")
        if self.optimizer in ("eg", "eg-batch"):
            if self.labels in ("joint", "latent"):
                raise ValueError(f"optimizer={self.optimizer!r} needs labels='separate' or 'none'")
            limit = 1.0 if self.learner == "log-linear" else math.inf
            if self.dual_rate is not None and not 0 < self.dual_rate < limit:
                raise ValueError(f"dual_rate is {self.dual_rate}, must be positive, and below {limit:g}")


def _takes_several_runs(chosen: Mapping[str, Any]) -> bool:
    return chosen.get("factorization") != "arc" and chosen.get("optimizer", "online") == "online"


def _takes_global_features(chosen: Mapping[str, Any]) -> bool:
    return (
        chosen.get("factorization") != "arc"
        and chosen.get("learner", "mira") in MARGIN_LEARNERS
        and chosen.get("rival", "tree") == "tree"
    )
