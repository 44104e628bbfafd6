"""The running text of sentences, as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.components.text.raw_text import SENTENCES_AT_MOST, sentence_text, starts_paragraph
from headwise.components.text.spacing import Spacing, says_spacing
from headwise.pipeline.formats.output_file import OutputFile
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.treebank.parquet import Place


class TextFile(OutputFile):
    """Puts sentences together as they were written, or by the usual rules where they do not say so.

    Where a treebank marks paragraphs, an empty line stands between them. Where it does not, each sentence has
    a line of its own; in scripts that write no spaces sentences follow each other directly, for there a line
    break inside a paragraph is no space.
    """

    def start(self) -> None:
        self._in_paragraph = False
        self._between = ""
        self._sentences = 0

    def put(self, sentence: Sentence, place: Place | None) -> None:
        spacing = Spacing.usual([sentence])
        if not says_spacing([sentence]) and len(sentence) > 1:
            (sentence,) = spacing.respaced([sentence])
            self.guessed += 1
        text, space_after = sentence_text(sentence)
        starts = starts_paragraph(sentence)
        if self._sentences:
            full = not self._between and not self._in_paragraph and self._sentences % SENTENCES_AT_MOST == 0
            self.output.write(b"\n\n" if starts or full else self._between.encode())
        self.output.write(text.encode())
        self._sentences += 1
        self._in_paragraph = self._in_paragraph or starts
        if self._in_paragraph:
            self._between = " " if space_after and spacing.spaced else ""
        else:
            self._between = "\n" if spacing.spaced else ""

    def close(self) -> None:
        if self._sentences:
            self.output.write(b"\n")
