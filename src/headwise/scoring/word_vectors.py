"""Vectors of words, from text files as word2vec, fastText and GloVe write them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headwise._native import scoring as native
from headwise.errors import HeadwiseError
from headwise.treebank.files import read_lines


@dataclass(frozen=True)
class WordVectors:
    """Words and their vectors, of unit length on average."""

    words: npt.NDArray[np.int64]
    """What the words are found by, whatever their case."""
    values: npt.NDArray[np.float32]
    """One row a word."""

    @classmethod
    def of(cls, words: Iterable[str], values: npt.ArrayLike) -> WordVectors:
        """Where two words differ in case alone, the first one counts."""
        names, numbers = list(words), np.asarray(values, np.float32)
        if numbers.ndim != 2 or len(numbers) != len(names):
            raise ValueError("word vectors: a row of numbers for each word")
        if not np.isfinite(numbers).all():
            raise ValueError("word vectors: some are not finite numbers")
        keys, first = np.unique(native.word_keys(names), return_index=True)
        numbers = numbers[first]
        norm = float(np.sqrt(np.mean(np.sum(numbers.astype(np.float64) ** 2, axis=1)))) if len(keys) else 0.0
        return cls(keys, numbers / np.float32(norm) if norm > 0 else numbers)

    def among(self, words: Iterable[str]) -> WordVectors:
        """Those of some words only."""
        wanted = np.isin(self.words, native.word_keys(list(words)))
        return WordVectors(self.words[wanted], self.values[wanted])


def read_word_vectors(path: str | Path) -> WordVectors:
    """A word and its numbers a line, parted by spaces; a first line that counts both may be there."""
    words: list[str] = []
    rows: list[npt.NDArray[np.float32]] = []
    for number, line in enumerate(read_lines(path), start=1):
        word, *numbers = line.rstrip().split(" ")
        if number == 1 and len(numbers) == 1:
            continue
        try:
            row = np.array(numbers, np.float32)
        except ValueError as error:
            raise HeadwiseError(f"{path}:{number}: a word and its numbers are expected ({error}).") from error
        if not len(row) or (rows and len(row) != len(rows[0])):
            expected = len(rows[0]) if rows else "some"
            raise HeadwiseError(f"{path}:{number}: {len(row)} numbers, where {expected} are expected.")
        words.append(word)
        rows.append(row)
    if not rows:
        raise HeadwiseError(f"{path}: there are no word vectors in it.")
    try:
        return WordVectors.of(words, np.stack(rows))
    except ValueError as error:
        raise HeadwiseError(f"{path}: {error}.") from error
