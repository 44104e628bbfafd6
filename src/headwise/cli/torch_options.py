"""Options of ``headwise train`` about networks that PyTorch trains."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from headwise.cli.command import Option
from headwise.learning import choices

Device = Annotated[
    choices.Device | None,
    Option(help="Of --torch. (default: a GPU where there is one)", panel="Networks by PyTorch"),
]
Encoder = Annotated[
    Path | None,
    Option(
        metavar="FOLDER",
        help="An encoder of Hugging Face that PyTorch trains on, without features: such a model needs"
        " PyTorch and transformers to parse.",
        panel="Networks by PyTorch",
    ),
]
Pretrained = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        help="Start from what raw text taught (`headwise pretrain`); PyTorch goes on with it.",
        panel="Networks by PyTorch",
    ),
]
Teacher = Annotated[
    list[Path] | None,
    Option(
        metavar="MODEL",
        help="Of --torch: learn from the network of this model too, how likely it holds heads and labels; may"
        " be repeated (docs/distillation.md).",
        panel="Networks by PyTorch",
    ),
]
Unlabelled = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        help="With --teacher: sentences without trees to ask teachers about; for a --pipeline also raw text.",
        panel="Networks by PyTorch",
    ),
]
TorchEpochs = Annotated[
    int | None,
    Option(
        min=1,
        help="Of --torch: passes over the data. (default: by the size of the treebank)",
        panel="Networks by PyTorch",
    ),
]
TorchWidth = Annotated[
    int | None,
    Option(
        min=16,
        max=4096,
        help="Of --torch: how wide LSTMs are. (default: by the size of the treebank)",
        panel="Networks by PyTorch",
    ),
]
TorchLayers = Annotated[
    int | None,
    Option(
        min=1,
        max=16,
        help="Of --torch: how many layers. (default: by the size of the treebank)",
        panel="Networks by PyTorch",
    ),
]
TorchLoss = Annotated[
    choices.NetworkLoss | None,
    Option(
        help="Of --torch: words find their heads by themselves (heads), or trees as wholes: their"
        " log-likelihood (trees), a margin, the expected number of mistakes (risk). (default: heads)",
        panel="Networks by PyTorch",
    ),
]
