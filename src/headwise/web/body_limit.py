"""Limits on the size of requests and on the time that they take to arrive, kept while they do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from headwise.web.refusals import refuse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 4 * 1024 * 1024
"""As UDPipe 2 has it."""
SECONDS = 60.0
"""For all of a request to arrive."""


class BodyTooLargeError(Exception):
    """Raised while a body is read that has become too large."""


class BodyTooSlowError(Exception):
    """Raised while a body is read that does not come to its end."""


class BodyLimit:
    """Refuses requests of more than so many bytes (413), and those that do not arrive in time (408)."""

    def __init__(self, app: ASGIApp, most_bytes: int = MOST_BYTES, seconds: float = SECONDS) -> None:
        self._app, self._most, self._seconds = app, most_bytes, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        message = f"The request is larger than {self._most} bytes. Send less at a time."
        length = next((value for name, value in scope["headers"] if name == b"content-length"), None)
        if length is not None and not _is_within(length, self._most):
            return await refuse(scope, receive, send, 413, message, {"Connection": "close"})
        seen = 0
        answered = arrived_whole = False
        end = asyncio.get_running_loop().time() + self._seconds

        async def counting() -> Message:
            nonlocal seen, arrived_whole
            if arrived_whole:  # what is waited for now is that the client goes away
                return await receive()
            try:
                async with asyncio.timeout_at(end):
                    arrived = await receive()
            except TimeoutError:
                raise BodyTooSlowError from None
            if arrived["type"] == "http.request":
                arrived_whole = not arrived.get("more_body", False)
                seen += len(arrived.get("body", b""))
                if seen > self._most:
                    raise BodyTooLargeError
            return arrived

        async def watched(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            return await self._app(scope, counting, watched)
        except (BodyTooLargeError, BodyTooSlowError) as error:
            if not answered:
                late = f"The request did not arrive within {self._seconds:g} seconds."
                status, why = (413, message) if isinstance(error, BodyTooLargeError) else (408, late)
                await refuse(scope, receive, send, status, why, {"Connection": "close"})
            return None


def _is_within(length: bytes, most: int) -> bool:
    digits = length.lstrip(b"0") or b"0"
    return length.isdigit() and len(digits) <= len(str(most)) and int(digits) <= most
