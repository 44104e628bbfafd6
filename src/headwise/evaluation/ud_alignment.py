"""Which system word is which gold word when the system made its own tokens: the CoNLL 2018 rules.

https://universaldependencies.org/conll18/evaluation.html: words that are tokens are the same word when
they cover the same characters. Words of multiword tokens have no characters of their own; where a
multiword token is, in either file, the words of both files in that stretch of text are aligned by the
longest common subsequence of their forms, case ignored.

The rules are a walk over both files from left to right. Here the walk is made only where it can matter:
a token that is one word in both files is always aligned, and the walk arrives at it in both files at
once, so these anchors are found by array operations and only the gaps between them are walked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from headwise.evaluation.alignment import Alignment
from headwise.evaluation.ud_text import Spans, TextLayout, without_spaces
from headwise.evaluation.words import EvaluationError, IntArray, Words


def align_by_characters(gold: Words, system: Words, gold_text: TextLayout, text: TextLayout) -> Alignment:
    """Align two files of the same text; raises `EvaluationError` where their characters differ."""
    if gold_text.characters != text.characters:
        raise EvaluationError(_first_difference(gold, system, gold_text, text))
    gold_words, system_words = _align_words(gold, system, gold_text, text)
    gold_sentences, system_sentences = gold_text.sentences.common(text.sentences)
    return Alignment(
        gold_word=gold_words,
        system_word=system_words,
        gold_size=len(gold),
        system_size=len(system),
        gold_sentence=gold_sentences,
        system_sentence=system_sentences,
        sentence_of_system_word=np.searchsorted(gold_text.sentences.end, text.words.start, side="right"),
    )


def _align_words(
    gold: Words, system: Words, gold_text: TextLayout, text: TextLayout
) -> tuple[IntArray, IntArray]:
    gold_plain, system_plain = np.flatnonzero(~gold_text.in_multiword), np.flatnonzero(~text.in_multiword)
    gold_anchor, system_anchor = gold_text.words.only(gold_plain).common(text.words.only(system_plain))
    gold_anchor, system_anchor = gold_plain[gold_anchor], system_plain[system_anchor]

    gold_edge = np.concatenate([[-1], gold_anchor, [len(gold)]])
    system_edge = np.concatenate([[-1], system_anchor, [len(system)]])
    gaps = np.flatnonzero((np.diff(gold_edge) > 1) & (np.diff(system_edge) > 1))
    pairs = [
        pair
        for gap in gaps.tolist()
        for pair in _walk(
            _Stretch.of(gold_text, gold.forms, int(gold_edge[gap]) + 1, int(gold_edge[gap + 1])),
            _Stretch.of(text, system.forms, int(system_edge[gap]) + 1, int(system_edge[gap + 1])),
        )
    ]
    in_gaps = np.asarray(pairs, np.int64).reshape(-1, 2)
    # Alignments never cross, so sorting either side sorts both.
    return (
        np.sort(np.concatenate([gold_anchor, in_gaps[:, 0]])),
        np.sort(np.concatenate([system_anchor, in_gaps[:, 1]])),
    )


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A few consecutive words of one file, as lists: they are walked one by one."""

    first: int
    start: list[int]
    end: list[int]
    multiword: list[bool]
    forms: list[str]

    @classmethod
    def of(cls, text: TextLayout, forms: list[str], first: int, stop: int) -> _Stretch:
        here = slice(first, stop)
        multiword: list[bool] = text.in_multiword[here].tolist()
        return cls(
            first,
            text.words.start[here].tolist(),
            text.words.end[here].tolist(),
            multiword,
            # The official scorer takes spaces out of tokens only; a word of a multiword token is none.
            [
                (form if inside else without_spaces(form)).lower()
                for form, inside in zip(forms[here], multiword, strict=True)
            ],
        )

    def __len__(self) -> int:
        return len(self.start)

    def within(self, word: int, end: int) -> bool:
        """Whether a region up to `end` takes this word in: a multiword token if it begins before `end`
        (the region will grow over it), another word if it ends there."""
        if word == len(self):
            return False
        return self.start[word] < end if self.multiword[word] else self.end[word] <= end


def _walk(gold: _Stretch, system: _Stretch) -> Iterator[tuple[int, int]]:
    """The aligned pairs of two stretches of words over the same characters."""
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold.multiword[g] or system.multiword[s]:
            # One plain word that begins before the multiword token is left behind.
            if gold.multiword[g]:
                s += not system.multiword[s] and system.start[s] < gold.start[g]
                end = gold.end[g]
            else:
                g += gold.start[g] < system.start[s]
                end = system.end[s]
            next_g, next_s = _end_of_region(gold, system, g, s, end)
            for in_gold, in_system in _common_subsequence(gold.forms[g:next_g], system.forms[s:next_s]):
                yield gold.first + g + in_gold, system.first + s + in_system
            g, s = next_g, next_s
        elif gold.start[g] <= system.start[s]:  # not the same span, or it would be an anchor
            g += 1
        else:
            s += 1


def _end_of_region(gold: _Stretch, system: _Stretch, g: int, s: int, end: int) -> tuple[int, int]:
    """Grow a region that reaches `end` until no multiword token sticks out; the first words after it."""
    while gold.within(g, end) or system.within(s, end):
        if g < len(gold) and (s == len(system) or gold.start[g] <= system.start[s]):
            end = max(end, gold.end[g]) if gold.multiword[g] else end
            g += 1
        else:
            end = max(end, system.end[s]) if system.multiword[s] else end
            s += 1
    return g, s


def _common_subsequence(one: list[str], other: list[str]) -> Iterator[tuple[int, int]]:
    """Positions of a longest common subsequence; of several, the one that skips in `one` first.

    O(len(one) · len(other)) time and memory, linear when the lists are the same.
    """
    if one == other:
        yield from ((i, i) for i in range(len(one)))
        return
    # longest[i][j]: of one[i:] and other[j:].
    longest = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in reversed(range(len(one))):
        for j in reversed(range(len(other))):
            longest[i][j] = (
                longest[i + 1][j + 1] + 1 if one[i] == other[j] else max(longest[i + 1][j], longest[i][j + 1])
            )
    i = j = 0
    while i < len(one) and j < len(other):
        if one[i] == other[j]:
            yield i, j
            i, j = i + 1, j + 1
        elif longest[i][j] == longest[i + 1][j]:
            i += 1
        else:
            j += 1


def _first_difference(gold: Words, system: Words, gold_text: TextLayout, text: TextLayout) -> str:
    one, other = gold_text.characters, text.characters
    shorter = min(len(one), len(other))
    at = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    return (
        "the files do not have the same text (spaces aside): "
        f"{_text_at(gold, gold_text.words, one, at)}, but {_text_at(system, text.words, other, at)}; "
        "a system may tokenize the gold text in its own way, but must keep its characters"
    )


def _text_at(file: Words, words: Spans, characters: str, at: int) -> str:
    if at == len(characters):
        return f"{file.name} ends after {len(file.sentences)} sentences"
    word = int(np.searchsorted(words.end, at, side="right"))
    return f"{file.place(word)} goes on with {characters[at : at + 20]!r}"
