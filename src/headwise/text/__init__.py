"""From raw text to sentences and tokens, learned from a treebank."""

from headwise.text.settings import TokenizerSettings
from headwise.text.tokenizer import TextError, Tokenizer, pretokenized
from headwise.text.train import train_tokenizer

__all__ = ["TextError", "Tokenizer", "TokenizerSettings", "pretokenized", "train_tokenizer"]
