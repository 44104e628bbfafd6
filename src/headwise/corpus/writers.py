"""Parses on their way into the file of a shard: CoNLL-U, JSON Lines or Parquet."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, Protocol, cast

from headwise.corpus.options import CorpusOptions
from headwise.parser.parse import Parse
from headwise.treebank import Writer
from headwise.treebank.json_lines import JsonWriter
from headwise.treebank.parquet.columns import Place


class ShardWriter(Protocol):
    """What takes the sentences of a shard in order."""

    def write(self, parse: Parse, place: Place) -> None: ...
    def close(self) -> None: ...


class _Conllu:
    def __init__(self, output: BinaryIO) -> None:
        self._writer = Writer(output)

    def write(self, parse: Parse, place: Place) -> None:
        self._writer.write(parse.to_annotated_sentence())

    def close(self) -> None:
        self._writer.flush()


class _Json:
    def __init__(self, output: BinaryIO) -> None:
        self._writer = JsonWriter(output)

    def write(self, parse: Parse, place: Place) -> None:
        where = {"document": place.document, "begin": place.begin, "end": place.end}
        self._writer.write_document(parse.to_json() | where)

    def close(self) -> None:
        pass


class _Parquet:
    def __init__(self, output: BinaryIO) -> None:
        from headwise.treebank.parquet import ParquetWriter

        # Of a sentence that comes from a treebank, all is kept but its layout (line ends, empty lines).
        self._writer = ParquetWriter(output, exact=False)

    def write(self, parse: Parse, place: Place) -> None:
        probabilities = (parse.confidence, parse.label_confidence, parse.entropy)
        self._writer.write(parse.to_sentence(), place, probabilities=probabilities, log_prob=parse.log_prob)

    def close(self) -> None:
        self._writer.close()


_WRITERS: dict[str, Callable[[BinaryIO], ShardWriter]] = {
    "conllu": _Conllu,
    "jsonl": _Json,
    "parquet": _Parquet,
}


@contextmanager
def shard_writer(output: BinaryIO, options: CorpusOptions) -> Iterator[ShardWriter]:
    """A writer into an open file, in the format and with the compression that the options name."""
    with _compressed(output, options.compression) as file:
        writer = _WRITERS[options.to](file)
        yield writer
        writer.close()


@contextmanager
def _compressed(output: BinaryIO, compression: str) -> Iterator[BinaryIO]:
    if compression == "gz":
        # Level 6 takes a tenth of the time that parsing takes; no name and time, so the bytes are the same.
        with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=output, mtime=0) as file:
            yield cast(BinaryIO, file)
    elif compression == "xz":
        with lzma.LZMAFile(output, "wb") as file:
            yield cast(BinaryIO, file)
    else:
        yield output
