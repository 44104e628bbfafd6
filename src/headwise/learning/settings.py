"""What a user can choose about training, with defaults that hold for any treebank.

Settings are nested by what they configure: ``settings.pruning.threshold``, ``settings.network.width``. Where
settings are changed, a group is given as a mapping of what is changed in it, ``pruning={"threshold": 1e-3}``,
or by single settings, ``pruning__threshold=1e-3``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from headwise.clusters.hierarchy import Contours
from headwise.learning.choices import (
    EG_OPTIMIZERS,
    MARGIN_LEARNERS,
    TENSOR_RANK,
    TORCH_EPOCHS,
    TORCH_LAYERS,
    TORCH_WIDTH,
    Constraints,
    Device,
    Labels,
    Learner,
    NetworkLoss,
    Optimizer,
    Precision,
    Preset,
    Rival,
    Root,
    TensorStart,
    Trees,
    WholeTreeLearning,
)
from headwise.scoring.factorizations import PARTS, TABLES, Factorization
from headwise.scoring.whole_tree import ALL as WHOLE_TREE_FAMILIES
from headwise.scoring.whole_tree import FAMILIES, MOST_RESTARTS
from headwise.scoring.word_view import COLUMNS, MOST_CLUSTERINGS

PRESETS: dict[str, dict[str, Any]] = {
    "first": {"factorization": "arc"},
    "second": {"factorization": "carreras", "pruning": {"threshold": 1e-3}},
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

NETWORK_FACTORS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""A network that PyTorch trained is larger than the native one, and may count for more beside features."""

REGULARIZATION = {"log-linear": 10.0, "max-margin": 100.0}
"""Tuned on held-out Danish and Gothic at 1,000 to 1,500 sentences (4 is as good as 10 for ``log-linear``, 30
nearly as good as 100 for ``max-margin``); for ``max-margin`` the same is best at 4,700 sentences."""


@dataclass(frozen=True)
class Pruning:
    """Above first order: which arcs larger parts are made of."""

    threshold: float = 1e-4
    """Heads less likely than this share of the best head's are not considered."""
    heads: int = 10
    """At most so many heads a word are considered."""
    epochs: int = 2
    bits: int = 20

    def check(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"pruning.threshold is {self.threshold}, must be between 0 and 1")
        at_least_1(self, "pruning", "heads", "epochs")


@dataclass(frozen=True)
class GradientSteps:
    """Of learners that follow a gradient g, a sentence at a time (AdaGrad)."""

    step: float = 0.15
    """A weight moves by step·g/√(damping + Σ g²) …"""
    damping: float = 100.0
    """… so that weights that have seen little gradient all move alike, and others less and less."""
    label_step: float = 0.1
    label_damping: float = 1.0
    """The same for labels that are chosen over the finished tree."""
    l2: float = 0.0
    """How strongly the weights that a sentence touches are pulled towards zero."""
    cost: float = 2.0
    """Of ``log-linear``: what a wrong head or label costs while learning (softmax-margin, Gimpel and Smith
    2010). With 0 the likelihood is maximized, and probabilities are calibrated best; with more, trees are
    better."""
    negligible: float = 0.005
    """Of ``log-linear``: parts whose probability is this close to the truth are not worth a step."""

    def check(self) -> None:
        positive(self, "gradient", "step", "label_step")
        not_negative(self, "gradient", "damping", "label_damping", "l2", "cost", "negligible")


@dataclass(frozen=True)
class ExponentiatedGradient:
    """Of the optimizers ``eg`` and ``eg-batch``."""

    start: float = 9.0
    """It starts with so much more weight on the parts of the gold tree (β)."""
    rate: float | None = None
    """Its learning rate at first (η), halved where a step fails; None: 0.5 for ``log-linear``, 8 for
    ``max-margin``."""

    def check(self) -> None:
        not_negative(self, "eg", "start")


@dataclass(frozen=True)
class Sampling:
    """Of the learner ``samplerank``."""

    samples_a_word: int = 1
    """Steps of the chain for each word of a sentence."""
    constraints: Constraints = "both"
    """The better one of two successive samples is to score higher (``pairs``), the gold tree is to score
    higher than a sample (``gold``), or both (Zhang et al. 2014, Figures 4 and 8)."""

    keep_chains: bool = False
    """Go on in each epoch from the trees that the chains had come to in the last one."""

    def check(self) -> None:
        at_least_1(self, "sampling", "samples_a_word")


