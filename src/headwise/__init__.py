"""Headwise finds the head of every word: graph-based dependency parsing, exact and fast on a CPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headwise.lazy import resolve

if TYPE_CHECKING:
    from headwise.errors import HeadwiseError as HeadwiseError
    from headwise.parser import Parse as Parse
    from headwise.parser import Parser as Parser
    from headwise.parser.document import Document as Document
    from headwise.parser.pipeline import Pipeline as Pipeline
    from headwise.parser.pipeline import load as load

__version__ = "0.1.0"

_HOMES = {
    "Document": "headwise.parser.document",
    "HeadwiseError": "headwise.errors",
    "Parse": "headwise.parser",
    "Parser": "headwise.parser",
    "Pipeline": "headwise.parser.pipeline",
    "load": "headwise.parser.pipeline",
}
__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for."""
    return resolve(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
