"""The parser: train it, load it, parse with it; and the pipeline from text to trees around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the command line reads ``decoders`` without the core."""
    from headwise.lazy import resolve

    return resolve(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
