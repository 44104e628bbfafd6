"""Web applications, asked in this process: what a client sends goes to uvicorn's protocol, and no socket."""

from __future__ import annotations

import asyncio
import json
import logging
from abc import abstractmethod
from typing import Any

from attack.target import BrokenPromiseError, Outcome, Target

HEADERS = [
    b"Origin: https://evil.example",
    b"Sec-Fetch-Site: cross-site",
    b"Transfer-Encoding: chunked",
    b"Content-Length: 5",
    b"Content-Length: 99999999999",
    b"Expect: 100-continue",
    b"Host: evil.example",
    b"Content-Encoding: gzip",
    b"Upgrade: websocket\r\nConnection: Upgrade",
    b"Range: bytes=0-1",
    b"If-None-Match: *",
    b"Connection: close",
    b"Cookie: a=b; =; \x01",
    b"Authorization: Bearer x",
    b"X: " + b"y" * 3000,
]
_ALWAYS = (b"x-frame-options", b"content-security-policy")


class Served(Target):
    """A case is what a client sends. All answers have the headers that keep pages to themselves."""

    cases_a_process = 5_000
    fine = frozenset({503, 507})
    """Answers that say that there is too much to do, or no room."""

    def __init__(self) -> None:
        from uvicorn import Config

        self._config = Config(self.application(), ws="none", log_config=None)
        self._config.load()
        self._loop = asyncio.new_event_loop()
        self._errors: list[str] = []
        handler = logging.Handler(logging.ERROR)
        handler.emit = lambda record: self._errors.append(handler.format(record))  # type: ignore[method-assign]
        log = logging.getLogger("uvicorn.error")
        log.handlers, log.propagate = [handler], False

    @abstractmethod
    def application(self) -> Any:
        """The ASGI application."""

    def attack(self, data: bytes) -> Outcome:
        self._errors.clear()
        statuses = self._loop.run_until_complete(self._serve(data))
        if self._errors:
            raise BrokenPromiseError(f"an error was logged: {self._errors[0]}")
        if any(status >= 500 and status not in self.fine for status in statuses):
            raise BrokenPromiseError(f"answered {statuses}")
        return "accepted" if statuses and statuses[0] < 400 else "refused"

    async def _serve(self, data: bytes) -> list[int]:
        """The statuses of the answers."""
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
        from uvicorn.server import ServerState

        state = ServerState()
        protocol = HttpToolsProtocol(self._config, state, {}, _loop=asyncio.get_running_loop())
        transport = _Transport()
        protocol.connection_made(transport)
        protocol.data_received(data)
        while state.tasks:
            await asyncio.wait(state.tasks, timeout=0.05)
            cycle = protocol.cycle
            if cycle is not None and cycle.more_body and not cycle.response_complete:
                protocol.connection_lost(None)  # the rest never comes
        if not transport.closed:
            protocol.connection_lost(None)
        await asyncio.sleep(0)
        return _checked(transport.pieces)


class _Transport(asyncio.Transport):
    """What the protocol writes to."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []
        self.closed = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"sockname": ("127.0.0.1", 8001), "peername": ("127.0.0.1", 50000)}.get(name, default)

    def write(self, data: Any) -> None:
        self.pieces.append(bytes(data))

    def close(self) -> None:
        self.closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


def _checked(pieces: list[bytes]) -> list[int]:
    """The statuses; answers in JSON must be JSON, and all from the application have their headers."""
    statuses = []
    for answer in b"".join(pieces).split(b"HTTP/1.1 ")[1:]:
        head, _, body = answer.partition(b"\r\n\r\n")
        status = int(head[:3])
        if status == 100:
            continue
        statuses.append(status)
        if b"application/json" in head and body:
            json.loads(body)
        from_protocol = body.startswith(b"Invalid HTTP request")  # it never reached the application
        if not from_protocol and not all(name in head.lower() for name in _ALWAYS):
            raise BrokenPromiseError(f"an answer ({status}) without the headers of pages")
    return statuses


def request(line: str, body: bytes = b"", kind: str = "") -> bytes:
    head = f"{line} HTTP/1.1\r\nHost: localhost:8001\r\n"
    if kind:
        head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
    return head.encode(errors="replace") + b"\r\n" + body
