"""The parser: train it, load it, parse with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer

if TYPE_CHECKING:
    from headwise.components.parser.config import ParserConfig as ParserConfig
    from headwise.components.parser.decoders import Decoder as Decoder
    from headwise.components.parser.flow import Flow as Flow
    from headwise.components.parser.parse import Parse as Parse
    from headwise.components.parser.parser import Parser as Parser
    from headwise.components.parser.search import Search as Search

_HOMES = {
    "Decoder": "headwise.components.parser.decoders",
    "Flow": "headwise.components.parser.flow",
    "Parse": "headwise.components.parser.parse",
    "Parser": "headwise.components.parser.parser",
    "ParserConfig": "headwise.components.parser.config",
    "Search": "headwise.components.parser.search",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
