"""From raw text to sentences and tokens, learned from a treebank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer
from headwise.components.text.settings import TokenizerSettings
from headwise.components.text.tokenizer import TextError, Tokenizer, pretokenized

if TYPE_CHECKING:
    from headwise.components.text.train import train_tokenizer

__all__ = ["TextError", "Tokenizer", "TokenizerSettings", "pretokenized", "train_tokenizer"]
__getattr__, __dir__ = offer(__name__, {"train_tokenizer": "headwise.components.text.train"})
