"""The text files that word2vec, fastText and GloVe write: a word and its numbers on every line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headwise.base.errors import HeadwiseError
from headwise.treebank.files import LONGEST_LINE, name_of, opened_for_writing, read_lines


class VectorError(HeadwiseError):
    """Vectors that cannot be used."""


@dataclass(frozen=True)
class WordVectors:
    """Words, most frequent first, and a row of numbers for each."""

    words: Sequence[str]
    numbers: npt.NDArray[np.float32]

    @property
    def width(self) -> int:
        return int(self.numbers.shape[1])

    @classmethod
    def load(cls, path: str | Path, most: int | None = None) -> WordVectors:
        """Read a file: with or without a first line of the two sizes; the first ``most`` words."""
        words: dict[str, npt.NDArray[np.float32]] = {}
        width = 0
        for number, line in enumerate(read_lines(path, longest=LONGEST_LINE), 1):
            word, *numbers = line.rstrip().split(" ")
            if number == 1 and len(numbers) == 1 and word.isdigit() and numbers[0].isdigit():
                continue
            if not numbers:
                if not word:
                    continue
                raise VectorError(f"{name_of(path)}:{number}: a word and its numbers were expected.")
            try:
                row = np.array(numbers, dtype=np.float32)
            except ValueError:
                raise VectorError(
                    f"{name_of(path)}:{number}: a word and its numbers were expected, with spaces between."
                ) from None
            if not np.isfinite(row).all():
                raise VectorError(f"{name_of(path)}:{number}: a number is not finite.")
            width = width or len(row)
            if len(row) != width:
                raise VectorError(
                    f"{name_of(path)}:{number}: {len(row)} numbers, where the lines before have {width}."
                )
            words.setdefault(word, row)
            if len(words) == most:
                break
        if not words:
            raise VectorError(f"{name_of(path)}: there are no vectors in this file.")
        return cls(list(words), np.stack(list(words.values())))

    def save(self, path: str | Path) -> None:
        """Write such a file, with the two sizes on the first line; ``.gz`` and ``.xz`` are compressed."""
        with opened_for_writing(path) as file:
            file.write(f"{len(self.words)} {self.width}\n".encode())
            for word, row in zip(self.words, self.numbers, strict=True):
                file.write(f"{word} {' '.join(f'{x:.5g}' for x in row.tolist())}\n".encode())

    def nearest(self, word: str, most: int = 10) -> list[tuple[str, float]]:
        """The words whose vectors point in the most similar direction, and the cosines."""
        if word not in self.words:
            raise KeyError(word)
        unit = self.numbers / np.maximum(np.linalg.norm(self.numbers, axis=1, keepdims=True), 1e-12)
        own = list(self.words).index(word)
        cosines = unit @ unit[own]
        order = [i for i in np.argsort(-cosines, kind="stable").tolist() if i != own][:most]
        return [(self.words[i], float(cosines[i])) for i in order]
