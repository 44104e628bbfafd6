"""Settings of training by what they configure; TrainingSettings has one of each."""

from __future__ import annotations

from dataclasses import dataclass

from headwise.components.scoring.network import MOST_MEMBERS
from headwise.components.scoring.whole_tree import ALL as WHOLE_TREE_FAMILIES
from headwise.components.scoring.whole_tree import MOST_RESTARTS
from headwise.components.scoring.word_view import COLUMNS, MOST_CLUSTERINGS
from headwise.learning.choices import (
    Constraints,
    Device,
    NetworkLoss,
    Precision,
    TensorStart,
    WholeTreeLearning,
)
from headwise.learning.setting_checks import a_width, at_least_1, not_negative, positive
from headwise.words.clusters.hierarchy import Contours


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
    """Which (`headwise.components.scoring.whole_tree`)."""
    learning: WholeTreeLearning = "stacked"
    """How they are learned: on top of parsers that have not seen the sentence
    (`headwise.training.stacking`), or together with all other features, in one pass."""
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

    See `headwise.training.network`.
    """

    use: bool = False
    alone: bool = False
    """There are no features: arcs have the scores of the network, at first order."""
    width: int | None = None
    """How wide its layers are; a multiple of 16. None: by the size of the treebank, as …"""
    epochs: int | None = None
    """… passes over it (`headwise.training.network_size`)."""
    pieces: int = 0
    """Pieces of words, of up to so many characters, have vectors too; 0: none do, and in a pipeline those of
    up to five."""
    reads_tags: bool = True
    """Whether it reads tags and lemmas; in a pipeline it does not, and finds tags itself."""
    tags: int = 128
    """Of a network that finds tags: the width of what words become before their tags are scored."""
    weight: float | None = None
    """What its log-probabilities are multiplied by; None: what does best on the development set, or on what
    is held out to fit probabilities (`headwise.training.network_weight`); where there is neither, 1 beside
    log-probabilities of ``log-linear`` and 0.3 beside margins, where a mistake costs 1."""
    bits: int = 8
    """Of a weight in the model: 8, or 32 as it was learned. This goes for networks of PyTorch too."""
    members: int = 1
    """How many networks there are, which differ in their seed and are heard as one
    (`headwise.training.members`). This too goes for networks of PyTorch."""

    def check(self) -> None:
        if self.bits not in (8, 32):
            raise ValueError(f"network.bits is {self.bits}, must be 8 or 32")
        if not 1 <= self.members <= MOST_MEMBERS:
            raise ValueError(f"network.members is {self.members}, must be from 1 to {MOST_MEMBERS}")
        a_width(self, "network", "width")
        at_least_1(self, "network", "epochs", "tags")
        if not 0 <= self.pieces <= 16:
            raise ValueError(f"network.pieces is {self.pieces}, must be from 0 to 16")
        positive(self, "network", "weight")


@dataclass(frozen=True)
class Torch:
    """A network that PyTorch trains, in place of the native trainer (`headwise.training.neural`).

    The model that comes out runs without PyTorch.
    """

    use: bool = False
    device: Device = "auto"
    """``auto``: a GPU where there is one."""
    epochs: int | None = None
    """None: by the size of the treebank, as layers and width (`headwise.training.network_size`)."""
    loss: NetworkLoss = "heads"
    """Every word finds its head by itself; or the log-likelihood of trees, a margin between them, or the
    expected number of wrong heads."""
    layers: int | None = None
    width: int | None = None
    """Outputs of a layer in each direction; a multiple of 16."""
    vectors: int = 256
    """Numbers that stand for an atom of a word."""
    arcs: int = 400
    labels: int = 200
    """Width of what heads and modifiers become before they are compared."""
    pieces: int = 0
    """Pieces of words, of up to so many characters, have vectors too; 0: none do, and in a pipeline those of
    up to five."""
    pieces_at_least: int = 5
    """Those that occur so often."""
    reads_tags: bool = True
    """Whether it reads tags and lemmas; in a pipeline it does not, and finds tags itself."""
    tags: int = 200
    """Of a network that finds tags: the width of what words become before their tags are scored."""
    pretrained: str | None = None
    """A file of `headwise pretrain`, whose layers and vectors it starts from. They decide how wide it is."""
    dropout: float = 0.33
    """The share of columns that is left out between layers …"""
    atom_dropout: float = 0.33
    """… of words that lose what names them, their tags, or their spelling …"""
    recurrent_dropout: float = 0.33
    """… and of the weights from one position to the next."""
    batch: int = 3000
    """Words of a step."""
    rate: float = 2e-3
    pretrained_rate: float = 1e-3
    """The rate of a network that starts from what raw text taught."""
    encoder: str | None = None
    """The folder of an encoder of Hugging Face that reads sentences in place of the network's own layers.
    Such a parser needs PyTorch."""
    encoder_rate: float = 5e-5
    """The rate of what the encoder has learned before."""
    precision: Precision = "full"
    """On a GPU: products of matrices in 16 bits, or in 32."""

    def check(self) -> None:
        a_width(self, "torch", "width")
        at_least_1(
            self,
            "torch",
            "epochs",
            "layers",
            "vectors",
            "arcs",
            "labels",
            "tags",
            "pieces_at_least",
            "batch",
        )
        positive(self, "torch", "rate", "pretrained_rate", "encoder_rate")
        for name in ("dropout", "atom_dropout", "recurrent_dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"torch.{name} is {getattr(self, name)}, must be from 0 to below 1")
        if not 0 <= self.pieces <= 16:
            raise ValueError(f"torch.pieces is {self.pieces}, must be from 0 to 16")


@dataclass(frozen=True)
class Words:
    """How words are looked at (`headwise.components.scoring.word_view`)."""

    clusters: tuple[str, ...] = ()
    """Files of word clusters (`headwise.words.clusters`), each with features of its own."""
    contours: Contours = "prefixes"
    """What stands in for tags: clusters cut at a depth, or where parts are even in size, or tell most."""
    bits: tuple[int, int] = (4, 6)
    """The depths, or the number of parts as a power of two."""
    vectors: str | None = None
    """A file of word vectors (`headwise.words.vectors`), for a network or a tensor, …"""
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

    See `headwise.components.scoring.tensor` and docs/tensor.md.
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
    """Of learners that follow a gradient: the steps of the tensor (`GradientSteps`)."""
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
