"""Opening treebank files: .gz and .xz by what is in them, "-" for standard input and output."""

from __future__ import annotations

import codecs
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, BinaryIO, cast

from headwise.base.atomic import replaced
from headwise.base.errors import TreebankError
from headwise.treebank.encodings import problem_with

#: What can be read: a path, "-" for standard input, bytes as they are, or an open file.
Readable = str | os.PathLike[str] | bytes | IO[bytes] | IO[str]
#: What can be written: a path, "-" for standard output, or an open file.
Writable = str | os.PathLike[str] | IO[bytes]

_CHUNK = 1 << 20
LONGEST_LINE = 1 << 26
"""Characters of a line in files that are no running text."""
_UNREADABLE = {
    b"BZh": ("compressed with bzip2", "bunzip2"),
    b"\x28\xb5\x2f\xfd": ("compressed with Zstandard", "unzstd"),
    b"PK\x03\x04": ("a zip archive", "unzip"),
}


TREEBANK_FILES = (".conllu", ".conllx", ".conll")


def name_of(readable: Readable) -> str:
    """The name of a file for messages."""
    if isinstance(readable, bytes):
        return "<bytes>"
    if isinstance(readable, str | os.PathLike):
        name = os.fspath(readable)
        # Not every file name is Unicode; messages are.
        return "<stdin>" if name == "-" else name.encode(errors="replace").decode()
    given = getattr(readable, "name", None)
    return given if isinstance(given, str) else "<file>"


def is_treebank_file(path: str | Path) -> bool:
    """By its name, compressed or not."""
    name = Path(path).name.lower().removesuffix(".gz").removesuffix(".xz")
    return name.endswith(TREEBANK_FILES)


def read_chunks(readable: Readable) -> Iterator[bytes]:
    """The bytes of a file, decompressed, in pieces of about a megabyte.

    A pipe gives its bytes as they come, so that its sentences can be used before it ends.
    """
    name = name_of(readable)
    try:
        with _opened(readable) as file:
            yield from _decompressed(file, name)
    except (EOFError, zlib.error) as error:
        problem = "the compressed file is cut off" if isinstance(error, EOFError) else "the file is damaged"
        raise TreebankError(name, None, None, f"{problem} ({error})", "get the file again") from error
    except OSError as error:
        if error.errno is None:  # gzip's own, which come from no system call
            problem = f"the file is damaged ({error})"
            raise TreebankError(name, None, None, problem, "get the file again") from error
        raise TreebankError(
            name, None, None, f"cannot be read: {error.strerror or error}", _remedy(error)
        ) from error


def read_lines(readable: Readable, *, longest: int | None = None) -> Iterator[str]:
    """The lines of a text file in UTF-8, decompressed, each with its line break.

    ``longest``: TreebankError where a line has more characters; a small compressed file can hold many.
    """
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    begun: list[str] = []  # pieces of a line that has not ended yet
    length = done = 0
    try:
        for chunk in read_chunks(readable):
            first, *lines = decoder.decode(chunk).split("\n")
            begun.append(first)
            length += len(first)
            if longest is not None and length > longest:
                raise TreebankError(name_of(readable), done + 1, None, *_endless(longest))
            if lines:
                begun.append("\n")
                yield "".join(begun)
                for line in lines[:-1]:
                    yield line + "\n"
                begun, length = lines[-1:], len(lines[-1])
                done += len(lines)
        begun.append(decoder.decode(b"", final=True))
    except UnicodeDecodeError as error:
        raise TreebankError(
            name_of(readable),
            done + 1 + error.object[: error.start].count(b"\n"),
            None,
            *problem_with(error.object, error.reason),
        ) from error
    if rest := "".join(begun):
        yield rest


def _endless(longest: int) -> tuple[str, str]:
    return f"the line does not end within {longest:,} characters", "check that this is the file you mean"


