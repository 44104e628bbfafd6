"""Vectors of words from raw text: the leading singular vectors of what stands near what.

The matrix has a row for each word and, for each of the most frequent words, a column for "on the left" and
one for "on the right"; a cell is how much more often the two meet than chance has it (positive pointwise
mutual information, with the frequencies of contexts smoothed; Levy, Goldberg and Dagan 2015). Its singular
vectors are the same on every run, and take one pass over the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from headwise.base.errors import HeadwiseError
from headwise.words.vectors.files import VectorError, WordVectors

if TYPE_CHECKING:
    from headwise._native.clusters import WindowCounter, WindowCounts

CONTEXTS = 5000
"""The most frequent words, which others are described by."""
REACH = 2
"""How far left and right of a word its contexts stand: syntax is near, topics are far."""
SMOOTHING = 0.75
"""The exponent of context frequencies."""


def train_vectors(counter: WindowCounter, *, width: int = 100, min_count: int = 5) -> WordVectors:
    """Vectors of the words that a counter has seen."""
    try:
        from scipy.sparse.linalg import svds  # type: ignore[import-untyped]
    except ImportError as error:
        raise HeadwiseError(
            "making vectors needs SciPy; install it with: pip install 'headwise[batch]'."
        ) from error
    counts = counter.counts(min_count, CONTEXTS, REACH)
    if min(len(counts.words), counts.columns) <= width:
        raise VectorError(
            f"there are {len(counts.words):,} different words that occur often enough, too few for vectors "
            f"of {width} numbers; give more text, or ask for fewer numbers (--width)."
        )
    matrix = _information(counts)
    left, sizes, _ = svds(matrix, k=width, v0=np.ones(min(matrix.shape)), solver="arpack")
    order = np.argsort(-sizes)
    vectors = left[:, order] * np.sqrt(sizes[order])
    vectors *= np.where(vectors.sum(axis=0) < 0, -1.0, 1.0)  # a singular vector's sign is anybody's
    return WordVectors(counts.words, vectors.astype(np.float32))


def _information(counts: WindowCounts) -> Any:
    """Positive pointwise mutual information of words and contexts, as a sparse matrix."""
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

    begin, column, weight = counts.rows()
    shape = (len(counts.words), counts.columns)
    matrix = csr_matrix((weight, column, begin), shape=shape)
    rows = np.asarray(matrix.sum(axis=1)).ravel()
    columns = np.asarray(matrix.sum(axis=0)).ravel() ** SMOOTHING
    columns /= max(columns.sum(), 1e-300)
    of_row = np.repeat(rows, np.diff(begin))
    matrix.data = np.maximum(0.0, np.log(weight / (of_row * columns[column])))
    matrix.eliminate_zeros()
    return matrix
