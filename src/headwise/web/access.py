"""Who may ask: a page on the Internet must not use a server that runs on its reader's machine.

A browser sends requests wherever a page tells it to. Two things give such a request away. Its ``Host`` is
the name that the page used, also where that name was pointed at this machine afterwards (DNS rebinding). And
``Sec-Fetch-Site`` and ``Origin`` say where the page comes from. Programs send neither and are let through.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from headwise.web.refusals import refuse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
ANY_ORIGIN = "*"


@dataclass(frozen=True)
class Access:
    """Names under which the server may be asked, and pages elsewhere that may ask it."""

    hosts: frozenset[str] | None = LOCAL_NAMES
    """None: any name, for a server that other machines use."""
    origins: frozenset[str] = frozenset()
    """Such as ``https://example.org``; ``*`` is any."""

    @classmethod
    def of_address(
        cls, address: str, origins: frozenset[str] = frozenset(), names: frozenset[str] = frozenset()
    ) -> Access:
        """For a server bound to this address, which has these names beside the local ones.

        Where it is not a local one and nobody has named it, it is answered under any name.
        """
        if names or is_local(address):
            return cls(LOCAL_NAMES | {_name(name) or name for name in names}, origins)
        return cls(None, origins)

    def allows_host(self, host: str) -> bool:
        return self.hosts is None or _name(host) in self.hosts

    def allows_origin(self, origin: str) -> bool:
        return ANY_ORIGIN in self.origins or origin in self.origins


def is_local(address: str) -> bool:
    """Whether only this machine can connect to this address."""
    if address in LOCAL_NAMES:
        return True
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _name(host: str) -> str:
    """The name in a ``Host``, without its port; empty where there is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class AccessGuard:
    """Refuses requests under foreign names (400) and from foreign pages (403)."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = {name: value.decode("latin-1") for name, value in scope["headers"] if name in _READ}
            host = headers.get(b"host", "")
            if not self._access.allows_host(host):
                message = (
                    f"The server is not known as {host or 'nothing'}. Ask it as localhost, or start it with "
                    "--allow-host."
                )
                return await refuse(scope, receive, send, 400, message)
            if not self._is_our_page(scope, headers, host):
                message = "Pages of other sites may not use this server. Allow them with --allow-origin."
                return await refuse(scope, receive, send, 403, message)
        return await self._app(scope, receive, send)

    def _is_our_page(self, scope: Scope, headers: dict[bytes, str], host: str) -> bool:
        origin = headers.get(b"origin")
        if origin is not None and self._access.allows_origin(origin):
            return True
        site = headers.get(b"sec-fetch-site", "none")
        if site not in ("none", "same-origin"):
            # Following a link to a page is harmless; embedding it is refused by its own headers.
            return scope["method"] == "GET" and headers.get(b"sec-fetch-mode") == "navigate"
        if origin is None or scope["method"] in ("GET", "HEAD"):
            return True
        try:
            return urlsplit(origin).netloc == host != ""
        except ValueError:
            return False


_READ = frozenset({b"host", b"origin", b"sec-fetch-site", b"sec-fetch-mode"})
