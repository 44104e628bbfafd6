"""A web application on a port of this machine, for tests that ask it as others do."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def serving(app: Any, **options: Any) -> Iterator[str]:
    """The address of the application, without the last slash, while it runs in a thread."""
    from headwise.web.listening import bind, server, url_of

    with bind() as listening:
        ready = threading.Event()
        running = server(app, ready=ready.set, **options)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            assert ready.wait(60), "the server did not start"
            yield url_of(listening).rstrip("/")
        finally:
            running.should_exit = True
            thread.join(60)
