"""The running text, as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.components.text.writing import TextWriter
from headwise.pipeline.formats.output_file import OutputFile
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.treebank.parquet import Place


class TextFile(OutputFile):
    def start(self) -> None:
        self._writer = TextWriter(self.output)

    def put(self, sentence: Sentence, place: Place | None) -> None:
        self._writer.write(sentence)

    def close(self) -> None:
        self._writer.end()
        self.guessed = self._writer.guessed
