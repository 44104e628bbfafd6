"""What a user can choose about layers that raw text teaches."""

from __future__ import annotations

from dataclasses import dataclass

from headwise.learning.choices import TORCH_LAYERS, TORCH_WIDTH, Device
from headwise.learning.setting_checks import a_width, at_least_1, positive
from headwise.training.setting_groups import Torch


@dataclass(frozen=True)
class PretrainingSettings:
    """Settings of `headwise pretrain`."""

    epochs: int = 3
    """Passes over the text."""
    words: int = 40_000
    """The most frequent words have vectors, and are predicted, …"""
    spellings: int = 20_000
    """… and so many pieces, prefixes, suffixes and shapes of words have vectors."""
    at_least: int = 3
    """Both must occur so often."""
    pieces: int = 5
    """Pieces of words have up to so many characters."""
    layers: int = TORCH_LAYERS
    width: int = TORCH_WIDTH
    vectors: int = 100
    masked: float = 0.15
    """The share of words that are left out, to be guessed by the last layer."""
    samples: int = 4096
    """A word is chosen among so many others."""
    longest: int = 100
    """Words of a sentence; the rest of a longer one is not read."""
    dropout: float = 0.1
    atom_dropout: float = 0.2
    batch: int = 16_000
    """Words of a step."""
    rate: float = 2e-3
    device: Device = "auto"
    seed: int = 1

    def __post_init__(self) -> None:
        counts = (
            "epochs",
            "words",
            "spellings",
            "at_least",
            "layers",
            "vectors",
            "samples",
            "longest",
            "batch",
        )
        at_least_1(self, "", *counts)
        positive(self, "", "rate")
        a_width(self, "", "width")
        if not 0 <= self.pieces <= 16:
            raise ValueError(f"pieces is {self.pieces}, must be from 0 to 16")
        for name in ("masked", "dropout", "atom_dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, must be from 0 to below 1")

    def torch(self) -> Torch:
        """What a trainer of networks wants to know."""
        return Torch(use=True, device=self.device, batch=self.batch, rate=self.rate)
