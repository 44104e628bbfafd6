"""What a user can choose about layers that raw text teaches."""

from __future__ import annotations

from dataclasses import dataclass

from headwise.base.fields import check_fields, setting
from headwise.base.limits import COUNT, LAYER_WIDTH, POSITIVE, SEED, Below
from headwise.components.network.settings import LAYERS, PIECES, VECTORS, Torch
from headwise.learning.choices import TORCH_LAYERS, TORCH_WIDTH, Device


@dataclass(frozen=True)
class PretrainingSettings:
    """Settings of `headwise pretrain`."""

    epochs: int = setting(3, "Passes over the text.", COUNT, option="--epochs")
    words: int = setting(
        40_000,
        "So many of the most frequent words have vectors, and are predicted.",
        COUNT,
        option="--words",
    )
    spellings: int = setting(
        20_000, "So many pieces, prefixes, suffixes and shapes of words have vectors.", COUNT
    )
    at_least: int = setting(3, "Words, and spellings, must occur so often.", COUNT)
    pieces: int = setting(5, "Pieces of words have up to so many characters.", PIECES)
    layers: int = setting(TORCH_LAYERS, "How many layers.", LAYERS, option="--layers")
    width: int = setting(TORCH_WIDTH, "How wide LSTMs are, a multiple of 16.", LAYER_WIDTH, option="--width")
    vectors: int = setting(100, "Numbers of a vector.", VECTORS, option="--vectors")
    masked: float = setting(
        0.15, "The share of words that are left out, to be guessed by the last layer.", Below(1)
    )
    samples: int = setting(4096, "A word is chosen among so many others.", COUNT)
    longest: int = setting(100, "Words of a sentence; the rest of a longer one is not read.", COUNT)
    dropout: float = setting(0.1, "The share of columns that is left out between layers.", Below(1))
    atom_dropout: float = setting(0.2, "The share of words that lose their spelling.", Below(1))
    batch: int = setting(16_000, "Words of a step.", COUNT, option="--batch")
    rate: float = setting(2e-3, "How far a step goes.", POSITIVE)
    device: Device = setting(
        "auto", "What it computes on; auto: a GPU where there is one.", option="--device"
    )
    seed: int = setting(1, "The same seed gives the same file, on one device.", SEED, option="--seed")

    def __post_init__(self) -> None:
        check_fields(self)

    def torch(self) -> Torch:
        """What a trainer of networks wants to know."""
        return Torch(use=True, device=self.device, batch=self.batch, rate=self.rate)