@dataclass(frozen=True)
class LatentLabels:
    """Labels that no treebank names: clusters of arcs, summed over."""

    clusters: int = 4
    noise: float = 0.1
    """They start from random weights of this size, so that they come to differ."""

    def check(self) -> None:
        if not 1 <= self.clusters <= 200:
            raise ValueError(f"latent.clusters is {self.clusters}, must be from 1 to 200")
        not_negative(self, "latent", "noise")


@dataclass(frozen=True)
class WholeTreeFeatures:
    """Above first order: features of whole trees.

    Trees are then searched by climbing from the best tree of the other parts.
    """

    families: tuple[str, ...] = ()
    """Which (:mod:`headwise.scoring.whole_tree`)."""
    learning: WholeTreeLearning = "stacked"
    """How they are learned: on top of parsers that have not seen the sentence
    (:mod:`headwise.learning.stacking`), or together with all other features, in one pass."""
    folds: int = 3
    """Of ``stacked``: so many parsers, each of which leaves one part of the data out …"""
    fold_epochs: int = 5
    """… in so many passes; then …"""
    epochs: int = 3
    """… passes over the data that learn features of whole trees …"""
    aggressiveness: float = 0.003
    """… with this C of MIRA."""
    bits: int = 21
    """Their weight table has 2**bits entries."""
    restarts: int = 0
    """Where arcs may cross, climb from so many random trees too."""

    def check(self) -> None:
        if unknown := set(self.families) - set(WHOLE_TREE_FAMILIES):
            choices = ", ".join(WHOLE_TREE_FAMILIES)
            raise ValueError(
                f"whole_tree.families names no family: {', '.join(sorted(unknown))} (use {choices})"
            )
        if self.folds < 2:
            raise ValueError(f"whole_tree.folds is {self.folds}, must be at least 2")
        if not 4 <= self.bits <= 28:
            raise ValueError(f"whole_tree.bits is {self.bits}, must be from 4 to 28")
        at_least_1(self, "whole_tree", "epochs", "fold_epochs")
        if not 0 <= self.restarts <= MOST_RESTARTS:
            raise ValueError(f"whole_tree.restarts is {self.restarts}, must be from 0 to {MOST_RESTARTS:,}")
        positive(self, "whole_tree", "aggressiveness")


@dataclass(frozen=True)
class Network:
    """Above first order: a recurrent network, whose opinion is added to the scores of features.

    See :mod:`headwise.learning.network`.
    """

    use: bool = False
    alone: bool = False
    """There are no features: arcs have the scores of the network, at first order."""
    width: int = 128
    """How wide its layers are; a multiple of 16."""
    weight: float | None = None
    """What its log-probabilities are multiplied by; None: 1 beside log-probabilities of ``log-linear``, 0.3
    beside margins, where a mistake costs 1."""

    def check(self) -> None:
        if not 16 <= self.width <= 4096 or self.width % 16:
            raise ValueError(f"network.width is {self.width}, must be a multiple of 16, at most 4096")
        positive(self, "network", "weight")


