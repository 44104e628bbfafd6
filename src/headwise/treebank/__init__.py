"""Treebanks: sentences, and the files they are kept in (CoNLL-U and CoNLL-X, also .gz and .xz)."""

from headwise._native.conll import Sentence, Token
from headwise.errors import TreebankError
from headwise.treebank.reading import Reader, read
from headwise.treebank.writing import write

__all__ = ["Reader", "Sentence", "Token", "TreebankError", "read", "write"]
