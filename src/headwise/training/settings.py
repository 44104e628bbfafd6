"""What a user can choose about training, with defaults that hold for any treebank.

Settings are nested by what they configure: ``settings.pruning.threshold``, ``settings.network.width``. Where
settings are changed, a group is given as a mapping of what is changed in it, ``pruning={"threshold": 1e-3}``,
or by single settings, ``pruning__threshold=1e-3``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeVar

from headwise.components.scoring.whole_tree import FAMILIES
from headwise.learning.choices import (
    EG_OPTIMIZERS,
    LABELS_IN_SEARCH,
    MARGIN_LEARNERS,
    TENSOR_RANK,
    Labels,
    Learner,
    Optimizer,
    Preset,
    Rival,
    Root,
    Trees,
)
from headwise.learning.setting_checks import at_least_1, check_types, not_negative, positive
from headwise.training.setting_groups import (
    ExponentiatedGradient,
    GradientSteps,
    LatentLabels,
    Network,
    Pruning,
    Sampling,
    Tensor,
    Torch,
    WholeTreeFeatures,
    Words,
)
from headwise.training.teaching_settings import Teaching
from headwise.trees.factorizations import PARTS, PROJECTIVE_ONLY, TABLES, Factorization

SECOND_ORDER = {"factorization": "carreras", "pruning": {"threshold": 1e-3}}

PRESETS: dict[str, dict[str, Any]] = {
    "fast": SECOND_ORDER,
    "accurate": {"factorization": "model1", "network": {"use": True}},
    "first": {"factorization": "arc"},
    "second": SECOND_ORDER,
    "third": {"factorization": "model1"},
    "full": {
        "factorization": "model2",
        "epochs": 15,
        "arc_bits": 23,
        "pruning": {"threshold": 3e-5, "heads": 16},
        "runs": 3,
        "whole_tree": {"families": FAMILIES},
        "network": {"use": True},
    },
    "network": {"factorization": "arc", "network": {"use": True, "alone": True}},
}
"""What a preset stands for; whatever is set beside it wins."""


TENSOR_SHARE = {False: 0.6, True: 0.6}


TENSOR_AGGRESSIVENESS = {False: 0.1, True: 0.1}
"""With a tensor: by whether there are larger parts than arcs. Tuned on held-out Danish; with fewer features
of arcs, shares from 0.3 to 0.6 do as well (docs/tensor.md)."""


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
    """The parts that are scored: arcs alone, or larger ones (see `headwise.trees.factorizations`)."""
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
    labels: Labels = "separate"
    """Find labels over the finished tree, inside the search, or not at all; or learn clusters of arcs that no
    treebank names."""
    rules: tuple[str, ...] | None = None
    """Rules that labels over the finished tree obey together (`scoring.universal_rules`). None: those of
    Universal Dependencies that the training data obey."""
    epochs: int = 10
    aggressiveness: float = 0.01
    """MIRA's C: the longest step a single sentence may cause."""
    rival: Rival = "tree"
    """What the gold tree is compared with in training: the best tree. Above first order also the best one
    that climbs from random trees find (``climbed``; Zhang et al. 2014, "Greed is good if randomized"), or the
    best choices of head automata that need not agree on a tree (``relaxed``; Koo et al. 2010, section 6):
    faster, and learns less. At first order also the best head of each word by itself (``independent``)."""
    choose_trees: bool = False
    """Of models of trees that may cross, with a development set: decode without crossing arcs where that does
    better there (Koo 2010, 4.6.2)."""
    averaged: bool = True
    """Of online learners: the mean of the weights after all steps, or (False) the last ones, as Carreras
    (2007) has them for comparison."""
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
    cutoff: int = 0
    """Features of trees that occur less often than this in the gold trees are not learned; 0: all are, also
    those that no gold tree has. Of online learners, and trees that are whole."""
    without: tuple[str, ...] = ()
    """Kinds of larger parts that get no features, although the factorization has them."""
    positions: bool = False
    """Features of parts by position: innermost modifiers apart from others, second ones where parts tell (Koo
    2010, B.1.3). Of factorizations with siblings."""
    roles: bool | None = None
    """Above first order: guess what each word is (its label, and the side of its head) before heads are
    searched, for features that ask for it (`scoring.roles`). None: from third order on."""
    calibrate: bool = True
    """Fit what makes probabilities of scores, on the development set. Without one, parsers of parts of the
    data are trained for it (`headwise.training.calibrating`)."""
    words: Words = field(default_factory=Words)
    pruning: Pruning = field(default_factory=Pruning)
    gradient: GradientSteps = field(default_factory=GradientSteps)
    eg: ExponentiatedGradient = field(default_factory=ExponentiatedGradient)
    sampling: Sampling = field(default_factory=Sampling)
    latent: LatentLabels = field(default_factory=LatentLabels)
    whole_tree: WholeTreeFeatures = field(default_factory=WholeTreeFeatures)
    network: Network = field(default_factory=Network)
    """``True`` and ``False`` stand for its ``use``."""
    torch: Torch = field(default_factory=Torch)
    """The same of a network that PyTorch trains."""
    teaching: Teaching = field(default_factory=Teaching)
    tensor: Tensor = field(default_factory=Tensor)
    """A number stands for its ``rank``; ``True`` for rank 50, ``False`` for none."""

    @property
    def regularization_constant(self) -> float:
        """C, chosen or by default. Only what minimizes a regularized objective has one."""
        return self.regularization or REGULARIZATION[self.learner]

    @property
    def network_weight(self) -> float:
        """How much a network counts, chosen, or before `network_weight.with_best_weight` chooses."""
        return self.network.weight or (1.0 if self.learner == "log-linear" else 0.3)

    @property
    def has_network(self) -> bool:
        return self.network.use or self.torch.use

    @property
    def weighs_network(self) -> bool:
        """Whether sentences that nothing was learned from decide how much a network counts."""
        return self.has_network and not self.network.alone and self.network.weight is None

    @property
    def tensor_share(self) -> float:
        """γ, chosen or by default; 1 without a tensor."""
        if not self.tensor.rank:
            return 1.0
        default = TENSOR_SHARE[self.has_larger_parts]
        return default if self.tensor.share is None else self.tensor.share

    @property
    def longest_step(self) -> float:
        """C of ``mira``, chosen or by default."""
        if not self.tensor.rank:
            return self.aggressiveness
        return self.tensor.aggressiveness or TENSOR_AGGRESSIVENESS[self.has_larger_parts]

    @property
    def guesses_roles(self) -> bool:
        return "grand_sibling" in PARTS[self.factorization] if self.roles is None else self.roles

    @property
    def has_larger_parts(self) -> bool:
        return self.factorization != "arc"

    @classmethod
    def preset(cls, preset: Preset = "accurate", **changes: Any) -> TrainingSettings:
        """The settings of a preset, with changes (by the size of a treebank: `default_preset`).

        A network is left out at first order and with labels in the search; features of whole trees and
        several runs are where what is changed cannot do with them: first order, labels in the search, a
        learner that sums over trees or follows a gradient, an optimizer that sees all sentences at once.
        """
        if preset not in PRESETS:
            raise ValueError(f"preset is {preset!r}, must be one of: {', '.join(PRESETS)}")
        own, changes = dict(PRESETS[preset]), _grouped(changes)
        chosen = {**own, **changes}
        if "families" not in _changed(changes, "whole_tree") and not _takes_whole_tree_features(chosen):
            own.pop("whole_tree", None)
        if "runs" not in changes and not _takes_several_runs(chosen):
            own.pop("runs", None)
        if (
            preset != "network"
            and "use" not in _changed(changes, "network")
            and (chosen.get("factorization") == "arc" or chosen.get("labels") in LABELS_IN_SEARCH)
        ):
            own.pop("network", None)
        return cls(**own).changed(**changes)

    def changed(self, **changes: Any) -> TrainingSettings:
        """These settings with changes; of a group, what is named."""
        changes = _grouped(changes)
        known = {f.name for f in fields(self)}
        if unknown := set(changes) - known:
            raise TypeError(
                f"there is no setting {', '.join(sorted(unknown))} (there are: {', '.join(sorted(known))})"
            )
        grouped = {
            name: _with(getattr(self, name), value, name)
            for name, value in changes.items()
            if is_dataclass(getattr(self, name))
        }
        return replace(self, **{**changes, **grouped})

    def __post_init__(self) -> None:
        for name, default in _DEFAULTS.items():
            object.__setattr__(self, name, _with(default, getattr(self, name), name))
        check_types(self)
        for name in _DEFAULTS:
            getattr(self, name).check()
        if self.factorization not in PARTS:
            raise ValueError(f"factorization is {self.factorization!r}, must be one of: {', '.join(PARTS)}")
        self._check_labels()
        self._check_optimizer()
        self._check_larger_parts()
        self._check_samplerank()
        self._check_rival()
        if self.tensor.rank and self.learner == "perceptron":
            raise ValueError(
                "a tensor needs a learner that measures its steps, and learner='perceptron' does not: its"
                " products of three would grow without limit"
            )
        if unknown := set(self.without) - {part for parts in PARTS.values() for part in parts}:
            raise ValueError(f"without names no part: {', '.join(sorted(unknown))}")
        if unknown := set(self.templates) - set(TABLES):
            raise ValueError(
                f"templates names no table: {', '.join(sorted(unknown))} (use {', '.join(TABLES)})"
            )
        not_negative(self, "", "cutoff")
        if self.cutoff and self.optimizer != "online":
            raise ValueError("cutoff needs optimizer='online'")
        if not self.averaged and (self.optimizer != "online" or self.runs > 1):
            raise ValueError("averaged=False needs optimizer='online' and a single run")
        if self.seed < 0:
            raise ValueError(f"seed is {self.seed}, must not be negative")
        at_least_1(self, "", "epochs", "runs")
        positive(self, "", "aggressiveness", "regularization")

    def _check_labels(self) -> None:
        if self.labels in LABELS_IN_SEARCH and self.has_larger_parts:
            without = " and ".join(
                f"{name}=False" for name in ("network", "torch") if getattr(self, name).use
            )
            for given, what, remedy in (
                (self.has_network, "a network adds to", without),
                (self.whole_tree.families, "features of whole trees are learned beside", "families=()"),
                (self.rival == "relaxed", "rival='relaxed' compares with", "rival='tree'"),
            ):
                if given:
                    raise ValueError(
                        f"{what} trees whose labels are found afterwards: labels='separate', or {remedy}"
                    )
        if self.labels == "latent" and self.learner != "log-linear":
            raise ValueError("labels='latent' needs learner='log-linear'")
        if self.tensor.labels and not (self.tensor.rank and self.labels == "separate"):
            raise ValueError(
                "tensor.labels needs a tensor, and labels over the finished tree (labels='separate')"
            )

    def _check_larger_parts(self) -> None:
        """What needs more than arcs."""
        families = self.whole_tree.families
        if self.runs > 1 and (not self.has_larger_parts or self.optimizer != "online"):
            raise ValueError("runs above 1 need a factorization above 'arc' and optimizer='online'")
        if families and (self.learner not in MARGIN_LEARNERS or self.rival != "tree"):
            choices = ", ".join(map(repr, MARGIN_LEARNERS))
            raise ValueError(f"features of whole trees need rival='tree' and a learner of: {choices}")
        if self.torch.pretrained and (not self.torch.use or self.torch.encoder):
            raise ValueError(
                "torch.pretrained is for a network that PyTorch trains, and no encoder: torch.use"
            )
        if self.teaching.teachers and (not self.torch.use or self.torch.encoder):
            raise ValueError("teachers are for a network that PyTorch trains, and no encoder: torch.use")
        if self.torch.encoder and not (self.torch.use and self.network.alone):
            raise ValueError("torch.encoder needs torch.use and the preset network: there are no features")
        if self.network.alone and not self.has_network:
            raise ValueError("network.alone has no features, and there is no network either: network=True")
        if self.network.members > 1 and self.torch.encoder:
            raise ValueError("network.members must be 1: there is one encoder, and no network")
        if self.network.members > 1 and not self.has_network:
            raise ValueError(
                f"network.members is {self.network.members}, and there is no network: network=True"
            )
        if self.words.vectors is not None and not self.has_network and not self.tensor.rank:
            raise ValueError("vectors of words are read by a network or a tensor: network=True, tensor=True")
        if self.positions and "sibling" not in PARTS[self.factorization]:
            raise ValueError("positions are told by siblings, which this factorization has not")
        if self.factorization in PROJECTIVE_ONLY:
            needs = f"factorization={self.factorization!r} is for projective trees only"
            if self.trees == "nonprojective":
                raise ValueError(f"{needs}: trees='projective'")
            for name, chosen in (
                ("features of whole trees (whole_tree.families)", bool(families)),
                (f"rival={self.rival!r}", self.rival in ("climbed", "relaxed")),
                ("learner='samplerank'", self.learner == "samplerank"),
            ):
                if chosen:
                    raise ValueError(f"{needs}, found by a dynamic program: without {name}")
        if self.has_larger_parts:
            if self.network.alone:
                raise ValueError("network.alone needs factorization='arc' (the preset network)")
            return
        for given, what in (
            (self.roles, "roles need"),
            (self.has_network and not self.network.alone, "a network beside features needs"),
            (families, "features of whole trees need"),
            (self.rival in ("climbed", "relaxed"), f"rival={self.rival!r} needs"),
        ):
            if given:
                raise ValueError(f"{what} a factorization above 'arc'")

    def _check_samplerank(self) -> None:
        if self.learner != "samplerank":
            return
        if self.trees == "projective":
            raise ValueError("learner='samplerank' samples trees whose arcs may cross: trees='nonprojective'")
        if self.rival != "tree":
            raise ValueError("learner='samplerank' chooses its own rivals: rival='tree'")
        if self.labels in LABELS_IN_SEARCH:
            raise ValueError("learner='samplerank' samples trees without labels: labels='separate' or 'none'")

    def _check_rival(self) -> None:
        if self.rival == "independent" and self.has_larger_parts:
            raise ValueError("rival='independent' is for arcs alone: factorization='arc'")
        if self.rival == "climbed" and self.trees == "projective":
            raise ValueError("rival='climbed' finds trees whose arcs may cross: trees='nonprojective'")
        if self.rival != "tree" and self.learner not in MARGIN_LEARNERS:
            raise ValueError(f"rival={self.rival!r} needs learner='mira' or 'perceptron'")

    def _check_optimizer(self) -> None:
        if self.optimizer == "online":
            return
        if self.tensor.rank:
            raise ValueError("a tensor is learned with optimizer='online' only: its objective is not convex")
        by_eg = self.optimizer in EG_OPTIMIZERS
        suited = ("log-linear", "max-margin") if by_eg else ("log-linear",)
        if self.learner not in suited:
            raise ValueError(f"optimizer={self.optimizer!r} needs learner={' or '.join(map(repr, suited))}")
        if by_eg:
            if self.labels in LABELS_IN_SEARCH:
                raise ValueError(f"optimizer={self.optimizer!r} needs labels='separate' or 'none'")
            limit = 1.0 if self.learner == "log-linear" else math.inf
            if self.eg.rate is not None and not 0 < self.eg.rate < limit:
                raise ValueError(f"eg.rate is {self.eg.rate}, must be positive, and below {limit:g}")


