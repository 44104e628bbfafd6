"""What engines tell the one who runs them."""

from __future__ import annotations

from dataclasses import dataclass

from headwise.corpus.output import Marker
from headwise.corpus.shards import Shard


@dataclass(frozen=True)
class ShardDone:
    marker: Marker
    disk_bytes: int
    seconds: float | None = None
    """How long it took; None where an earlier run had done it."""
    worker: str = ""
    memory: int | None = None
    """The memory of the worker, its share of what it shares with others included (PSS), in bytes."""


@dataclass(frozen=True)
class WordsParsed:
    """Words of shards that are not done yet."""

    words: int


@dataclass(frozen=True)
class WorkerDied:
    worker: str
    shard: str | None
    exit_code: int | None


@dataclass(frozen=True)
class ShardGivenUp:
    """A shard whose workers died again and again."""

    shard: str
    deaths: int
    first_file: str


@dataclass(frozen=True)
class FileUnreadable:
    """The rest of a file (and of the small files read with it) could not be read this time."""

    message: str


Event = ShardDone | WordsParsed | WorkerDied | ShardGivenUp | FileUnreadable


@dataclass(frozen=True)
class ToDo:
    """A shard from the reader: what is in it, or the marker that says that it is done."""

    shard: Shard
    marker: Marker | None
