"""Vectors of words: read from other programs' files, or made from raw text (docs/clusters.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer

if TYPE_CHECKING:
    from headwise.words.vectors.files import VectorError as VectorError
    from headwise.words.vectors.files import WordVectors as WordVectors
    from headwise.words.vectors.training import train_vectors as train_vectors

_HOMES = {
    "VectorError": "headwise.words.vectors.files",
    "WordVectors": "headwise.words.vectors.files",
    "train_vectors": "headwise.words.vectors.training",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
