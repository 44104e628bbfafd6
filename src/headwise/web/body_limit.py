"""A limit on the size of requests, kept while they arrive: what is too large is never in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.web.refusals import refuse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 4 * 1024 * 1024
"""As UDPipe 2 has it."""


class BodyTooLargeError(Exception):
    """Raised while a body is read that has become too large."""


class BodyLimit:
    """Refuses requests of more than so many bytes (413)."""

    def __init__(self, app: ASGIApp, most_bytes: int = MOST_BYTES) -> None:
        self._app, self._most = app, most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        message = f"The request is larger than {self._most} bytes. Send less at a time."
        length = next((value for name, value in scope["headers"] if name == b"content-length"), None)
        if length is not None and not _is_within(length, self._most):
            return await refuse(scope, receive, send, 413, message, {"Connection": "close"})
        seen = 0
        answered = False

        async def counting() -> Message:
            nonlocal seen
            arrived = await receive()
            if arrived["type"] == "http.request":
                seen += len(arrived.get("body", b""))
                if seen > self._most:
                    raise BodyTooLargeError
            return arrived

        async def watched(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            return await self._app(scope, receive if length is not None else counting, watched)
        except BodyTooLargeError:
            if not answered:
                await refuse(scope, receive, send, 413, message, {"Connection": "close"})
            return None


def _is_within(length: bytes, most: int) -> bool:
    digits = length.lstrip(b"0") or b"0"
    return length.isdigit() and len(digits) <= len(str(most)) and int(digits) <= most
