"""What a user can choose about training, with defaults that hold for any treebank.

Settings are nested by what they configure: ``settings.pruning.threshold``, ``settings.network.width``. Where
settings are changed, a group is given as a mapping of what is changed in it, ``pruning={"threshold": 1e-3}``,
or by single settings, ``pruning__threshold=1e-3``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from headwise.base.fields import Flag, SettingError, check_fields, fields_of, group, mains_of, setting
from headwise.base.limits import BITS, COUNT, NOT_NEGATIVE, POSITIVE, SEED, Among, Within
from headwise.components.network.settings import Network, Torch
from headwise.components.pruner.settings import Pruning
from headwise.components.scoring.word_settings import Words
from headwise.components.tensor.settings import USUAL_RANK, Tensor
from headwise.components.whole_tree.settings import WholeTreeFeatures
from headwise.learning.choices import (
    LABELS_IN_SEARCH,
    MARGIN_LEARNERS,
    Labels,
    Learner,
    Optimizer,
    Preset,
    Rival,
    Root,
    Trees,
)
from headwise.learning.settings import (
    ALONE,
    LEARNING,
    ExponentiatedGradient,
    GradientSteps,
    LatentLabels,
    Sampling,
)
from headwise.training.presets import CHOICES as CHOICES
from headwise.training.presets import EXPERIMENTS, SECOND_ORDER
from headwise.training.presets import PRESETS as PRESETS
from headwise.training.setting_conflicts import check_conflicts
from headwise.training.teaching_settings import Teaching
from headwise.trees.factorizations import PARTS, PROJECTIVE_ONLY, Factorization

FEATURES, LABELS = "Parts and features", "Labels"
THREADS = Within(0, 1024)
OF_FEATURES = {"epochs", "aggressiveness", "averaged", "regularization", "cutoff", "arc_bits", "label_bits"}
"""Settings of what a network alone does not learn; groups of them say it of themselves."""


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

    trees: Trees = setting(
        "auto",
        "Kind of tree to search; auto looks at the share of crossing arcs.",
        option="--trees",
        panel="Trees",
    )
    root: Root = setting(
        "auto",
        "One word under the root, or several; auto looks at the treebank.",
        option="--root",
        panel="Trees",
    )
    factorization: Factorization = setting(
        "model1",
        "The parts that are scored: arcs alone, or larger ones (docs/learning.md).",
        option="--factorization",
        panel=FEATURES,
    )
    learner: Learner = setting(
        "mira",
        "What is learned: margins one example at a time (mira, perceptron), margins between trees that a"
        " chain of samples comes by (samplerank), probabilities of trees (log-linear), or margins by the"
        " gradient of an objective (max-margin).",
        option="--learner",
        panel=LEARNING,
    )
    optimizer: Optimizer = setting(
        "online",
        "How log-linear and max-margin are optimized: by stochastic gradient (online), by exponentiated"
        " gradient on the dual (eg, eg-batch), or, log-linear, by SciPy over all sentences at once (l-bfgs,"
        " cg).",
        option="--optimizer",
        panel=LEARNING,
    )
    regularization: float | None = setting(
        None,
        "C of the objective C/2·|w|² + losses, for optimizers other than online.",
        POSITIVE,
        option="--regularization",
        panel=LEARNING,
        default_is="10 for log-linear, 100 for max-margin",
    )
    labels: Labels = setting(
        "separate",
        "Labels over the finished tree (separate), inside the search (joint), learned clusters of arcs that"
        " the treebank does not name (latent), or none.",
        option="--labels",
        panel=LABELS,
        flags=(Flag("--unlabeled", "none", "Learn heads only."),),
    )
    rules: tuple[str, ...] | None = setting(
        None,
        "Rules that labels over the finished tree obey together (docs/constraints.md). None: those of"
        " Universal Dependencies that the training data obey.",
        panel=LABELS,
        flags=(
            Flag(
                "--no-rules",
                (),
                "Let labels break the rules of Universal Dependencies that the training treebank obeys, such"
                " as one subject a predicate.",
            ),
        ),
    )
    epochs: int = setting(10, "Passes over the training data.", COUNT, option="--epochs")
    aggressiveness: float = setting(
        0.01, "MIRA's C: the longest step that a single sentence may cause.", POSITIVE
    )
    rival: Rival = setting(
        "tree",
        "What the gold tree is compared with in training: the best tree. Above first order also the best one"
        " that climbs from random trees find (climbed; Zhang et al. 2014), or the best choices of head"
        " automata that need not agree on a tree (relaxed; Koo et al. 2010, section 6), which is faster and"
        " learns less. At first order also the best head of each word by itself (independent).",
    )
    choose_trees: bool = setting(
        False,
        "Where arcs may cross: decode without crossing arcs if the development set is parsed better so (Koo"
        " 2010, 4.6.2).",
        option="--choose-trees",
        panel="Trees",
    )
    averaged: bool = setting(
        True,
        "Of online learners: average the weights over all steps, or keep the last ones, as Carreras (2007)"
        " has them for comparison.",
        option="--averaging/--no-averaging",
        panel=LEARNING,
    )
    seed: int = setting(1, "Same seed and data: the same model, byte for byte.", SEED, option="--seed")
    runs: int = setting(
        1,
        "Above first order, of online learners: so many runs over the data, in orders of their own,"
        " averaged.",
        COUNT,
    )
    threads: int = setting(
        1, "0 uses every core; the model does not depend on it.", THREADS, option="--threads"
    )
    arc_bits: int = setting(
        22, "The weight table of arcs has 2^N entries of 4 bytes.", BITS, option="--arc-bits", panel=FEATURES
    )
    label_bits: int = setting(22, "The weight table of labels has 2^N entries of 4 bytes.", BITS)
    templates: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Feature templates by table (``arc``, ``label``, ``sibling`` …) instead of the built-in ones; either way
    they are fitted to the columns that the treebank fills."""
    cutoff: int = setting(
        0,
        "Only features are learned that occur N times in the gold trees. Of online learners, and trees that"
        " are whole.",
        NOT_NEGATIVE,
        option="--cutoff",
        panel=FEATURES,
        default_is="all are learned, also those that no gold tree has",
    )
    without: tuple[str, ...] = setting(
        (),
        "Kind of larger part (sibling, grandchild, outermost …) that gets no features, although the"
        " factorization has it; may be repeated.",
        Among(sorted({part for parts in PARTS.values() for part in parts}), "part"),
        option="--without",
        panel=FEATURES,
        metavar="PART",
    )
    positions: bool = setting(
        False,
        "Features of parts by position: innermost modifiers apart from others, second ones where parts tell"
        " (Koo 2010, B.1.3). Of factorizations with siblings.",
        option="--positions",
        panel=FEATURES,
    )
    roles: bool | None = setting(
        None,
        "Guess the label of each word and the side of its head first, for features that ask for them: more"
        " accurate, and a fifth slower.",
        option="--roles/--no-roles",
        panel=FEATURES,
        default_is="from third order on",
    )
    calibrate: bool = setting(
        True,
        "Fit probabilities (parse --confidence): on the development set, or, without one, on parts of the"
        " training data that other parsers have not seen, which takes about as long again.",
        option="--calibration/--no-calibration",
        panel=LEARNING,
    )
    words: Words = group(Words)
    pruning: Pruning = group(Pruning)
    gradient: GradientSteps = group(GradientSteps)
    eg: ExponentiatedGradient = group(ExponentiatedGradient)
    sampling: Sampling = group(Sampling)
    latent: LatentLabels = group(LatentLabels)
    whole_tree: WholeTreeFeatures = group(WholeTreeFeatures)
    network: Network = group(Network, main="use")
    """``True`` and ``False`` stand for its ``use``."""
    torch: Torch = group(Torch, main="use")
    """What is PyTorch's about the network; ``True`` and ``False`` stand for its ``use``."""
    teaching: Teaching = group(Teaching)
    tensor: Tensor = group(Tensor, main="rank")
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
            names = f"{', '.join(CHOICES)}; for experiments also {', '.join(EXPERIMENTS)}"
            raise SettingError(f"preset is {preset!r}, must be one of: {names}")
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
        check_fields(self)
        check_conflicts(self)

    def without_effect(self, name: str) -> str | None:
        """Why a setting, ``network__width``, is not read beside these; None: as far as is known, it is."""
        name, _, inside = name.partition("__")
        group = getattr(self, name)
        if is_dataclass(group):
            reason: str | None = cast(Any, group).without_effect(inside, self)
            return reason
        reasons = {
            ALONE: name in OF_FEATURES and self.network.alone,
            "a tensor has its own": name == "aggressiveness" and self.tensor.rank > 0,
            f"the learner {self.learner} has no longest step": (
                name == "aggressiveness"
                and (self.learner not in MARGIN_LEARNERS or self.learner == "perceptron")
            ),
            "the optimizer online is without it": name == "regularization" and self.optimizer == "online",
            "no tree depends on it": name in ("threads", "calibrate"),
        }
        return next((reason for reason, holds in reasons.items() if holds), None)


