"""From raw text to sentences and tokens, learned from a treebank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwise.text.settings import TokenizerSettings
from headwise.text.tokenizer import TextError, Tokenizer, pretokenized

if TYPE_CHECKING:
    from headwise.text.train import train_tokenizer

__all__ = ["TextError", "Tokenizer", "TokenizerSettings", "pretokenized", "train_tokenizer"]


def __getattr__(name: str) -> Any:
    """Import what is for training when it is asked for: splitting text does without, and starts sooner."""
    if name != "train_tokenizer":
        raise AttributeError(f"module 'headwise.text' has no attribute {name!r}")
    from headwise.text.train import train_tokenizer

    return train_tokenizer
