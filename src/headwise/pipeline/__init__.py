"""From text to trees: the pipeline, and the documents, sentences and words that it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer

if TYPE_CHECKING:
    from headwise.components.parser.words import Span as Span
    from headwise.components.parser.words import Word as Word
    from headwise.pipeline.document import Document as Document
    from headwise.pipeline.pipeline import Pipeline as Pipeline
    from headwise.pipeline.pipeline import load as load

_HOMES = {
    "Document": "headwise.pipeline.document",
    "Pipeline": "headwise.pipeline.pipeline",
    "Span": "headwise.components.parser.words",
    "Word": "headwise.components.parser.words",
    "load": "headwise.pipeline.pipeline",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
