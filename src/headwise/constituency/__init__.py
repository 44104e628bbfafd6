"""Phrase structure: bracketed trees, grammars, and parsers that agree with taggers and dependency parsers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer

if TYPE_CHECKING:
    from headwise.constituency.brackets import parse_brackets as parse_brackets
    from headwise.constituency.brackets import read_brackets as read_brackets
    from headwise.constituency.brackets import write_brackets as write_brackets
    from headwise.constituency.tree import Source as Source
    from headwise.constituency.tree import Span as Span
    from headwise.constituency.tree import Tree as Tree
    from headwise.constituency.tree import TreeError as TreeError

_HOMES = {
    "Source": "headwise.constituency.tree",
    "Span": "headwise.constituency.tree",
    "Tree": "headwise.constituency.tree",
    "TreeError": "headwise.constituency.tree",
    "parse_brackets": "headwise.constituency.brackets",
    "read_brackets": "headwise.constituency.brackets",
    "write_brackets": "headwise.constituency.brackets",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
