"""The parser: train it, load it, parse with it; and the pipeline from text to trees around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.lazy import offer

if TYPE_CHECKING:
    from headwise.parser.config import ParserConfig as ParserConfig
    from headwise.parser.decoders import Decoder as Decoder
    from headwise.parser.parse import Parse as Parse
    from headwise.parser.parser import Parser as Parser
    from headwise.parser.pipeline import Pipeline as Pipeline

_HOMES = {
    "Decoder": "headwise.parser.decoders",
    "Parse": "headwise.parser.parse",
    "Parser": "headwise.parser.parser",
    "ParserConfig": "headwise.parser.config",
    "Pipeline": "headwise.parser.pipeline",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
