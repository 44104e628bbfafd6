"""Headwise finds the head of every word: graph-based dependency parsing, exact and fast on a CPU."""

from headwise.errors import HeadwiseError
from headwise.parser import Parse, Parser

__version__ = "0.1.0"

__all__ = ["HeadwiseError", "Parse", "Parser", "__version__"]
