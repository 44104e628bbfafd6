"""The running text of sentences, on its way into a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from headwise.components.text.raw_text import SENTENCES_AT_MOST, sentence_text, starts_paragraph
from headwise.components.text.spacing import Spacing, says_spacing
from headwise.treebank import Sentence
from headwise.treebank.files import Writable, opened_for_writing


class TextWriter:
    """Puts sentences together as they were written; made by `text_writer`.

    Where a treebank marks paragraphs, an empty line stands between them. Where it does not, each sentence has
    a line of its own; in scripts that write no spaces sentences follow each other directly, for there a line
    break inside a paragraph is no space.
    """

    def __init__(self, output: BinaryIO) -> None:
        self._output = output
        self._in_paragraph = False
        self._between = ""
        self._sentences = 0
        self.guessed = 0
        """Sentences that do not say where spaces are, and were put together by the usual rules."""

    def write(self, sentence: Sentence) -> None:
        spacing = Spacing.usual([sentence])
        if not says_spacing([sentence]) and len(sentence) > 1:
            (sentence,) = spacing.respaced([sentence])
            self.guessed += 1
        text, space_after = sentence_text(sentence)
        starts = starts_paragraph(sentence)
        if self._sentences:
            full = not self._between and not self._in_paragraph and self._sentences % SENTENCES_AT_MOST == 0
            self._output.write(b"\n\n" if starts or full else self._between.encode())
        self._output.write(text.encode())
        self._sentences += 1
        self._in_paragraph = self._in_paragraph or starts
        if self._in_paragraph:
            self._between = " " if space_after and spacing.spaced else ""
        else:
            self._between = "\n" if spacing.spaced else ""

    def write_trailer(self, trailer: bytes) -> None:
        """Nothing: what follows the last sentence of a CoNLL file belongs to no sentence."""

    def end(self) -> None:
        if self._sentences:
            self._output.write(b"\n")


@contextmanager
def text_writer(file: Writable) -> Iterator[TextWriter]:
    """Open a path (.gz and .xz compressed), "-" for standard output, or an open binary file for writing."""
    with opened_for_writing(file) as output:
        opened = TextWriter(output)
        yield opened
        opened.end()
