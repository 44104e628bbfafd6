"""What a server takes on: beyond this it refuses, so that it is never out of memory or time."""

from __future__ import annotations

from dataclasses import dataclass

from headwise.web.body_limit import MOST_BYTES


@dataclass(frozen=True)
class Limits:
    request_bytes: int = MOST_BYTES
    """A larger request is answered with 413."""
    queue: int = 128
    """Requests in progress; one more is answered with 429 …"""
    queue_bytes: int = 2 * MOST_BYTES
    """… and so is one with which they would have more bytes than this together."""
    seconds: float = 60.0
    """For a request to arrive (408), to be worked on (503), and for its answer to be taken."""
    connections: int = 1024
    """Open connections; on one more, requests are answered with 503."""
    sentence_words: int = 1000
    """Words of a sentence, as in UDPipe (400)."""
    answer_words: int = 20_000
    """Words of all trees of an answer in JSON together, which takes some hundred bytes for each (413)."""
    judged_words: int = 250
    """Words of a sentence that has constraints (400), and of one that gets k best trees or alternatives; a
    longer one is parsed without."""
    chart_words: int = 30
    """Words of a sentence whose chart is drawn (400)."""
    trees: int = 100
    """The most trees of a sentence (400)."""
    drawn_words: int = 200
    """Words of a sentence that is drawn (400)."""
