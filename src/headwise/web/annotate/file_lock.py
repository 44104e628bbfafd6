"""A file that one process at a time works on."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from headwise.base.errors import HeadwiseError

_MOST_SAID = 200


class FileLock:
    """Held until it is released or the process ends, however it ends.

    The lock is on a hidden file beside the one it is for, which is replaced with every change and so cannot
    carry a lock itself. That file says who holds it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(f".{path.name}.lock")
        self._released = False
        while True:
            try:
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError as error:
                raise HeadwiseError(f"cannot write {path}: {error.strerror}.") from error
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.read(self._descriptor, _MOST_SAID).decode(errors="replace").strip()
                os.close(self._descriptor)
                raise HeadwiseError(
                    f"{path} is being annotated already{f' ({holder})' if holder else ''}. "
                    "Go on there, or stop that first."
                ) from None
            if self._is_in_place():
                break
            os.close(self._descriptor)  # whoever had it has removed it meanwhile
        self.say(f"process {os.getpid()}")

    def _is_in_place(self) -> bool:
        try:
            found = os.stat(self._path)
        except FileNotFoundError:
            return False
        return os.path.samestat(found, os.fstat(self._descriptor))

    def say(self, who: str) -> None:
        """What others are told who want the file too."""
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, who.encode(errors="replace")[:_MOST_SAID], 0)

    def release(self) -> None:
        if self._released:
            return  # by now it may be somebody else's
        self._released = True
        with suppress(OSError):
            os.unlink(self._path)
        os.close(self._descriptor)
