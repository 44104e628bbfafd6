"""What a user can choose about a network (`headwise.components.network.config`, docs/network.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from headwise.base.fields import setting
from headwise.base.limits import COUNT, LAYER_WIDTH, POSITIVE, Below, of_core
from headwise.learning.choices import Device, NetworkLoss, Precision

FEATURES, BY_TORCH = "Parts and features", "Networks by PyTorch"
MEMBERS = of_core("network.members")
PIECES = of_core("network.pieces")
LAYERS = of_core("network.layers")
VECTORS, ARCS, LABELS = (of_core(f"network.{name}") for name in ("vectors", "arcs", "labels"))
TAGS = of_core("network.tags")
TAG_WIDTH, TORCH_TAG_WIDTH = 128, 200
TREEBANK_DECIDES = "by the size of the treebank"


@dataclass(frozen=True)
class Network:
    """A recurrent network, whose opinion is added to the scores of features.

    These settings hold whoever trains it; `Torch` has what is PyTorch's beside them.
    """

    use: bool = setting(
        False,
        "Train a recurrent network too, and add its opinion to the scores of features.",
        option="--network/--no-network",
        default_is="with --preset accurate",
    )
    alone: bool = setting(
        False,
        "There are no features: arcs have the scores of a network, at first order.",
        option="--network-alone",
        panel=FEATURES,
    )
    width: int | None = setting(
        None,
        "How wide the layers of a network are, a multiple of 16.",
        LAYER_WIDTH,
        option="--network-width",
        panel=FEATURES,
        default_is=TREEBANK_DECIDES,
    )
    epochs: int | None = setting(
        None,
        "Passes over the treebank that train a network.",
        COUNT,
        option="--network-epochs",
        panel=FEATURES,
        default_is=TREEBANK_DECIDES,
    )
    pieces: int = setting(
        0,
        "Pieces of words, of up to so many characters, have vectors too; 0: none do, and in a pipeline those"
        " of up to five.",
        PIECES,
    )
    reads_tags: bool = setting(
        True, "It reads tags and lemmas; in a pipeline it does not, and finds tags itself."
    )
    tags: int | None = setting(
        None,
        "Of a network that finds tags: the width of what words become before their tags are scored. None:"
        f" {TAG_WIDTH}, or {TORCH_TAG_WIDTH} where PyTorch trains it.",
        COUNT,
        TAGS,
    )
    weight: float | None = setting(
        None,
        "How much a network counts beside features: what its log-probabilities are multiplied by.",
        POSITIVE,
        option="--network-weight",
        panel=FEATURES,
        metavar="W",
        default_is="what does best on the development set, or on a tenth of the treebank that is held out",
    )
    bits: Literal[8, 32] = setting(
        8,
        "Bits of each weight of a network in the model. 8 is several times faster and smaller; 32 is as it"
        " was learned.",
        option="--network-bits",
        panel=FEATURES,
    )
    members: int = setting(
        1,
        "Train so many networks, which differ in their seed; their mean opinion counts. More of them are more"
        " accurate, and take longer to train and to parse with.",
        MEMBERS,
        option="--networks",
        panel=FEATURES,
    )

    @property
    def tag_width(self) -> int:
        return self.tags or TAG_WIDTH

    def without_effect(self, name: str, settings: Any) -> str | None:
        """Why a setting of these is not read beside the others; None: as far as is known, it is."""
        if name not in ("use", "") and not settings.has_network:
            return "there is no network"
        if name in ("use", "") and settings.torch.use:
            return "PyTorch trains the network, by settings of torch"
        if name == "width" and settings.torch.pretrained is not None:
            return "the pretrained file decides it"
        if name == "weight" and self.alone:
            return "there are no features to weigh the network against"
        return None


@dataclass(frozen=True)
class Torch:
    """What is PyTorch's about a network that it trains, in place of the native trainer.

    See `headwise.training.neural` and docs/torch-training.md. The model that comes out runs without PyTorch.
    """

    use: bool = setting(
        False,
        "Let PyTorch train a larger network, on a GPU where there is one; the model runs without it"
        " (docs/torch-training.md).",
        option="--torch",
    )
    device: Device = setting(
        "auto", "What it computes on; auto: a GPU where there is one.", option="--device", panel=BY_TORCH
    )
    loss: NetworkLoss = setting(
        "heads",
        "Words find their heads by themselves (heads), or trees as wholes: their log-likelihood (trees), a"
        " margin, the expected number of mistakes (risk).",
        option="--torch-loss",
        panel=BY_TORCH,
    )
    layers: int | None = setting(
        None,
        "How many layers a network has that PyTorch trains.",
        LAYERS,
        option="--torch-layers",
        panel=BY_TORCH,
        default_is=TREEBANK_DECIDES,
    )
    vectors: int = setting(256, "Numbers that stand for an atom of a word.", VECTORS)
    arcs: int = setting(
        400, "Width of what heads and modifiers become before they are compared, for arcs.", ARCS
    )
    labels: int = setting(200, "The same for labels.", LABELS)
    pieces_at_least: int = setting(5, "Pieces of words that occur so often have vectors.", COUNT)
    pretrained: str | None = setting(
        None,
        "A file of `headwise pretrain`, whose layers and vectors the network starts from. It decides how wide"
        " layers are, and how many there are.",
        option="--pretrained",
        panel=BY_TORCH,
        metavar="FILE",
    )
    dropout: float = setting(0.33, "The share of columns that is left out between layers.", Below(1))
    atom_dropout: float = setting(
        0.33,
        "The share of words that lose what names them, of those that lose their tags, and of those that lose"
        " their spelling.",
        Below(1),
    )
    recurrent_dropout: float = setting(
        0.33, "The share of the weights from one position to the next that is left out.", Below(1)
    )
    batch: int = setting(3000, "Words of a step.", COUNT)
    rate: float = setting(2e-3, "How far a step goes.", POSITIVE)
    pretrained_rate: float = setting(
        1e-3, "The rate of a network that starts from what raw text taught.", POSITIVE
    )
    encoder: str | None = setting(
        None,
        "The folder of an encoder of Hugging Face that reads sentences in place of the network's own layers,"
        " without features. Such a model needs PyTorch and transformers to parse.",
        option="--encoder",
        panel=BY_TORCH,
        metavar="FOLDER",
    )
    encoder_rate: float = setting(5e-5, "The rate of what the encoder has learned before.", POSITIVE)
    precision: Precision = setting("full", "On a GPU: products of matrices in 16 bits, or in 32.")

    def without_effect(self, name: str, settings: Any) -> str | None:
        """Why a setting of these is not read beside the others; None: as far as is known, it is."""
        if name not in ("use", "") and not self.use:
            return "PyTorch trains no network"
        if name == "layers" and self.pretrained is not None:
            return "the pretrained file decides it"
        return None
