"""How far a parse is: a line on the terminal while it runs, and a summary at its end."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import TracebackType

BETWEEN = 0.5
"""Seconds between two looks at the line."""


class ParseProgress:
    """Counts sentences and words. Nothing is shown where nobody looks, or where trees are drawn."""

    def __init__(self, output: Path) -> None:
        self._output = output
        on_screen = str(output) == "-" and sys.stdout.isatty()
        self._shown = sys.stderr.isatty() and not on_screen
        self._started = self._last = time.monotonic()
        self._sentences = self._words = 0

    def add(self, words: int) -> None:
        """One more sentence."""
        self._sentences += 1
        self._words += words
        if self._shown and time.monotonic() - self._last >= BETWEEN:
            self._last = time.monotonic()
            print(f"\r\x1b[K{self}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> ParseProgress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def report(self) -> None:
        """The summary, when the output is whole."""
        if self._shown:
            where = "" if str(self._output) == "-" else f", written to {self._output}"
            print(f"{self}{where}", file=sys.stderr)

    def __str__(self) -> str:
        seconds = max(1e-3, time.monotonic() - self._started)
        return (
            f"{self._sentences:,} sentences, {self._words:,} words in {seconds:.1f} s "
            f"({self._words / seconds:,.0f} words/s)"
        )
