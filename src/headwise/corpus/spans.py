"""A file as spans: stretches of one file that a worker can parse without seeing the rest."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any, Literal

from headwise.base.errors import TreebankError
from headwise.corpus.cutting import LONGEST_RECORD, Piece, cut_records, cut_text
from headwise.corpus.inputs import InputError, InputFile
from headwise.corpus.options import CorpusOptions
from headwise.treebank.files import read_chunks

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NEW_DOCUMENT = re.compile(rb"^#\s*newdoc\s+id\s*=\s*(.*?)\s*$", re.MULTILINE)
_ROWS = 64
"""Rows of a Parquet file that are read at once."""


@dataclass(frozen=True)
class Span:
    """Text, lines of JSON, or sentences in CoNLL-U, and where they stand."""

    kind: Literal["text", "json", "treebank"]
    file: str
    """Its name below the folder that was named, so that nothing depends on where that folder is."""
    document: str
    """The id of the document that it begins in, or for JSON what ids begin with."""
    data: bytes
    line: int = 1
    """The number of its first line in the file (for Parquet: of its first row)."""
    character: int = 0
    """How many characters of the document come before it."""
    continues: bool = False
    """Whether it begins inside a paragraph."""
    is_first: bool = True
    """Whether it begins the file."""
    problem: str = ""
    """What was wrong with a part of the file that is not here, and how much that was."""
    lost: int = 0

    @property
    def head(self) -> dict[str, Any]:
        """All but the data, for digests."""
        return {name: value for name, value in vars(self).items() if name != "data"}


class UnreadableError(InputError):
    """A file that could not be read this time: the disk or the network failed, not its content."""


class _Chunks:
    """The bytes of a file as they come; where they end too early, what is wrong."""

    def __init__(self, file: InputFile, opened: IO[bytes]) -> None:
        self.problem = ""
        self._file, self._opened = file, opened

    def __iter__(self) -> Iterator[bytes]:
        is_first = True
        try:
            for chunk in read_chunks(self._opened):
                yield chunk.removeprefix(_BYTE_ORDER_MARK) if is_first else chunk
                is_first = False
        except TreebankError as error:
            cause = error.__cause__
            if isinstance(cause, OSError) and not isinstance(cause, gzip.BadGzipFile):
                raise UnreadableError(str(error)) from error
            self.problem = f"{error.problem}; {error.remedy}"


def spans_of(file: InputFile, options: CorpusOptions) -> Iterator[tuple[Span, int]]:
    """The spans of a file, and how many of its bytes on the disk have been read by each."""
    try:
        opened = file.path.open("rb")
    except OSError as error:
        raise UnreadableError(f"{file.path}: cannot be read ({error.strerror}).") from error
    with opened:
        chunks = _Rows(file, opened, options) if file.kind == "parquet" else _Chunks(file, opened)
        for span in _spans(file, _pieces(file, chunks, options)):
            yield span, opened.tell()
        if chunks.problem:
            lost = max(1, file.size - opened.tell())
            yield (
                Span(_span_kind(file), file.name, file.name, b"", problem=chunks.problem, lost=lost),
                file.size,
            )


def _pieces(file: InputFile, chunks: Iterable[bytes], options: CorpusOptions) -> Iterator[Piece]:
    if file.kind == "text" and options.layout in ("text", "paragraphs"):
        return cut_text(chunks, options.shard_bytes, paragraph_a_line=options.layout == "paragraphs")
    return cut_records(chunks, options.shard_bytes, by_empty_line=file.kind == "treebank")


def _span_kind(file: InputFile) -> Literal["text", "json", "treebank"]:
    return "json" if file.kind == "parquet" else file.kind


def _spans(file: InputFile, pieces: Iterable[Piece]) -> Iterator[Span]:
    kind, document = _span_kind(file), file.name
    line, character, is_first = 1, 0, True
    for piece in pieces:
        problem = f"longer than {LONGEST_RECORD:,} bytes, and cannot be cut" if piece.too_long else ""
        yield Span(
            kind,
            file.name,
            document,
            piece.data,
            line,
            character,
            piece.continues,
            is_first,
            problem,
            piece.too_long,
        )
        line, is_first = line + piece.lines, False
        if kind == "text":
            character += len(piece.data.decode(errors="replace"))
        elif kind == "treebank" and (names := _NEW_DOCUMENT.findall(piece.data)):
            document = names[-1].decode(errors="backslashreplace")


class _Rows:
    """The rows of a Parquet file as lines of JSON, so that workers know one kind of document only.

    Once they are all read, `problem` says where the file was found to be damaged.
    """

    def __init__(self, file: InputFile, opened: IO[bytes], options: CorpusOptions) -> None:
        from headwise.treebank.parquet.schema import damaged, pyarrow

        self.problem = ""
        self._name = str(file.path)
        with damaged(self._name, InputError):
            self._parquet = pyarrow().parquet.ParquetFile(opened)
            names = self._parquet.schema_arrow.names
        if options.text_field not in names:
            raise InputError(
                f"{file.path} has no column {options.text_field!r} (it has: {', '.join(names)}). Name the "
                "column that holds the text with --text-field."
            )
        self._columns = [name for name in (options.text_field, options.id_field) if name in names]

    def __iter__(self) -> Iterator[bytes]:
        from headwise.treebank.parquet.files import rows_of

        try:
            for row in rows_of(
                self._parquet, self._name, _ROWS, InputError, columns=self._columns, use_threads=False
            ):
                line = json.dumps(row, ensure_ascii=False, default=str)
                yield line.encode(errors="surrogatepass") + b"\n"
        except InputError as error:
            self.problem = str(error)
