"""Words and nothing else, as UDPipe writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.components.text.raw_text import surface_tokens
from headwise.pipeline.formats.output_file import OutputFile
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.treebank.parquet import Place

NO_BREAK_SPACE = "\u00a0"
"""Stands for a space in a word."""


class HorizontalFile(OutputFile):
    """A sentence a line, spaces between its words."""

    def put(self, sentence: Sentence, place: Place | None) -> None:
        words = (form.replace(" ", NO_BREAK_SPACE) for form in sentence.forms)
        self.output.write(f"{' '.join(words)}\n".encode())


class VerticalFile(OutputFile):
    """A word a line, an empty line after each sentence."""

    def put(self, sentence: Sentence, place: Place | None) -> None:
        self.output.write("".join(f"{form}\n" for form in [*sentence.forms, ""]).encode())


class PlainTextFile(OutputFile):
    """A sentence a line as it stood in the text; paragraphs have empty lines between them."""

    def put(self, sentence: Sentence, place: Place | None) -> None:
        text = sentence.text or " ".join(token.form for token in surface_tokens(sentence))
        is_new = any(line.startswith("# newpar") for line in sentence.comments)
        between = "\n" if is_new and sentence.sent_id != "1" else ""
        self.output.write(f"{between}{text}\n".encode())
