"""Shards: what a worker parses in one go and writes into one file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from headwise.corpus.inputs import Unit
from headwise.corpus.options import CorpusOptions
from headwise.corpus.spans import Span, spans_of


@dataclass(frozen=True)
class Shard:
    name: str
    spans: tuple[Span, ...]
    disk_bytes: int
    """How much of the input files was read for it, as they are on the disk; for progress, not for digests."""

    @property
    def size(self) -> int:
        return sum(len(span.data) for span in self.spans)

    @property
    def digest(self) -> str:
        """SHA-256 of what it holds and where that stands."""
        digest = hashlib.sha256()
        for span in self.spans:
            digest.update(json.dumps([span.head, len(span.data)], sort_keys=True).encode())
            digest.update(span.data)
        return digest.hexdigest()


def shards_of(unit: Unit, options: CorpusOptions) -> Iterator[Shard]:
    """The shards of a unit, in order: spans that follow each other, up to the size of a shard."""
    spans: list[Span] = []
    size = part = read = counted = before = 0
    for file in unit.files:
        for span, position in spans_of(file, options):
            if spans and size + len(span.data) > options.shard_bytes:
                yield Shard(f"{unit.number:05}-{part:05}", tuple(spans), read - counted)
                spans, size, part, counted = [], 0, part + 1, read
            spans.append(span)
            size += len(span.data)
            read = before + position
        before += file.size
        read = before
    if spans:
        yield Shard(f"{unit.number:05}-{part:05}", tuple(spans), read - counted)
