"""CoNLL-U and CoNLL-X: what is not changed comes back byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.pipeline.formats.output_file import OutputFile
from headwise.treebank import Sentence, Writer

if TYPE_CHECKING:
    from headwise.treebank.parquet import Place


class ConllFile(OutputFile):
    def start(self) -> None:
        self._writer = Writer(self.output)

    def put(self, sentence: Sentence, place: Place | None) -> None:
        self._writer.write(sentence)

    def write_trailer(self, trailer: bytes) -> None:
        self._writer.write_trailer(trailer)

    def close(self) -> None:
        self._writer.flush()
