"""How well a tokenizer splits the text of a treebank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headwise.components.text.raw_text import raw_text, surface_tokens
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.text.tokenizer import Tokenizer

Spans = set[tuple[int, int]]


@dataclass(frozen=True)
class SplitScores:
    """F1 of tokens and of sentences, by the characters that they cover."""

    tokens: float
    sentences: float

    def __str__(self) -> str:
        return f"dev tokens {100 * self.tokens:.2f} sentences {100 * self.sentences:.2f} (F1)"


def split_scores(gold: Sequence[Sentence], tokenizer: Tokenizer) -> SplitScores:
    """Split the text of a treebank anew and compare."""
    right, found = _spans(gold), _spans(tokenizer(raw_text(gold)))
    return SplitScores(*(_f1(*pair) for pair in zip(right, found, strict=True)))


def _spans(sentences: Iterable[Sentence]) -> tuple[Spans, Spans]:
    """Where tokens and sentences begin and end, spaces not counted."""
    tokens, whole, place = Spans(), Spans(), 0
    for sentence in sentences:
        begin = place
        for token in surface_tokens(sentence):
            length = len("".join(token.form.split()))
            tokens.add((place, place + length))
            place += length
        whole.add((begin, place))
    return tokens, whole


def _f1(right: Spans, found: Spans) -> float:
    return 2 * len(right & found) / max(1, len(right) + len(found))
