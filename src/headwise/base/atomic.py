"""Files that are written whole or not at all, whoever else writes them and whatever happens meanwhile."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

_NEW_FILE = 0o666


@contextmanager
def replaced(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write bytes to, which takes the place of ``path`` when all is written, flushed and closed.

    While it is written it has no name at all where the system can do that (Linux), so that nothing is left
    whatever happens, and else a name in the same folder that nobody else has; two writers do not meet in one
    file. A link stays a link, and what it points to is replaced; an existing file keeps its permissions.
    Where anything fails, what was there before is untouched.
    """
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target.parent))
    nameless = _without_name(target)
    if nameless is not None:
        with os.fdopen(nameless, "wb") as file:
            yield cast(BinaryIO, file)
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), mode_of(target))
            _name(file.fileno(), target)
        return
    import tempfile

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


def _without_name(target: Path) -> int | None:
    """A new file in the folder of ``target`` that has no name; None where there can be none."""
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(target.parent, os.O_TMPFILE | os.O_WRONLY, 0o600)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL):  # of the file system
            return None
        raise OSError(error.errno, error.strerror, str(target)) from error


def _name(descriptor: int, target: Path) -> None:
    """Put a file without a name into the place of ``target``."""
    import tempfile

    folder = os.open(target.parent, os.O_RDONLY)
    try:
        with tempfile.TemporaryDirectory(prefix=".", suffix=".unfinished", dir=target.parent) as own:
            name = os.path.join(own, target.name)
            # With a descriptor of a folder Python calls linkat(2), which follows the link in /proc.
            os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=folder, follow_symlinks=True)
            os.replace(name, target)
    finally:
        os.close(folder)


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