@dataclass(frozen=True)
class Torch:
    """A network that PyTorch trains, in place of the native trainer (:mod:`headwise.neural`).

    The model that comes out runs without PyTorch.
    """

    use: bool = False
    device: Device = "auto"
    """``auto``: a GPU where there is one."""
    epochs: int = TORCH_EPOCHS
    loss: NetworkLoss = "heads"
    """Every word finds its head by itself; or the log-likelihood of trees, a margin between them, or the
    expected number of wrong heads."""
    layers: int = TORCH_LAYERS
    width: int = TORCH_WIDTH
    """Outputs of a layer in each direction; a multiple of 16."""
    vectors: int = 256
    """Numbers that stand for an atom of a word."""
    arcs: int = 400
    labels: int = 200
    """Width of what heads and modifiers become before they are compared."""
    pieces: int = 0
    """Pieces of words, of up to so many characters, have vectors too; 0: they have none."""
    pieces_at_least: int = 5
    """Those that occur so often."""
    dropout: float = 0.33
    """The share of columns that is left out between layers …"""
    atom_dropout: float = 0.33
    """… of words that lose what names them, their tags, or their spelling …"""
    recurrent_dropout: float = 0.33
    """… and of the weights from one position to the next."""
    batch: int = 3000
    """Words of a step."""
    rate: float = 2e-3
    encoder: str | None = None
    """The folder of an encoder of Hugging Face that reads sentences in place of the network's own layers.
    Such a parser needs PyTorch."""
    encoder_rate: float = 5e-5
    """The rate of what the encoder has learned before."""
    precision: Precision = "full"
    """On a GPU: products of matrices in 16 bits, or in 32."""

    def check(self) -> None:
        if not 16 <= self.width <= 4096 or self.width % 16:
            raise ValueError(f"torch.width is {self.width}, must be a multiple of 16, at most 4096")
        at_least_1(self, "torch", "epochs", "layers", "vectors", "arcs", "labels", "pieces_at_least", "batch")
        positive(self, "torch", "rate", "encoder_rate")
        for name in ("dropout", "atom_dropout", "recurrent_dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"torch.{name} is {getattr(self, name)}, must be from 0 to below 1")
        if not 0 <= self.pieces <= 16:
            raise ValueError(f"torch.pieces is {self.pieces}, must be from 0 to 16")


@dataclass(frozen=True)
class Words:
    """How words are looked at (:mod:`headwise.scoring.word_view`)."""

    clusters: tuple[str, ...] = ()
    """Files of word clusters (:mod:`headwise.clusters`), each with features of its own."""
    contours: Contours = "prefixes"
    """What stands in for tags: clusters cut at a depth, or where parts are even in size, or tell most."""
    bits: tuple[int, int] = (4, 6)
    """The depths, or the number of parts as a power of two."""
    vectors: str | None = None
    """A file of word vectors (:mod:`headwise.vectors`), for a network or a tensor, …"""
    vector_words: int = 50_000
    """… of which so many words are read."""
    frequent: int | None = None
    """Only so many of the most frequent words are told apart (Koo 2010, 3.3.2); None: all."""
    ignore: tuple[str, ...] = ()
    """Columns that are not read: lemma, upos, xpos, feats."""

    def check(self) -> None:
        if len(self.clusters) > MOST_CLUSTERINGS:
            raise ValueError(
                f"words.clusters names {len(self.clusters)} files, must be at most {MOST_CLUSTERINGS}"
            )
        if unknown := set(self.ignore) - set(COLUMNS):
            raise ValueError(
                f"words.ignore names no column: {', '.join(sorted(unknown))} (use {', '.join(COLUMNS)})"
            )
        if len(self.bits) != 2 or not all(1 <= bits <= 16 for bits in self.bits):
            raise ValueError(f"words.bits is {self.bits}, must be two numbers from 1 to 16")
        positive(self, "words", "frequent")
        at_least_1(self, "words", "vector_words")


@dataclass(frozen=True)
class Tensor:
    """A low-rank tensor that scores arcs beside features (Lei et al. 2014), learned together with them.

    See :mod:`headwise.scoring.tensor` and docs/tensor.md.
    """

    rank: int = 0
    """How many dimensions words are mapped to; 0: no tensor."""
    share: float | None = None
    """γ: the share of features, 1 − γ being that of the tensor; None: by order."""
    aggressiveness: float | None = None
    """C of ``mira`` with a tensor; None: by order."""
    start: TensorStart = "features"
    """From the weights of features after an epoch, decomposed, or from noise."""
    at_least: int = 1
    """Features of words that occur less often in the training data are left out."""
    step: float = 0.02
    damping: float = 1.0
    """Of learners that follow a gradient: the steps of the tensor (:class:`GradientSteps`)."""
    labels: bool = False
    """Labels are features of arcs too, so that the tensor scores them over the finished tree."""

    def check(self) -> None:
        if not 0 <= self.rank <= 1024:
            raise ValueError(f"tensor.rank is {self.rank}, must be from 0 (no tensor) to 1024")
        if self.share is not None and not 0 <= self.share <= 1:
            raise ValueError(f"tensor.share is {self.share}, must be between 0 and 1")
        at_least_1(self, "tensor", "at_least")
        positive(self, "tensor", "aggressiveness", "step")
        not_negative(self, "tensor", "damping")


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
    labels: Labels = "separate"
    """Find labels over the finished tree, inside the search, or not at all; or learn clusters of arcs that no
    treebank names."""
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
    roles: bool | None = None
    """Above first order: guess what each word is (its label, and the side of its head) before heads are
    searched, for features that ask for it (:mod:`headwise.scoring.roles`). None: from third order on."""
    calibrate: bool = True
    """Fit what makes probabilities of scores, on the development set. Without one, parsers of parts of the
    data are trained for it (:mod:`headwise.learning.calibrating`)."""
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
    tensor: Tensor = field(default_factory=Tensor)
    """A number stands for its ``rank``; ``True`` for rank 50, ``False`` for none."""

    @property
    def regularization_constant(self) -> float:
        """C, chosen or by default. Only what minimizes a regularized objective has one."""
        return self.regularization or REGULARIZATION[self.learner]

    @property
    def network_weight(self) -> float:
        """How much the opinion of a network counts, chosen or by default (docs/network.md)."""
        return self.network.weight or (1.0 if self.learner == "log-linear" else 0.3)

    @property
    def has_network(self) -> bool:
        return self.network.use or self.torch.use

    @property
    def network_weights(self) -> list[float]:
        """Those that are tried on the development set; of the native network, whose size is known, one."""
        if self.network.weight is not None or not self.torch.use:
            return [self.network_weight]
        return [factor * self.network_weight for factor in NETWORK_FACTORS]

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
    def preset(cls, preset: Preset = "third", **changes: Any) -> TrainingSettings:
        """The settings of a preset, with changes.

        At first order a network is left out; features of whole trees and several runs are where what is
        changed cannot do with them: first order, a learner that sums over trees or follows a gradient, an
        optimizer that sees all sentences at once.
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
            and chosen.get("factorization") == "arc"
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
        _check_choices(self)
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
        if self.labels in ("joint", "latent") and self.has_larger_parts:
            raise ValueError(f"labels={self.labels!r} needs factorization='arc' (the preset first)")
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
        if self.torch.encoder and not (self.torch.use and self.network.alone):
            raise ValueError("torch.encoder needs torch.use and the preset network: there are no features")
        if self.words.vectors is not None and not self.has_network and not self.tensor.rank:
            raise ValueError("vectors of words are read by a network or a tensor: network=True, tensor=True")
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
        if self.labels in ("joint", "latent"):
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
            if self.labels in ("joint", "latent"):
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


def _check_choices(settings: Any, prefix: str = "") -> None:
    hints = get_type_hints(type(settings))
    for f in fields(settings):
        value = getattr(settings, f.name)
        if is_dataclass(value):
            _check_choices(value, f"{f.name}.")
        elif get_origin(hints[f.name]) is Literal and value not in get_args(hints[f.name]):
            choices = ", ".join(get_args(hints[f.name]))
            raise ValueError(f"{prefix}{f.name} is {value!r}, must be one of: {choices}")


def _numbers(settings: Any, group: str, names: tuple[str, ...]) -> list[tuple[str, Any]]:
    prefix = f"{group}." if group else ""
    return [(prefix + name, getattr(settings, name)) for name in names]


def at_least_1(settings: Any, group: str, *names: str) -> None:
    for name, value in _numbers(settings, group, names):
        if value < 1:
            raise ValueError(f"{name} is {value}, must be at least 1")


def not_negative(settings: Any, group: str, *names: str) -> None:
    for name, value in _numbers(settings, group, names):
        if not 0 <= value < math.inf:
            raise ValueError(f"{name} is {value}, must not be negative")


def positive(settings: Any, group: str, *names: str) -> None:
    """None, which stands for a default, will do."""
    for name, value in _numbers(settings, group, names):
        if value is not None and not 0 < value < math.inf:
            raise ValueError(f"{name} is {value}, must be positive")


def _takes_several_runs(chosen: Mapping[str, Any]) -> bool:
    return chosen.get("factorization") != "arc" and chosen.get("optimizer", "online") == "online"


def _takes_whole_tree_features(chosen: Mapping[str, Any]) -> bool:
    return (
        chosen.get("factorization") != "arc"
        and chosen.get("learner", "mira") in MARGIN_LEARNERS
        and chosen.get("rival", "tree") == "tree"
    )
