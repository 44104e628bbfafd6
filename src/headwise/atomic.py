"""Files that are written whole or not at all, whoever else writes them and whatever happens meanwhile."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

_NEW_FILE = 0o666


@contextmanager
def replaced(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write bytes to, which takes the place of ``path`` when all is written, flushed and closed.

    It is created in the same folder under a name that nobody else has, so that two writers do not meet in one
    file. A link stays a link, and what it points to is replaced; an existing file keeps its permissions.
    Where anything fails, the half file is removed and what was there before is untouched.
    """
    target = Path(os.path.realpath(path))
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".unfinished", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield cast(BinaryIO, file)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode_of(target))
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def mode_of(target: Path) -> int:
    """Of the file that is there, or what a new one would have."""
    with suppress(FileNotFoundError):
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return _NEW_FILE & ~mask


def same_file(first: str | os.PathLike[str], second: str | os.PathLike[str]) -> bool:
    """Whether two names are of one file: by device and inode, so links are seen through."""
    try:
        return os.path.samefile(first, second)
    except OSError:  # one of them is not there
        return False
