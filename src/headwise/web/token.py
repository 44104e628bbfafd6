"""A secret in the address of a page, for machines that others share: whoever does not know it is refused.

Every account of a machine can connect to a port on it. The address that is printed has the token, as that of
Jupyter has; the page that it leads to gets a cookie, which scripts cannot read and other sites do not send.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from headwise.web.refusals import refuse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PARAMETER = "token"


def new_token() -> str:
    return secrets.token_urlsafe(24)


def with_token(url: str, token: str) -> str:
    """The address that whoever may use the page is told."""
    return f"{url}?{urlencode({PARAMETER: token})}"


class TokenGuard:
    """Refuses (403) requests that have the token neither in their address nor in a cookie or a header."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token.encode()
        # Cookies are of a machine and not of a port: annotators side by side need names of their own.
        self._cookie = f"headwise-{sha256(self._token).hexdigest()[:12]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        asked = parse_qsl(scope.get("query_string", b"").decode("latin-1"))
        if any(name == PARAMETER and self._is(value) for name, value in asked):
            return await self._let_in(scope, receive, send)
        if self._is_known(scope):
            return await self._app(scope, receive, send)
        message = "Open the whole address that was printed where the command was started, with its token."
        return await refuse(scope, receive, send, 403, message)

    def _is(self, said: str) -> bool:
        return secrets.compare_digest(said.encode(errors="replace"), self._token)

    def _is_known(self, scope: Scope) -> bool:
        for name, value in scope["headers"]:
            said = value.decode("latin-1")
            if name == b"authorization" and self._is(said.removeprefix("Bearer ")):
                return True
            if name == b"cookie" and self._is(_cookie(said, self._cookie)):
                return True
        return False

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """To the same page under its plain address: the token stays in no history, and no page sees it."""
        from starlette.responses import RedirectResponse

        answer = RedirectResponse("/" + scope["path"].lstrip("/\\"), 303)
        answer.set_cookie(self._cookie, self._token.decode(), httponly=True, samesite="strict")
        await answer(scope, receive, send)


def _cookie(header: str, name: str) -> str:
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value
