"""Who is let in: a request that would be one too many, or too much, is refused before its body is read."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from headwise.web.refusals import API, refuse
from headwise.web.serve.limits import Limits
from headwise.web.serve.metrics import Metrics

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_AT_ONCE = 1 << 16
"""Bytes that are sent without waiting for whoever reads them: the system keeps so many."""
_LIGHT = frozenset({"/api/models", "/api/openapi.json"})


class Admission:
    """Counts requests and their bytes while they are in progress, and refuses what is too much (429)."""

    def __init__(self, app: ASGIApp, limits: Limits, metrics: Metrics) -> None:
        self._app, self._limits, self._metrics = app, limits, metrics
        self._working, self._bytes = 0, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        began, status = time.perf_counter(), 0
        path = scope["path"]

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            if len(message.get("body", b"")) < _AT_ONCE:
                return await send(message)
            async with asyncio.timeout(self._limits.seconds):  # whoever does not take the answer loses it
                return await send(message)

        self._metrics.in_progress += 1
        try:
            if path == "/process" or (path.startswith(API) and path not in _LIGHT):
                await self._admit(scope, receive, watched)
            else:
                await self._app(scope, receive, watched)
        finally:
            self._metrics.in_progress -= 1
            self._metrics.answered(path, status, time.perf_counter() - began)

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        size = _size(scope)
        full = self._working >= self._limits.queue
        # One large request is always taken, if it is the only one.
        crowded = self._working > 0 and self._bytes + size > self._limits.queue_bytes
        if full or crowded:
            message = "Too many requests are waiting. Try again in a second."
            return await refuse(scope, receive, send, 429, message, {"Retry-After": "1"})
        self._working += 1
        self._bytes += size
        try:
            return await self._app(scope, receive, send)
        finally:
            self._working -= 1
            self._bytes -= size


def _size(scope: Scope) -> int:
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(length) + len(scope["query_string"])  # BodyLimit has looked at the length