_DEFAULTS: dict[str, Any] = {
    f.name: f.default_factory()
    for f in fields(TrainingSettings)
    if f.name not in ("templates",) and callable(f.default_factory)
}
"""The groups, as they are by default."""


Group = TypeVar("Group")


def _with(group: Group, value: Any, name: str) -> Group:
    """A group of settings with what a mapping changes in it; or another group in its place."""
    if isinstance(value, type(group)):
        return value
    value = _as_mapping(value, name)
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} is {value!r}, must be a mapping or {type(group).__name__}")
    known = [f.name for f in fields(group)]  # type: ignore[arg-type]
    if unknown := set(value) - set(known):
        raise TypeError(
            f"there is no setting {name}.{', '.join(sorted(unknown))} (there are: {', '.join(known)})"
        )
    changed = {key: tuple(item) if isinstance(item, list) else item for key, item in value.items()}
    return replace(group, **changed)  # type: ignore[type-var]


def _grouped(changes: Mapping[str, Any]) -> dict[str, Any]:
    """``group__setting=value`` as a mapping of the group."""
    grouped: dict[str, Any] = {}
    for name, value in changes.items():
        group, _, setting = name.partition("__")
        if not setting:
            grouped[name] = value
            continue
        grouped[group] = {**_as_mapping(grouped.get(group, {}), group), setting: value}
    return grouped


def _as_mapping(value: Any, group: str) -> Any:
    """What a single value stands for in a group that has a main setting."""
    if group in ("network", "torch") and isinstance(value, bool):
        return {"use": value}
    if group == "tensor" and isinstance(value, int):
        return {"rank": TENSOR_RANK if value is True else int(value)}
    return value


def _changed(changes: Mapping[str, Any], name: str) -> set[str]:
    """The settings of a group that changes name."""
    value = changes.get(name, {})
    if isinstance(value, Mapping):
        return set(value)
    return {f.name for f in fields(_DEFAULTS[name])}


def _takes_several_runs(chosen: Mapping[str, Any]) -> bool:
    return chosen.get("factorization") != "arc" and chosen.get("optimizer", "online") == "online"


def _takes_whole_tree_features(chosen: Mapping[str, Any]) -> bool:
    return (
        chosen.get("factorization") not in ("arc", *PROJECTIVE_ONLY)
        and chosen.get("labels", "separate") not in LABELS_IN_SEARCH
        and chosen.get("learner", "mira") in MARGIN_LEARNERS
        and chosen.get("rival", "tree") == "tree"
    )
