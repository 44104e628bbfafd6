"""Headwise finds the head of every word: graph-based dependency parsing, exact and fast on a CPU."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from headwise.base.lazy import offer as _offer
from headwise.base.version import VERSION as _VERSION

if _TYPE_CHECKING:
    from headwise.base.errors import HeadwiseError as HeadwiseError
    from headwise.base.errors import ModelError as ModelError
    from headwise.base.errors import TreebankError as TreebankError
    from headwise.components.parser import Parse as Parse
    from headwise.components.parser import Parser as Parser
    from headwise.components.parser.search import Search as Search
    from headwise.components.parser.words import Span as Span
    from headwise.components.parser.words import Word as Word
    from headwise.pipeline.document import Document as Document
    from headwise.pipeline.pipeline import Pipeline as Pipeline
    from headwise.pipeline.pipeline import load as load

__version__ = _VERSION

_HOMES = {
    "Document": "headwise.pipeline.document",
    "HeadwiseError": "headwise.base.errors",
    "ModelError": "headwise.base.errors",
    "Parse": "headwise.components.parser",
    "Parser": "headwise.components.parser",
    "Pipeline": "headwise.pipeline.pipeline",
    "Search": "headwise.components.parser.search",
    "Span": "headwise.components.parser.words",
    "TreebankError": "headwise.base.errors",
    "Word": "headwise.components.parser.words",
    "load": "headwise.pipeline.pipeline",
}
_ROOMS = (
    *(
        "components",
        "constituency",
        "corpus",
        "display",
        "dual",
        "evaluation",
        "learning",
        "model",
        "pipeline",
    ),
    *("patterns", "reference", "training", "treebank", "trees", "words"),
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
