"""The words of a whole file laid end to end, so that a file is compared by a few array operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headwise.base.errors import HeadwiseError
from headwise.treebank import Sentence

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]

ROOT = -1
"""The head of a root word, where a head is a position in the file's words. As a Python index it is the
last element, so a table of n + 1 entries whose last is the root's answers for every head."""

ColumnName = Literal["forms", "lemmas", "upos", "xpos", "feats", "labels"]


class EvaluationError(HeadwiseError):
    """Files that cannot be compared, and where they part."""


@dataclass(frozen=True)
class Words:
    """All words of one file: word i of sentence s is at position starts[s] + i - 1."""

    name: str
    """What messages call this file."""
    sentences: Sequence[Sentence]
    _columns: dict[ColumnName, list[str]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def lengths(self) -> IntArray:
        return np.fromiter(map(len, self.sentences), np.int64, len(self.sentences))

    @cached_property
    def starts(self) -> IntArray:
        """The position of every sentence's first word."""
        return np.cumsum(self.lengths) - self.lengths

    @cached_property
    def sentence_of(self) -> IntArray:
        """The sentence of every word."""
        return np.repeat(np.arange(len(self.sentences)), self.lengths)

    @cached_property
    def heads(self) -> IntArray:
        """The position of every word's head, or ROOT."""
        if not self.sentences:
            return np.zeros(0, np.int64)
        within = np.concatenate([sentence.heads for sentence in self.sentences]).astype(np.int64)
        outside = (within < 0) | (within > np.repeat(self.lengths, self.lengths))
        if outside.any():
            word = int(np.argmax(outside))
            problem = "has no head" if within[word] < 0 else f"has head {within[word]}, outside its sentence"
            raise EvaluationError(f"{self.place(word)} {problem}: every word needs a head to be scored")
        first = np.repeat(self.starts, self.lengths)
        return np.where(within == 0, ROOT, first + within - 1)

    def __len__(self) -> int:
        return int(self.lengths.sum())

    @property
    def forms(self) -> list[str]:
        return self.column("forms")

    def column(self, name: ColumnName) -> list[str]:
        """The values of a column, word by word."""
        if name not in self._columns:
            self._columns[name] = list(
                chain.from_iterable(getattr(sentence, name) for sentence in self.sentences)
            )
        return self._columns[name]

    def place(self, word: int) -> str:
        """Where a word is, for messages."""
        sentence = int(self.sentence_of[word])
        number = word - int(self.starts[sentence]) + 1
        form = self.sentences[sentence].forms[number - 1]
        return f"{self.sentence_place(sentence)}, word {number} ({form!r})"

    def sentence_place(self, sentence: int) -> str:
        """Where a sentence is, for messages."""
        found = self.sentences[sentence]
        line = f" (line {found.line})" if found.file == self.name else ""
        return f"{self.name}, sentence {sentence + 1}{line}"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of two files as integers: equal integers are equal values in either file."""

    gold: IntArray
    system: IntArray
    values: list[str]
    """The value each integer stands for."""

    @classmethod
    def of(
        cls, gold: Words, system: Words, name: ColumnName, canonical: Callable[[str], str] | None = None
    ) -> Column:
        """Number the values; `canonical`, called once a distinct value, says which of them are the same."""
        numbers = _Numbering(canonical or (lambda value: value))
        gold_codes, system_codes = (
            np.fromiter(map(numbers.__getitem__, file.column(name)), np.int64, len(file))
            for file in (gold, system)
        )
        return cls(gold_codes, system_codes, list(numbers.of_canonical))

    def where(self, holds: Callable[[str], bool]) -> tuple[BoolArray, BoolArray]:
        """The gold words and the system words whose value satisfies `holds`."""
        answer = np.fromiter(map(holds, self.values), np.bool_, len(self.values))
        return answer[self.gold], answer[self.system]


class _Numbering(dict[str, int]):
    """Numbers values in the order they are first asked for; the same number for the same canonical value."""

    def __init__(self, canonical: Callable[[str], str]) -> None:
        self._canonical = canonical
        self.of_canonical: dict[str, int] = {}

    def __missing__(self, value: str) -> int:
        number = self.of_canonical.setdefault(self._canonical(value), len(self.of_canonical))
        self[value] = number
        return number
