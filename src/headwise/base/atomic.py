"""Files that are written whole or not at all, whoever else writes them and whatever happens meanwhile."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, cast

from headwise.base.errors import HeadwiseError

_NEW_FILE = 0o666
_ENDING = ".unfinished"
_TRIES = 200
"""Milliseconds to wait for another writer of the same file, which takes one to put its own in place."""


@contextmanager
def replaced(
    path: str | os.PathLike[str], *, follow_links: bool = True, new: bool = False
) -> Iterator[BinaryIO]:
    """A file to write bytes to, which takes the place of ``path`` when all is written, flushed and closed.

    While it is written it has no name at all where the system can do that (Linux), and else a name in the
    same folder that nobody else has; two writers do not meet in one file. What a kill has left of a name is
    removed by the next writer. An existing file keeps its permissions. Where anything fails, what was there
    before is untouched.

    Args:
        follow_links: a link stays a link, and what it points to is replaced, as whoever named it wants. Names
            that nobody has typed, such as those beside an output, are not followed: the link is replaced.
        new: FileExistsError where there is such a file by then.
    """
    target = Path(os.path.realpath(path)) if follow_links else Path(os.path.abspath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(target.parent))
    refuse_special(target)
    nameless = _without_name(target)
    if nameless is not None:
        with os.fdopen(nameless, "wb") as file:
            yield cast(BinaryIO, file)
            _finish(file.fileno(), file, target)
            _name(file.fileno(), target, new)
        return
    descriptor, name = _with_name(target)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield cast(BinaryIO, file)
            _finish(file.fileno(), file, target)
            if new:
                os.link(name, target)
                os.unlink(name)
            else:
                os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    flush_folder(target.parent)


def refuse_special(path: str | os.PathLike[str]) -> None:
    """HeadwiseError where a device, a pipe or a socket is, of which a file must not take the place."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return  # nothing is there, or whoever opens it says what is wrong
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise HeadwiseError(
            f"cannot write {os.fspath(path)}: it is a device or a pipe, and what is written must be a file "
            "on a disk. Name another."
        )


def _finish(descriptor: int, file: BinaryIO, target: Path) -> None:
    file.flush()
    os.fsync(descriptor)
    os.fchmod(descriptor, mode_of(target))


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


def _name(descriptor: int, target: Path, new: bool) -> None:
    """Put a file without a name into the place of ``target``.

    A file can be linked only to a name that is free, and from there be moved to one that is not. In between
    it has a name of its own, the same whenever this file is written, so that the next writer knows where to
    look for what a kill has left. Who removes or moves a file of that name holds a lock on it.
    """
    own = target.with_name(_own_name(target) + _ENDING)
    lock(descriptor)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        is_free = sweep(own)
        with suppress(FileExistsError):
            _link(descriptor, target, folder)
            return
        if new:
            raise FileExistsError(errno.EEXIST, "somebody else has made this file", str(target))
        for _ in range(_TRIES):
            if is_free:
                with suppress(FileExistsError):
                    _link(descriptor, own, folder)
                    break
            time.sleep(0.001)
            is_free = sweep(own)
        else:  # something is in the way there that is none of ours
            own = target.with_name(f"{_own_name(target)}.{os.urandom(8).hex()}{_ENDING}")
            _link(descriptor, own, folder)
        try:
            os.replace(own, target)
        except BaseException:
            with suppress(OSError):  # it may be in its place already, and Ctrl-C came right behind
                os.unlink(own)
            raise
    finally:
        with suppress(OSError):  # not every file system can flush a folder
            os.fsync(folder)
        os.close(folder)


def _link(descriptor: int, name: Path, folder: int) -> None:
    # With a descriptor of a folder Python calls linkat(2), which follows the link in /proc.
    os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=folder, follow_symlinks=True)


def _with_name(target: Path) -> tuple[int, str]:
    """A new file beside ``target`` under a name of its own, locked; what others have left is removed."""
    import tempfile

    prefix = f"{_own_name(target)}."
    for left in target.parent.glob(f"{prefix}*{_ENDING}"):
        sweep(left)
    for left_tries in reversed(range(_TRIES)):
        descriptor, name = tempfile.mkstemp(prefix=prefix, suffix=_ENDING, dir=target.parent)
        if lock(descriptor) and is_at(descriptor, name):
            break
        if not left_tries:  # there are no locks here, and so nobody sweeps
            break
        os.close(descriptor)  # somebody sweeps it, who has locked it before
        with suppress(FileNotFoundError):
            os.unlink(name)
    return descriptor, name


def _own_name(target: Path) -> str:
    """Short, also where the name of the file is as long as names can be."""
    return f".{sha256(os.fsencode(target.name)).hexdigest()[:16]}"


def sweep(name: str | os.PathLike[str]) -> bool:
    """Remove a file that a writer has left who is no more; whether nothing is there now."""
    try:
        found = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return True
    except OSError:  # a link, or somebody else's
        return False
    try:
        if not stat.S_ISREG(os.fstat(found).st_mode) or not lock(found):
            return False
        if is_at(found, name):
            os.unlink(name)
        return True
    except OSError:
        return False
    finally:
        os.close(found)


def lock(descriptor: int) -> bool:
    """Lock a file for as long as it is open here; False where another has, or where there are no locks."""
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def is_at(descriptor: int, name: str | os.PathLike[str]) -> bool:
    """Whether an open file is the one of that name; a link is none."""
    try:
        return os.path.samestat(os.lstat(name), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def flush_folder(folder: str | os.PathLike[str]) -> None:
    """A rename lasts once its folder is on the disk."""
    with suppress(OSError):  # not every file system can
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


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
