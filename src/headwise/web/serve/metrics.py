"""What a server counts, as Prometheus reads it (text format 0.0.4)."""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator

_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0]
KNOWN = frozenset({"/process", "/models", "/api/parse", "/api/chart", "/api/models"})
"""Addresses that are told apart; the names of others come from outside and would be without end."""


class Metrics:
    """Counters. Those of requests belong to the event loop, those of batches to the threads."""

    def __init__(self, queue: Callable[[], int] = lambda: 0) -> None:
        self._queue = queue
        self._began = time.time()
        self._requests: Counter[tuple[str, int]] = Counter()
        self._durations = [0] * (len(_BOUNDS) + 1)
        self._seconds = 0.0
        self.in_progress = 0
        self._work = Counter[str]()
        self._lock = threading.Lock()

    def answered(self, path: str, status: int, seconds: float) -> None:
        self._requests[path if path in KNOWN else "other", status] += 1
        self._durations[bisect_left(_BOUNDS, seconds)] += 1
        self._seconds += seconds

    def worked(self, jobs: int, sentences: int, words: int) -> None:
        with self._lock:
            self._work.update(batches=1, slices=jobs, sentences=sentences, words=words)

    def __str__(self) -> str:
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield from _head("requests_total", "counter", "Answers, by address and status.")
        for (path, status), count in sorted(self._requests.items()):
            yield f'headwise_requests_total{{path="{path}",status="{status}"}} {count}'
        yield from _head("request_seconds", "histogram", "From the first byte of a request to its answer.")
        total = 0
        for bound, count in zip([*_BOUNDS, "+Inf"], self._durations, strict=True):
            total += count
            yield f'headwise_request_seconds_bucket{{le="{bound}"}} {total}'
        yield f"headwise_request_seconds_sum {self._seconds:.6f}"
        yield f"headwise_request_seconds_count {total}"
        for name, what in [
            ("sentences", "Sentences parsed or tagged."),
            ("words", "Words parsed or tagged."),
            ("batches", "Calls of the core; each takes slices of several requests."),
            ("slices", "Slices of requests in these calls."),
        ]:
            yield from _head(f"{name}_total", "counter", what)
            yield f"headwise_{name}_total {self._work[name]}"
        yield from _head("requests_in_progress", "gauge", "Requests that are not answered yet.")
        yield f"headwise_requests_in_progress {self.in_progress}"
        yield from _head("queue", "gauge", "Requests that wait for a thread.")
        yield f"headwise_queue {self._queue()}"
        yield from _head("start_time_seconds", "gauge", "When the server started, since 1970.")
        yield f"headwise_start_time_seconds {self._began:.3f}"


def _head(name: str, kind: str, what: str) -> Iterator[str]:
    yield f"# HELP headwise_{name} {what}"
    yield f"# TYPE headwise_{name} {kind}"
