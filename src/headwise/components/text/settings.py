"""What a user can choose about a tokenizer, with defaults that hold for any treebank."""

from __future__ import annotations

from dataclasses import dataclass

from headwise.base.fields import check_fields, setting
from headwise.base.limits import BITS, COUNT, POSITIVE, SEED, SHARE


@dataclass(frozen=True)
class TokenizerSettings:
    """Settings of a training run. Nothing here depends on the language."""

    epochs: int = setting(16, "Passes over the training data.", COUNT)
    aggressiveness: float = setting(
        0.02, "MIRA's C: the longest step that a single decision may cause.", POSITIVE
    )
    bits: int = setting(21, "The weight table has 2**bits entries of 4 bytes.", BITS)
    rewrite: float = setting(
        0.0, "The share of paragraphs that are learned in lower case or in capitals.", SHARE
    )
    seed: int = setting(1, "The order of paragraphs, and which are rewritten, come from it.", SEED)

    def __post_init__(self) -> None:
        check_fields(self)
