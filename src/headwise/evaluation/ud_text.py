"""Where the tokens, words and sentences of a CoNLL-U file lie in its text, counted in characters.

Spaces do not count (CoNLL 2018: any character of category Zs), so that files that tokenize the same text
differently lie over the same characters.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import compress

import numpy as np

from headwise.evaluation.words import BoolArray, EvaluationError, IntArray, Words


@dataclass(frozen=True, slots=True)
class Spans:
    """Stretches of text in order; [start, end) in characters."""

    start: IntArray
    end: IntArray

    def __len__(self) -> int:
        return len(self.start)

    def common(self, other: Spans) -> tuple[IntArray, IntArray]:
        """The indices, here and there, of the spans that are in both; within each, starts must differ."""
        if len(other) == 0:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        there = np.minimum(np.searchsorted(other.start, self.start), len(other) - 1)
        here = np.flatnonzero((other.start[there] == self.start) & (other.end[there] == self.end))
        return here, there[here]

    def only(self, chosen: BoolArray | IntArray) -> Spans:
        return Spans(self.start[chosen], self.end[chosen])


@dataclass(frozen=True, slots=True)
class TextLayout:
    """The text of a file and what covers it."""

    characters: str
    tokens: Spans
    sentences: Spans
    words: Spans
    """A word of a multiword token has the span of the whole token."""
    in_multiword: BoolArray
    """The words that are part of a multiword token."""


def lay_out(file: Words) -> TextLayout:
    """Find every span of `file`; raises `EvaluationError` for a token that is nothing but spaces."""
    in_multiword = np.zeros(len(file), np.bool_)
    begins_token = np.ones(len(file), np.bool_)
    multiword_forms: dict[int, str] = {}  # by first word
    for start, sentence in zip(file.starts.tolist(), file.sentences, strict=True):
        for token in sentence.tokens:
            if token.is_multiword:
                first, last = token.words
                in_multiword[start + first - 1 : start + last] = True
                begins_token[start + first : start + last] = False
                multiword_forms[start + first - 1] = token.form

    forms = list(file.forms)
    for word, form in multiword_forms.items():
        forms[word] = form
    surface = list(compress(forms, begins_token.tolist()))
    characters = "".join(surface)
    if characters.split() != [characters]:  # there is white space somewhere, which is rare
        surface = list(map(without_spaces, surface))
        characters = "".join(surface)
    length = np.fromiter(map(len, surface), np.int64, len(surface))
    token_of_word = np.cumsum(begins_token) - 1
    if not length.all():
        word = int(np.searchsorted(token_of_word, np.argmin(length)))
        raise EvaluationError(f"{file.place(word)}: its token has no characters but spaces; give it a form")
    end = np.cumsum(length)
    tokens = Spans(end - length, end)
    words = tokens.only(token_of_word)
    last_word = file.starts + file.lengths - 1
    return TextLayout(
        characters=characters,
        tokens=tokens,
        sentences=Spans(words.start[file.starts], words.end[last_word]),
        words=words,
        in_multiword=in_multiword,
    )


def without_spaces(form: str) -> str:
    """`form` less its characters of category Zs."""
    return "".join(character for character in form if unicodedata.category(character) != "Zs")
