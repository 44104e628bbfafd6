"""From raw text to sentences and tokens, learned from a treebank."""

from headwise.text.settings import TokenizerSettings
from headwise.text.tokenizer import Tokenizer, pretokenized
from headwise.text.train import train_tokenizer

__all__ = ["Tokenizer", "TokenizerSettings", "pretokenized", "train_tokenizer"]
