"""Vectors of words from raw text, for benchmarks: what stands beside a word, counted and decomposed.

Positive pointwise mutual information of a word with the frequent words one and two places before and after
it, and of that the top singular vectors (Levy and Goldberg 2014). Narrow windows tell kinds of words apart,
not topics.
"""

from __future__ import annotations

import lzma
import re
from collections import Counter
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import svds

OFFSETS = (-2, -1, 1, 2)
CONTEXTS = 1000
"""So many of the most frequent words are what others are known by."""
_TOKEN = re.compile(r"\w+|[^\w\s]")


def write_text_vectors(
    text: Path, file: Path, *, words: int = 30_000, width: int = 50, most_tokens: int = 10_000_000
) -> None:
    """Write vectors of the most frequent words of a text, in the format of word2vec."""
    counts: Counter[str] = Counter()
    tokens: list[str] = []
    with lzma.open(text, "rt", encoding="utf-8") as lines:
        for line in lines:
            found = _TOKEN.findall(line.lower())
            counts.update(found)
            tokens += [*found, ""]  # lines are paragraphs: nothing reaches across
            if len(tokens) > most_tokens:
                break
    names = [word for word, _ in counts.most_common(words)]
    number = {word: i for i, word in enumerate(names)}
    ids = np.array([number.get(token, -1) for token in tokens], np.int32)
    joint = np.hstack([_beside(ids, len(names), offset) for offset in OFFSETS])
    vectors = _decomposed(joint, width)
    with file.open("w", encoding="utf-8") as output:
        output.write(f"{len(names)} {vectors.shape[1]}\n")
        for word, row in zip(names, vectors, strict=True):
            output.write(f"{word} {' '.join(f'{x:.4f}' for x in row)}\n")


def _beside(ids: np.ndarray, words: int, offset: int) -> np.ndarray:
    """``[word, context]``: how often the context stands at the offset from the word."""
    here, there = (ids[:-offset], ids[offset:]) if offset > 0 else (ids[-offset:], ids[:offset])
    known = (here >= 0) & (there >= 0) & (there < CONTEXTS)
    pairs = here[known].astype(np.int64) * CONTEXTS + there[known]
    return np.bincount(pairs, minlength=words * CONTEXTS).reshape(words, CONTEXTS).astype(np.float32)


def _decomposed(joint: np.ndarray, width: int) -> np.ndarray:
    total = joint.sum()
    expected = joint.sum(axis=1, keepdims=True) * (joint.sum(axis=0, keepdims=True) / total)
    information = np.log(np.maximum(joint, 1e-9) / np.maximum(expected, 1e-9))
    information[joint == 0] = 0
    width = min(width, min(joint.shape) - 1)
    left, values, _ = svds(csr_array(np.maximum(information, 0)), k=width, v0=np.ones(min(joint.shape)))
    vectors = left * np.sqrt(values)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.maximum(norms, 1e-9)
