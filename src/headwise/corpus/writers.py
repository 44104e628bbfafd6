"""Results on their way into the file of a shard: parses in any format, or counts of bigrams."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Protocol, cast

from headwise._native.clusters import BigramCounter
from headwise.components.parser.parse import Parse
from headwise.corpus.options import CorpusOptions
from headwise.pipeline.formats.output_file import OutputFile
from headwise.treebank.parquet.columns import Place
from headwise.words.clusters.bigram_files import write_bigrams


class ShardWriter(Protocol):
    """What takes the results of a shard in order."""

    def write(self, result: Any, place: Place) -> int:
        """Write a result; how many words it has."""
        ...

    def close(self) -> None: ...

    def abandon(self) -> None: ...


class _Parses:
    """Parses, in one of the formats that all commands write."""

    def __init__(self, file: OutputFile) -> None:
        self._file = file

    def write(self, parse: Parse, place: Place) -> int:
        self._file.write_parse(parse, place)
        return len(parse)

    def close(self) -> None:
        self._file.close()

    def abandon(self) -> None:
        self._file.abandon()


class _Bigrams:
    def __init__(self, output: BinaryIO) -> None:
        self._output, self._counter = output, BigramCounter()

    def write(self, words: str | list[str], place: Place) -> int:
        before = self._counter.words
        if isinstance(words, str):
            self._counter.add_text(words.encode())
        else:
            self._counter.add("\t".join(words).encode(), "\t")
        return self._counter.words - before

    def close(self) -> None:
        write_bigrams(self._counter.bigrams(1), self._output)

    def abandon(self) -> None:
        """Nothing was begun."""


@contextmanager
def shard_writer(output: BinaryIO, options: CorpusOptions) -> Iterator[ShardWriter]:
    """A writer into an open file, in the format and with the compression that the options name."""
    with _compressed(output, options.compression) as file:
        format = options.format
        writer: ShardWriter = _Bigrams(file) if format is None else _Parses(format.start(file))
        try:
            yield writer
            writer.close()
        except BaseException:
            writer.abandon()
            raise


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
