"""The raw text of a treebank, and where its tokens and sentences end in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from headwise.treebank import Sentence

SENTENCES_AT_MOST = 50
"""Treebanks that do not mark paragraphs are cut into stretches of so many sentences."""


SPACED_FROM = 0.2
"""A script with fewer spaces than this after its tokens is one that writes none."""


class Boundary(IntEnum):
    """What ends after a character (see ``native/text/boundary_features.hpp``)."""

    INSIDE = 0
    TOKEN = 1
    MULTIWORD = 2
    SENTENCE = 3
    MULTIWORD_SENTENCE = 4


@dataclass(frozen=True)
class SurfaceToken:
    """A token as it stands in the text."""

    form: str
    words: tuple[str, ...]
    """The words of a multiword token; empty for a token that is one word."""
    space_after: bool


@dataclass
class Paragraph:
    """A text and its boundaries, one a character."""

    text: str = ""
    boundaries: list[int] = field(default_factory=list)

    def array(self) -> npt.NDArray[np.uint8]:
        return np.array(self.boundaries, np.uint8)


def surface_tokens(sentence: Sentence) -> Iterator[SurfaceToken]:
    """The tokens of a sentence: multiword tokens in place of their words, no empty nodes.

    "# text" says where spaces are; where there is none, or it does not hold the forms, SpaceAfter=No does.
    """
    covered = 0
    forms = sentence.forms
    rows = []
    for token in sentence.tokens:
        first, last = token.words
        if token.is_empty or (token.is_word and first <= covered):
            continue
        words: tuple[str, ...] = ()
        if token.is_multiword:
            covered, words = last, tuple(forms[first - 1 : last])
        space = sentence.format == "conllx" or "SpaceAfter=No" not in token.misc.split("|")
        rows.append(SurfaceToken(token.form, words, space))
    spaces = _spaces_in(sentence.text, rows)
    return (SurfaceToken(t.form, t.words, space) for t, space in zip(rows, spaces, strict=True))


def _spaces_in(text: str | None, tokens: list[SurfaceToken]) -> list[bool]:
    """Whether a space follows each token; of the last one, the text of its sentence does not know."""
    annotated = [token.space_after for token in tokens]
    if text is None:
        return annotated
    spaces, at = [], 0
    for token in tokens:
        if not text.startswith(token.form, at):
            return annotated
        end = at + len(token.form)
        at = end + len(text[end:]) - len(text[end:].lstrip())
        spaces.append(at > end)
    return [*spaces[:-1], annotated[-1]]


def sentence_text(sentence: Sentence) -> tuple[str, bool]:
    """A sentence as it is written, and whether a space follows it."""
    tokens = list(surface_tokens(sentence))
    text = "".join(token.form + " " * token.space_after for token in tokens)
    return sentence.text or text.rstrip(" "), tokens[-1].space_after


def writes_spaces(sentences: Iterable[Sentence]) -> bool:
    """Whether the words of a treebank stand apart: sentences of other scripts follow each other directly."""
    inner = [token.space_after for sentence in sentences for token in list(surface_tokens(sentence))[:-1]]
    return not inner or sum(inner) >= SPACED_FROM * len(inner)


def starts_paragraph(sentence: Sentence) -> bool:
    return any(comment.lstrip("# ").startswith(("newpar", "newdoc")) for comment in sentence.comments)


def paragraphs(sentences: Sequence[Sentence], *, spaces_in_tokens: bool = True) -> Iterator[Paragraph]:
    """The paragraphs of a treebank, put together from its tokens and the spaces between them.

    Where ``spaces_in_tokens`` is false, a token ends at each space, whatever the treebank says.
    """
    spaced = writes_spaces(sentences)
    paragraph, count = Paragraph(), 0
    for sentence in sentences:
        if count and (starts_paragraph(sentence) or count == SENTENCES_AT_MOST):
            yield _stripped(paragraph)
            paragraph, count = Paragraph(), 0
        _append(paragraph, sentence, spaces_in_tokens, spaced)
        count += 1
    if count:
        yield _stripped(paragraph)


def _append(paragraph: Paragraph, sentence: Sentence, spaces_in_tokens: bool, spaced: bool) -> None:
    tokens = list(surface_tokens(sentence))
    for number, token in enumerate(tokens, start=1):
        ends = [Boundary.INSIDE] * len(token.form)
        if not spaces_in_tokens:
            for space in (i for i, c in enumerate(token.form) if i and c.isspace()):
                ends[space - 1] = Boundary.TOKEN
        is_last = number == len(tokens)
        if token.words:
            ends[-1] = Boundary.MULTIWORD_SENTENCE if is_last else Boundary.MULTIWORD
        else:
            ends[-1] = Boundary.SENTENCE if is_last else Boundary.TOKEN
        paragraph.text += token.form
        paragraph.boundaries += ends
        if token.space_after and (spaced or not is_last):
            paragraph.text += " "
            paragraph.boundaries.append(Boundary.INSIDE)


def _stripped(paragraph: Paragraph) -> Paragraph:
    text = paragraph.text.rstrip(" ")
    return Paragraph(text, paragraph.boundaries[: len(text)])


def raw_text(sentences: Sequence[Sentence]) -> str:
    """The text of a treebank as somebody would have typed it, an empty line between paragraphs."""
    return "\n\n".join(paragraph.text for paragraph in paragraphs(sentences)) + "\n"
