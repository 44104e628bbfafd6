"""Ctrl-C at a moment when something has to be finished first."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def finished_first() -> Iterator[None]:
    """Ctrl-C waits until what is done here is done, and is a KeyboardInterrupt then; a second one is at once.

    Only the main thread is ever interrupted; in others nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []

    def wait(number: int, frame: FrameType | None) -> None:
        if waiting:
            raise KeyboardInterrupt
        waiting.append(number)

    before = signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting:
        raise KeyboardInterrupt