def of_features(factorization: Factorization, **changes: Any) -> TrainingSettings:
    """Settings of features alone, for parts of this size."""
    start = (
        SECOND_ORDER if factorization == SECOND_ORDER["factorization"] else {"factorization": factorization}
    )
    return TrainingSettings().changed(**start, **changes)


_DEFAULTS: dict[str, Any] = {
    f.name: f.default_factory()
    for f in fields(TrainingSettings)
    if f.name not in ("templates",) and callable(f.default_factory)
}
"""The groups, as they are by default."""


MAIN = mains_of(TrainingSettings)
"""Groups that a single value may stand for, and the setting that it is then of."""

OF_ANY_NETWORK = ("width", "epochs", "pieces", "reads_tags", "tags")
"""Settings of a network that may be said where PyTorch's are: ``torch={"width": 256}``."""

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
    if isinstance(torch := grouped.get("torch"), Mapping) and (shared := torch.keys() & set(OF_ANY_NETWORK)):
        own = {name: value for name, value in torch.items() if name not in shared}
        network = {name: torch[name] for name in torch if name in shared}
        grouped |= {
            "torch": own,
            "network": {**network, **_as_mapping(grouped.get("network", {}), "network")},
        }
    return grouped


def _as_mapping(value: Any, group: str) -> Any:
    """What a single value stands for in a group that has a main setting."""
    if group in MAIN and isinstance(value, bool | int):
        main = fields_of(TrainingSettings)[MAIN[group]]
        if main.kind is bool:
            return {"use": value} if isinstance(value, bool) else value
        return {"rank": USUAL_RANK if value is True else int(value)}
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
