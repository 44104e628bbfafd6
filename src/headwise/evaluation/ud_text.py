"""Where the tokens, words and sentences of a CoNLL-U file lie in its text, counted in characters.

Spaces do not count (CoNLL 2018: any character of category Zs), so that files that tokenize the same text
differently lie over the same characters.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

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
    """Find every span of `file`; raises :class:`EvaluationError` for a token that is nothing but spaces."""
    surface: list[str] = []  # one form a token
    words_of_token: list[int] = []  # how many words it has
    multiword: list[bool] = []
    tokens_of_sentence = np.zeros(len(file.sentences), np.int64)
    for number, sentence in enumerate(file.sentences):
        before = len(surface)
        forms, done = sentence.forms, 0
        for token in sentence.tokens:
            if not token.is_multiword:
                continue
            first, last = token.words
            plain = first - 1 - done
            surface += [*forms[done : first - 1], token.form]
            words_of_token += [1] * plain + [last - first + 1]
            multiword += [False] * plain + [True]
            done = last
        surface += forms[done:]
        words_of_token += [1] * (len(forms) - done)
        multiword += [False] * (len(forms) - done)
        tokens_of_sentence[number] = len(surface) - before

    surface = list(map(without_spaces, surface))
    length = np.fromiter(map(len, surface), np.int64, len(surface))
    token_of_word = np.repeat(np.arange(len(surface)), words_of_token)
    if not length.all():
        word = int(np.searchsorted(token_of_word, np.flatnonzero(length == 0)[0]))
        raise EvaluationError(f"{file.place(word)}: its token has no characters but spaces; give it a form")
    end = np.cumsum(length)
    tokens = Spans(end - length, end)

    last_token = np.cumsum(tokens_of_sentence)
    sentences = Spans(tokens.start[last_token - tokens_of_sentence], tokens.end[last_token - 1])
    return TextLayout(
        characters="".join(surface),
        tokens=tokens,
        sentences=sentences,
        words=tokens.only(token_of_word),
        in_multiword=np.asarray(multiword, np.bool_)[token_of_word],
    )


def without_spaces(form: str) -> str:
    """`form` less its characters of category Zs."""
    if form.isalnum():  # nearly all forms; the rest is looked at character by character
        return form
    return "".join(character for character in form if unicodedata.category(character) != "Zs")
