"""Clients that connect and then say nothing, or a letter a minute: their connection is closed."""

from __future__ import annotations

import asyncio
from typing import Any


def patient_for(seconds: float) -> type[asyncio.Protocol]:
    """uvicorn's protocol, with a limit on the time that the lines and headers of a request take to arrive."""
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    class PatientProtocol(HttpToolsProtocol):
        _timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait()

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self._wait()

        def on_headers_complete(self) -> None:
            self._stop_waiting()
            super().on_headers_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_waiting()
            super().connection_lost(exc)

        def _wait(self) -> None:
            if self._timer is None:
                self._timer = self.loop.call_later(seconds, self._close)

        def _stop_waiting(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _close(self) -> None:
            self._timer = None
            self.transport.close()

    return PatientProtocol
