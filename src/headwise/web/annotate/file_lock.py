"""A file that one process at a time works on."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from headwise.base.atomic import is_at, lock
from headwise.base.errors import HeadwiseError

_MOST_SAID = 200
_TRIES = 100


class FileLock:
    """Held until it is released or the process ends, however it ends.

    There are two locks. One is on a hidden file beside the one it is for, which may not be there yet; that
    file says who holds it. The other is on the file itself, whatever its names are, and moves on to each new
    file that takes its place. The hidden file is one that this process has made: what is there already is
    never written to, whether it is a link or a file of somebody.
    """

    def __init__(self, path: Path) -> None:
        """``path`` is without links (`os.path.realpath`), so that every way to the file leads to one lock."""
        self._file = path
        self._path = path.with_name(f".{path.name}.lock")
        self._released = False
        self._held: list[int] = []
        try:
            self._descriptor = self._own_file()
        except OSError as error:
            raise HeadwiseError(f"cannot write {path}: {error.strerror}.") from error
        try:
            self.say(f"process {os.getpid()}")
            self._hold_what_is_there()
        except BaseException:
            self.release()
            raise

    def _own_file(self) -> int:
        """The hidden file, new and locked."""
        for _ in range(_TRIES):
            self._remove_left_over()
            try:
                made = os.open(
                    self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666
                )
            except FileExistsError:
                continue  # another process was quicker
            if lock(made) and is_at(made, self._path):
                return made
            os.close(made)
        raise HeadwiseError(
            f"{self._file} cannot be locked: {self._path} is in the way, or there are no locks."
        )

    def _remove_left_over(self) -> None:
        """Remove the hidden file of a process that is no more; HeadwiseError where it is still there."""
        try:
            found = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        except OSError as error:
            raise HeadwiseError(
                f"{self._file} cannot be locked: {self._path} is in the way ({error.strerror}). Remove it."
            ) from error
        try:
            if not stat.S_ISREG(os.fstat(found).st_mode):
                raise HeadwiseError(f"{self._file} cannot be locked: {self._path} is in the way. Remove it.")
            if not lock(found):
                holder = os.read(found, _MOST_SAID).decode(errors="replace").strip()
                raise HeadwiseError(
                    f"{self._file} is being annotated already{f' ({holder})' if holder else ''}. "
                    "Go on there, or stop that first."
                )
            if is_at(found, self._path):
                os.unlink(self._path)
        finally:
            os.close(found)

    def _hold_what_is_there(self) -> None:
        with suppress(FileNotFoundError):
            found = os.open(self._file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                self.hold(found)
            finally:
                os.close(found)

    def hold(self, descriptor: int) -> None:
        """Lock the file itself too; it may be closed afterwards."""
        if self._holds(descriptor):
            return
        own = os.dup(descriptor)
        if not lock(own):
            os.close(own)
            raise HeadwiseError(
                f"{self._file} is being annotated already, under another name. Go on there, or stop that "
                "first."
            )
        self._held.append(own)
        # The first is kept: by its other names a file is still the one that work began with.
        while len(self._held) > 2:
            os.close(self._held.pop(1))

    def _holds(self, descriptor: int) -> bool:
        return any(os.path.sameopenfile(descriptor, own) for own in self._held)

    def say(self, who: str) -> None:
        """What others are told who want the file too."""
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, who.encode(errors="replace")[:_MOST_SAID], 0)

    def release(self) -> None:
        if self._released:
            return  # by now it may be somebody else's
        self._released = True
        if is_at(self._descriptor, self._path):
            with suppress(OSError):
                os.unlink(self._path)
        for descriptor in (self._descriptor, *self._held):
            os.close(descriptor)
