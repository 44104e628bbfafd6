"""What a user can choose about a tokenizer, with defaults that hold for any treebank."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TokenizerSettings:
    """Settings of a training run. Nothing here depends on the language."""

    epochs: int = 16
    aggressiveness: float = 0.02
    """MIRA's C: the longest step a single decision may cause."""
    bits: int = 21
    """The weight table has 2**bits entries of 4 bytes."""
    rewrite: float = 0.0
    """The share of paragraphs that are learned in lower case or in capitals."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.epochs < 1:
            raise ValueError(f"epochs is {self.epochs}, must be at least 1")
        if not self.aggressiveness > 0:
            raise ValueError(f"aggressiveness is {self.aggressiveness}, must be positive")
        if not 10 <= self.bits <= 28:
            raise ValueError(f"bits is {self.bits}, must be from 10 to 28")
        if not 0 <= self.rewrite <= 1:
            raise ValueError(f"rewrite is {self.rewrite:g}, must be from 0 to 1")
