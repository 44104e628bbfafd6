"""Parquet files of sentences: written and read in memory that does not grow with the file."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from headwise.base.errors import HeadwiseError, TreebankError
from headwise.treebank import Sentence
from headwise.treebank.files import opened_for_writing
from headwise.treebank.parquet.columns import NOWHERE, Place, SentenceColumns
from headwise.treebank.parquet.rows import sentence_bytes
from headwise.treebank.parquet.schema import (
    METADATA_KEY,
    VERSION,
    ParquetError,
    damaged,
    pyarrow,
    sentence_schema,
)
from headwise.treebank.reading import Format, OnError, Reader, Validate, read

BATCH = 512
"""Sentences that become Arrow at once: as Python objects they take ten times the memory."""
ROW_GROUP = 16_384
"""Sentences of a row group, of which a query reads whole columns: some 400,000 words, 40 MB in memory."""


class ParquetWriter:
    """Sentences on their way into a Parquet file; made by `parquet_writer`."""

    def __init__(self, output: IO[bytes], *, exact: bool = True) -> None:
        pa = pyarrow()
        # Compressed well rather than fast: parsing takes fifty times longer. The file says nothing of when it
        # was written, so the same sentences give the same bytes.
        self._writer = pa.parquet.ParquetWriter(output, sentence_schema(), compression="zstd")
        self._columns = SentenceColumns(exact=exact)
        self._batches: list[Any] = []
        self._rows = 0
        self._trailer = b""

    def write(
        self,
        sentence: Sentence,
        place: Place = NOWHERE,
        *,
        probabilities: Sequence[Any] = (None, None, None),
        log_prob: float | None = None,
    ) -> None:
        self._columns.add(sentence, place, probabilities=probabilities, log_prob=log_prob)
        if len(self._columns) >= BATCH:
            self._take()

    def write_trailer(self, trailer: bytes) -> None:
        """Keep what followed the last sentence of a file that was read (`Reader.trailer`)."""
        self._trailer += trailer

    def _take(self) -> None:
        self._batches.append(self._columns.take())
        self._rows += self._batches[-1].num_rows
        if self._rows >= ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._batches:
            table = pyarrow().Table.from_batches(self._batches)
            self._writer.write_table(table, row_group_size=ROW_GROUP)
        self._batches, self._rows = [], 0

    def close(self) -> None:
        self._take()
        self._flush()
        about = {"version": VERSION, "trailer": base64.b64encode(self._trailer).decode()}
        self._writer.add_key_value_metadata({METADATA_KEY: json.dumps(about).encode()})
        self._writer.close()

    def abandon(self) -> None:
        """Nothing more is written: what was begun is thrown away, and pyarrow need not end it later."""
        with suppress(Exception):
            self._writer.close()
        self._writer.is_open = False


@contextmanager
def parquet_writer(
    path: str | os.PathLike[str] | IO[bytes], *, exact: bool = True
) -> Iterator[ParquetWriter]:
    """Open a path or a binary file for writing; see `SentenceColumns` for ``exact``."""
    pyarrow()  # before anything is created
    if isinstance(path, str | os.PathLike) and Path(path).suffix in (".gz", ".xz"):
        raise ParquetError(f"{path}: Parquet is compressed already; leave out {Path(path).suffix}.")
    with opened_for_writing(path) as output:
        writer = ParquetWriter(output, exact=exact)
        try:
            yield writer
            writer.close()
        except BaseException:
            writer.abandon()
            raise


def write_parquet(sentences: Iterable[Sentence], path: str | os.PathLike[str] | IO[bytes]) -> None:
    """Write CoNLL-U sentences, one a row."""
    with parquet_writer(path) as writer:
        for sentence in sentences:
            writer.write(sentence.to_conllu())
        writer.write_trailer(getattr(sentences, "trailer", b""))


class ParquetReader(Reader):
    """The sentences of a Parquet file, one at a time; made by `read_parquet`.

    Attributes:
        trailer: what followed the last sentence of the CoNLL-U file that was converted.
        skipped: the broken sentences passed over so far.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, validate: Validate = "tree", on_error: OnError = "stop"
    ) -> None:
        self.name = os.fspath(path)
        self.skips = on_error == "skip"
        self.skipped: list[TreebankError] = []
        self._validate: Validate = validate
        pa = pyarrow()
        with damaged(self.name):
            self._file = pa.parquet.ParquetFile(path)
            names = self._file.schema_arrow.names
        if "form" not in names:
            raise ParquetError(
                f"{self.name} has no column 'form': these are no parsed sentences. Text in Parquet is parsed "
                "by: headwise corpus"
            )
        with damaged(self.name):
            about = dict(json.loads((self._file.metadata.metadata or {}).get(METADATA_KEY, b"{}")))
            if about.get("version", VERSION) > VERSION:
                raise ParquetError(f"{self.name} was written by a newer Headwise; install that.")
            self.trailer = base64.b64decode(about.get("trailer", ""))
        self._sentences = self._rows()

    @property
    def format(self) -> Format:
        """What its sentences are."""
        return "conllu"

    def _rows(self) -> Iterator[Sentence]:
        for row_number, row in enumerate(rows_of(self._file, self.name, BATCH), 1):
            try:
                with damaged(f"row {row_number}"):
                    body = sentence_bytes(row)
                yield from read(body, format="conllu", validate=self._validate)
            except (TreebankError, ParquetError) as error:
                problem = error.problem if isinstance(error, TreebankError) else str(error)
                remedy = error.remedy if isinstance(error, TreebankError) else ""
                found = TreebankError(f"{self.name}, row {row_number}", None, None, problem, remedy)
                if not self.skips:
                    raise found from error
                self.skipped.append(found)


def rows_of(
    file: Any, name: str, batch_size: int, make: Callable[[str], HeadwiseError] | None = None, **choices: Any
) -> Iterator[dict[str, Any]]:
    """The rows of an open Parquet file, as plain values; see `damaged` for what is wrong with it."""
    with damaged(name, make):
        batches = file.iter_batches(batch_size=batch_size, **choices)
    while True:
        with damaged(name, make):
            batch = next(batches, None)
            rows = [] if batch is None else batch.to_pylist()
        if batch is None:
            return
        yield from rows


def read_parquet(
    path: str | os.PathLike[str], *, validate: Validate = "tree", on_error: OnError = "stop"
) -> ParquetReader:
    """Read sentences from Parquet; the arguments are those of `read`."""
    return ParquetReader(path, validate=validate, on_error=on_error)
