"""What all tests need."""

from __future__ import annotations

import signal

import pytest


@pytest.fixture(scope="session", autouse=True)
def _interrupts_arrive() -> None:
    """A shell starts background jobs with Ctrl-C ignored, and processes inherit that: tests send it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
