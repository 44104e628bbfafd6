"""How far a run is, for people: a line on the terminal that is written over."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field

from headwise.corpus.events import ShardDone, WordsParsed


@dataclass
class Totals:
    """What was parsed, in this run and before it."""

    shards: int = 0
    documents: int = 0
    sentences: int = 0
    words: int = 0
    bytes: int = 0
    failures: int = 0
    failed_bytes: int = 0
    new_shards: int = 0
    new_words: int = 0
    deaths: int = 0
    seconds: float = 0.0
    given_up: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    def add(self, done: ShardDone) -> None:
        marker = done.marker
        self.shards += 1
        self.documents += marker.documents
        self.sentences += marker.sentences
        self.words += marker.words
        self.bytes += marker.bytes
        self.failures += marker.failures
        self.failed_bytes += marker.failed_bytes
        if done.seconds is not None:
            self.new_shards += 1
            self.new_words += marker.words

    @property
    def failed_share(self) -> float:
        return self.failed_bytes / self.bytes if self.bytes else 0.0

    def __str__(self) -> str:
        speed = f" ({self.new_words / self.seconds:,.0f} words/s)" if self.new_words and self.seconds else ""
        before = (
            f", {self.shards - self.new_shards:,} of them done before"
            if self.new_shards < self.shards
            else ""
        )
        aside = (
            f"; {many(self.failures, 'passage')} set aside ({self.failed_share:.2%} of the bytes)"
            if self.failures
            else ""
        )
        sentences = f" in {many(self.sentences, 'sentence')}" if self.sentences else ""
        return (
            f"{many(self.words, 'word')}{sentences} of {many(self.documents, 'document')}, "
            f"{many(self.shards, 'shard')}{before}, in {clock(self.seconds)}{speed}{aside}"
        )


class Progress:
    """The line on the terminal; nothing where there is none."""

    def __init__(self, total_bytes: int) -> None:
        self._shown = sys.stderr.isatty()
        self._total = max(1, total_bytes)
        self._started = time.monotonic()
        self._read = self._read_before = self._words = self._unfinished = self._failures = 0
        self._last = 0.0

    def note(self, event: ShardDone | WordsParsed) -> None:
        if isinstance(event, WordsParsed):
            self._unfinished += event.words
        else:
            self._read += event.disk_bytes
            self._failures += event.marker.failures
            if event.seconds is None:
                self._read_before += event.disk_bytes
            else:
                self._words += event.marker.words
                self._unfinished = max(0, self._unfinished - event.marker.words)
        if self._shown and time.monotonic() - self._last >= 0.5:
            self._last = time.monotonic()
            print(f"\r\033[K{self}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def __str__(self) -> str:
        elapsed = max(1e-9, time.monotonic() - self._started)
        words = self._words + self._unfinished
        parts = [f"{self._read / self._total:4.0%}", f"{words / elapsed:,.0f} words/s"]
        new = self._read - self._read_before
        if new:
            parts.append(f"{clock(elapsed * (self._total - self._read) / new)} left")
        if self._failures:
            parts.append(f"{self._failures:,} set aside")
        return " · ".join(parts)


def many(number: int, thing: str) -> str:
    """So many things: 1 word, 1,000 words."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def clock(seconds: float) -> str:
    """Hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
