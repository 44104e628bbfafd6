"""Vectors of words: read from other programs' files, or made from raw text (docs/clusters.md)."""

from headwise.vectors.files import VectorError, WordVectors
from headwise.vectors.training import train_vectors

__all__ = ["VectorError", "WordVectors", "train_vectors"]
