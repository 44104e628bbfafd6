"""Headers that keep a page to itself: its own scripts and styles, no other site's, and nobody's frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)


def _headers(shared: bool) -> list[tuple[bytes, bytes]]:
    return [
        (b"content-security-policy", CONTENT_POLICY.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", b"DENY"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"cross-origin" if shared else b"same-origin"),
    ]


class SecurityHeaders:
    """Adds them to every answer. ``shared``: pages elsewhere may use the answers."""

    def __init__(self, app: ASGIApp, shared: bool = False) -> None:
        self._app, self._headers = app, _headers(shared)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *self._headers]}
            await send(message)

        return await self._app(scope, receive, with_headers)