def start_of(readable: str | os.PathLike[str], size: int = 4096) -> str:
    """The beginning of a text file, decompressed; empty where it cannot be read.

    Whoever reads all of it will say what is wrong with it.
    """
    pieces: list[bytes] = []
    try:
        for chunk in read_chunks(readable):
            pieces.append(chunk)
            if sum(map(len, pieces)) >= size:
                break
    except TreebankError:
        pass
    return b"".join(pieces)[:size].decode(errors="replace")


def _remedy(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "check the name"
    if isinstance(error, IsADirectoryError):
        return "name a file in it"
    return "check the file and its permissions"


@contextmanager
def _opened(readable: Readable) -> Iterator[BinaryIO]:
    if isinstance(readable, bytes):
        yield io.BytesIO(readable)
    elif not isinstance(readable, str | os.PathLike):
        yield _as_binary(readable)
    elif os.fspath(readable) == "-":
        yield sys.stdin.buffer
    else:
        with Path(readable).open("rb") as file:
            yield file


def _as_binary(file: IO[bytes] | IO[str]) -> BinaryIO:
    if isinstance(file, io.StringIO):
        return io.BytesIO(file.getvalue()[file.tell() :].encode())
    # A text file has decoded its bytes and perhaps its line endings already; what is below it has not.
    return cast(BinaryIO, getattr(file, "buffer", file))


def _decompressed(file: BinaryIO, name: str) -> Iterator[bytes]:
    buffered = file if isinstance(file, io.BufferedReader) else io.BufferedReader(_Raw(file), _CHUNK)
    magic = buffered.peek(6)[:6]
    for signature, (kind, tool) in _UNREADABLE.items():
        if magic.startswith(signature):
            problem = f"the file is {kind}"
            raise TreebankError(name, None, None, problem, f"unpack it first ({tool})")
    if magic.startswith(b"\x1f\x8b"):
        import gzip

        with gzip.GzipFile(fileobj=buffered) as unzipped:
            yield from iter(partial(unzipped.read1, _CHUNK), b"")
    elif magic.startswith(b"\xfd7zXZ\x00"):
        import lzma

        try:
            with lzma.LZMAFile(buffered) as unpacked:
                yield from iter(partial(unpacked.read1, _CHUNK), b"")
        except lzma.LZMAError as error:
            problem = f"the file is damaged ({error})"
            raise TreebankError(name, None, None, problem, "get the file again") from error
    else:
        yield from iter(partial(buffered.read1, _CHUNK), b"")


class _Raw(io.RawIOBase):
    """Any object with read(), as something io.BufferedReader can look ahead in."""

    def __init__(self, file: BinaryIO) -> None:
        self._read = getattr(file, "read1", file.read)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._read(len(buffer))
        if isinstance(data, str):
            raise TypeError("the file is open in text mode; open it in binary mode ('rb')")
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def opened_for_writing(writable: Writable) -> Iterator[BinaryIO]:
    """A file to write bytes to, compressed where its name ends in .gz or .xz.

    A path is written beside itself and put in place at the end, so that a failure leaves no half a file
    (and reading and writing the same file in one go is safe).
    """
    if not isinstance(writable, str | os.PathLike):
        yield cast(BinaryIO, writable)
        return
    if os.fspath(writable) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(writable)
    if path.exists() and not path.is_file():  # a device or a named pipe is written to directly
        with path.open("wb") as file:
            yield file
        return
    with replaced(path) as whole, compressing(whole, path.suffix) as compressed:
        yield compressed


@contextmanager
def compressing(file: BinaryIO, suffix: str) -> Iterator[BinaryIO]:
    """What is written to a file whose name ends so, compressed where it ends in .gz or .xz."""
    if suffix == ".gz":
        import gzip

        # No time and no name in the header: the same sentences give the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as compressed:
            yield cast(BinaryIO, compressed)
    elif suffix == ".xz":
        import lzma

        with lzma.LZMAFile(file, "wb") as compressed:
            yield cast(BinaryIO, compressed)
    else:
        yield file
