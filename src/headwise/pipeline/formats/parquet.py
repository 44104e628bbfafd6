"""Parquet: a sentence a row, for queries over corpora (docs/corpora.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from headwise.pipeline.formats.output_file import OutputFile
from headwise.treebank import Sentence
from headwise.treebank.parquet import ParquetWriter, Place
from headwise.treebank.parquet.schema import require_pyarrow

if TYPE_CHECKING:
    from headwise.components.parser.parse import Parse


class ParquetFile(OutputFile):
    """Sentences as they were read come back byte for byte; of parses all is kept but layout (line ends)."""

    def start(self) -> None:
        require_pyarrow()
        self._writer: ParquetWriter | None = None

    def put(self, sentence: Sentence, place: Place | None) -> None:
        self._started(exact=True).write(sentence, place or Place())

    def write_parse(self, parse: Parse, place: Place | None = None) -> None:
        parse = replace(parse, sentence=self.fitted(parse.sentence))
        probabilities = (parse.confidence, parse.label_confidence, parse.entropy)
        self._started(exact=False).write(
            parse.to_sentence(), place or Place(), probabilities=probabilities, log_prob=parse.log_prob
        )

    def write_trailer(self, trailer: bytes) -> None:
        self._started(exact=True).write_trailer(trailer)

    def close(self) -> None:
        self._started(exact=True).close()

    def abandon(self) -> None:
        if self._writer is not None:
            self._writer.abandon()

    def _started(self, *, exact: bool) -> ParquetWriter:
        if self._writer is None:
            self._writer = ParquetWriter(self.output, exact=exact)
        return self._writer
