"""Headwise finds the head of every word: graph-based dependency parsing, exact and fast on a CPU."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from headwise.lazy import offer as _offer

if _TYPE_CHECKING:
    from headwise.errors import HeadwiseError as HeadwiseError
    from headwise.errors import ModelError as ModelError
    from headwise.errors import TreebankError as TreebankError
    from headwise.parser import Parse as Parse
    from headwise.parser import Parser as Parser
    from headwise.parser.document import Document as Document
    from headwise.parser.pipeline import Pipeline as Pipeline
    from headwise.parser.pipeline import load as load
    from headwise.parser.words import Span as Span
    from headwise.parser.words import Word as Word

__version__ = "0.1.0"

_HOMES = {
    "Document": "headwise.parser.document",
    "HeadwiseError": "headwise.errors",
    "ModelError": "headwise.errors",
    "Parse": "headwise.parser",
    "Parser": "headwise.parser",
    "Pipeline": "headwise.parser.pipeline",
    "Span": "headwise.parser.words",
    "TreebankError": "headwise.errors",
    "Word": "headwise.parser.words",
    "load": "headwise.parser.pipeline",
}
_ROOMS = (
    *("clusters", "confidence", "constituency", "corpus", "display", "dual", "errors", "evaluation"),
    *(
        "learning",
        "model",
        "parser",
        "reference",
        "scoring",
        "tagging",
        "text",
        "treebank",
        "trees",
        "vectors",
    ),
)
"""Packages that need no more than Headwise itself."""
__all__ = [*_HOMES, "__version__"]
_named, _ = _offer(__name__, _HOMES)


def __getattr__(name: str) -> _Any:
    """What the package offers, imported when it is asked for; also ``headwise.trees`` and other packages."""
    return _import_module(f"headwise.{name}") if name in _ROOMS else _named(name)


def __dir__() -> list[str]:
    """What there is for others to use."""
    return sorted({*__all__, *_ROOMS, *(name for name in globals() if name.startswith("__"))})
