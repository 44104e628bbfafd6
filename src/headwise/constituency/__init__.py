"""Phrase structure: bracketed trees, grammars, and parsers that agree with taggers and dependency parsers."""

from headwise.constituency.brackets import parse_brackets, read_brackets, write_brackets
from headwise.constituency.tree import Source, Span, Tree, TreeError

__all__ = ["Source", "Span", "Tree", "TreeError", "parse_brackets", "read_brackets", "write_brackets"]
