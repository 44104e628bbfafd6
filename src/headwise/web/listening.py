"""A port of one's own, and an application that answers there until it is asked to stop."""

from __future__ import annotations

import errno
import signal
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from headwise.base.errors import HeadwiseError

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

LOCALHOST = "127.0.0.1"
BACKLOG = 1024
"""Connections that may wait to be accepted."""
SECONDS = 60.0
"""For the lines and headers of a request to arrive."""
PATIENCE = 10
"""Seconds that requests in progress have to finish when the server is asked to stop."""


def bind(host: str = LOCALHOST, port: int = 0) -> socket.socket:
    """A socket that listens there; port 0 is any free one."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise HeadwiseError(f"{host} is no address of this machine: {error}.") from error
    listening = socket.socket(family, kind)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise HeadwiseError(_why_not(host, port, error)) from error
    return listening


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use already. Choose another with --port, or any free one with --port 0."
    if error.errno == errno.EACCES:
        return f"port {port} is reserved for the system's administrator. Choose one above 1023 with --port."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine."
    return f"cannot listen at {host}, port {port}: {error.strerror}."


def url_of(listening: socket.socket) -> str:
    """The address to type into a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "localhost"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def server(app: ASGIApp, *, ready: Callable[[], None] = lambda: None, **options: Any) -> uvicorn.Server:
    """A server that is run with ``server.run(sockets=[…])``, and stops when ``should_exit`` becomes true.

    Args:
        ready: is called when requests are answered.
        options: more of uvicorn's settings.
    """
    import uvicorn

    from headwise.web.slow_clients import patient_for

    class Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Generator[None, None, None]:
            """As uvicorn does, but a stop that was asked for is a success: no signal is raised after it."""
            if threading.current_thread() is not threading.main_thread():
                yield  # signals belong to the main thread
                return
            before = {
                number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)
            }
            try:
                yield
            finally:
                for number, handler in before.items():
                    signal.signal(number, handler)

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if not self.should_exit:
                ready()

    settings: dict[str, Any] = {
        "http": patient_for(SECONDS),
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "ws": "none",
        "lifespan": "on",
        "timeout_graceful_shutdown": PATIENCE,
        **options,
    }
    return Server(uvicorn.Config(app, **settings))


def run(
    app: ASGIApp, listening: socket.socket, *, ready: Callable[[], None] = lambda: None, **options: Any
) -> None:
    """Answers requests until Ctrl-C or SIGTERM; then no new ones are taken and those in progress finish.

    The arguments are those of `server`.
    """
    with listening, suppress(KeyboardInterrupt):  # a second Ctrl-C does not wait for requests
        server(app, ready=ready, **options).run(sockets=[listening])
