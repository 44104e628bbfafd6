"""Results on their way into the file of a shard: CoNLL-U, JSON Lines, Parquet, or counts of bigrams."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Protocol, cast

from headwise._native.clusters import BigramCounter
from headwise.components.parser.parse import Parse
from headwise.corpus.options import CorpusOptions
from headwise.treebank import Writer
from headwise.treebank.json_lines import JsonWriter
from headwise.treebank.parquet.columns import Place
from headwise.words.clusters.bigram_files import write_bigrams


class ShardWriter(Protocol):
    """What takes the results of a shard in order."""

    def write(self, result: Any, place: Place) -> int:
        """Write a result; how many words it has."""
        ...

    def close(self) -> None: ...


class _Conllu:
    def __init__(self, output: BinaryIO) -> None:
        self._writer = Writer(output)

    def write(self, parse: Parse, place: Place) -> int:
        self._writer.write(parse.to_annotated_sentence())
        return len(parse)

    def close(self) -> None:
        self._writer.flush()


class _Json:
    def __init__(self, output: BinaryIO) -> None:
        self._writer = JsonWriter(output)

    def write(self, parse: Parse, place: Place) -> int:
        where = {"document": place.document, "begin": place.begin, "end": place.end}
        self._writer.write_document(parse.to_json() | where)
        return len(parse)

    def close(self) -> None:
        pass


class _Parquet:
    def __init__(self, output: BinaryIO) -> None:
        from headwise.treebank.parquet import ParquetWriter

        # Of a sentence that comes from a treebank, all is kept but its layout (line ends, empty lines).
        self._writer = ParquetWriter(output, exact=False)

    def write(self, parse: Parse, place: Place) -> int:
        probabilities = (parse.confidence, parse.label_confidence, parse.entropy)
        self._writer.write(parse.to_sentence(), place, probabilities=probabilities, log_prob=parse.log_prob)
        return len(parse)

    def close(self) -> None:
        self._writer.close()


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


_WRITERS: dict[str, Callable[[BinaryIO], ShardWriter]] = {
    "conllu": _Conllu,
    "jsonl": _Json,
    "parquet": _Parquet,
    "bigrams": _Bigrams,
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
