"""From raw text to sentences and tokens, learned from a treebank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer

if TYPE_CHECKING:
    from headwise.components.text.settings import TokenizerSettings as TokenizerSettings
    from headwise.components.text.tokenizer import TextError as TextError
    from headwise.components.text.tokenizer import Tokenizer as Tokenizer
    from headwise.components.text.tokenizer import pretokenized as pretokenized
    from headwise.components.text.train import train_tokenizer as train_tokenizer

_HOMES = {
    "TextError": "headwise.components.text.tokenizer",
    "Tokenizer": "headwise.components.text.tokenizer",
    "TokenizerSettings": "headwise.components.text.settings",
    "pretokenized": "headwise.components.text.tokenizer",
    "train_tokenizer": "headwise.components.text.train",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
