"""Which files are parsed, in an order that does not depend on the file system."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from headwise.base.errors import HeadwiseError

Kind = Literal["text", "json", "parquet", "treebank"]

_KINDS: dict[str, Kind] = {
    ".txt": "text",
    ".text": "text",
    ".md": "text",
    ".jsonl": "json",
    ".ndjson": "json",
    ".parquet": "parquet",
    ".conllu": "treebank",
    ".conllx": "treebank",
    ".conll": "treebank",
}
_COMPRESSED = (".gz", ".xz")
_LISTED = 5
"""File names in a message; the others are counted."""


class InputError(HeadwiseError):
    """Input that is not there, or cannot be parsed."""


@dataclass(frozen=True)
class InputFile:
    """A file, and what its documents are called."""

    path: Path
    name: str
    """Its path below the folder that was named: the id of its document, or the beginning of their ids."""
    kind: Kind
    size: int
    """Bytes on the disk."""


@dataclass(frozen=True)
class Unit:
    """Files that are read one after the other by one process: one large file, or a few small ones."""

    number: int
    files: tuple[InputFile, ...]


def find_inputs(
    arguments: Sequence[str | Path], *, but_not: Path | None = None
) -> tuple[list[InputFile], list[Path]]:
    """The files that were named and those below folders that were named; and those that were passed over.

    Folders are searched for files whose names end in .txt, .jsonl, .parquet, .conllu … (.gz, .xz); hidden
    files and those that begin with "_" are passed over, as is usual, and the folder ``but_not``: the output
    may be below the input.
    """
    files: list[InputFile] = []
    ignored: list[Path] = []
    for argument in map(Path, arguments):
        if argument.is_dir():
            prefix = f"{_readable(argument.resolve().name)}/" if len(arguments) > 1 else ""
            for path in _walk(argument, but_not):
                kind = _kind(path)
                if kind is None:
                    ignored.append(path)
                else:
                    files.append(_file(path, prefix + _readable(path.relative_to(argument).as_posix()), kind))
        elif argument.exists():
            kind = _kind(argument)
            if kind is None:
                raise InputError(f"{argument}: what it holds cannot be told from its name. {_endings()}")
            files.append(_file(argument, _readable(argument.name), kind))
        else:
            raise InputError(f"{argument}: no such file or folder. Check the name.")
    if not files:
        places, others = ", ".join(map(str, arguments)), f" (but {len(ignored):,} others)" if ignored else ""
        raise InputError(f"{places}: there are no files to parse{others}. {_endings()}")
    _check_names(files)
    _check_readable(files)
    return files, ignored


def _walk(folder: Path, but_not: Path | None) -> Iterator[Path]:
    def unreadable(error: OSError) -> None:
        raise InputError(f"{error.filename}: the folder cannot be read ({error.strerror}).") from error

    for parent, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith((".", "_"))
            and (but_not is None or Path(parent, name).resolve() != but_not)
        )
        yield from (Path(parent, name) for name in sorted(names) if not name.startswith((".", "_")))


def _kind(path: Path) -> Kind | None:
    name = path.name.lower()
    for ending in _COMPRESSED:
        name = name.removesuffix(ending)
    return _KINDS.get(Path(name).suffix)


def _endings() -> str:
    return f"Files should end in {', '.join(_KINDS)}, or in these and {' or '.join(_COMPRESSED)}."


def _file(path: Path, name: str, kind: Kind) -> InputFile:
    try:
        status = path.stat()
    except OSError as error:  # a link that leads nowhere
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from error
    if not stat.S_ISREG(status.st_mode):
        raise InputError(
            f"{path} is not a file that can be read twice. Write what comes out of it to a file."
        )
    return InputFile(path, name, kind, status.st_size)


def _readable(name: str) -> str:
    """A file name as an id: Unicode, without white space and control characters (%20 and so on)."""
    unicode = os.fsencode(name).decode(errors="backslashreplace")
    return "".join(
        c if c.isprintable() and not c.isspace() else "".join(f"%{b:02X}" for b in c.encode())
        for c in unicode
    )


def _check_names(files: Sequence[InputFile]) -> None:
    seen: dict[str, Path] = {}
    for file in files:
        other = seen.setdefault(file.name, file.path)
        if other is not file.path:
            raise InputError(
                f"{other} and {file.path} would both be called {file.name}. Give one folder that holds both, "
                "or parse them into two folders."
            )


def _check_readable(files: Sequence[InputFile]) -> None:
    """A file that cannot be read is better noticed now than in the third night of a run."""
    problems = []
    for file in files:
        try:
            file.path.open("rb").close()
        except OSError as error:
            problems.append(f"{file.path}: {error.strerror}")
    if problems:
        shown = "; ".join(problems[:_LISTED]) + ("; …" if len(problems) > _LISTED else "")
        raise InputError(
            f"{len(problems):,} of {len(files):,} files cannot be read: {shown}. Change their "
            "permissions, or leave them out."
        )


def units_of(files: Sequence[InputFile], shard_bytes: int) -> list[Unit]:
    """Small files that follow each other are read together, up to the size of a shard."""
    units: list[Unit] = []
    together: list[InputFile] = []
    size = 0
    for file in files:
        if together and size + file.size > shard_bytes:
            units.append(Unit(len(units), tuple(together)))
            together, size = [], 0
        together.append(file)
        size += file.size
    if together:
        units.append(Unit(len(units), tuple(together)))
    return units
