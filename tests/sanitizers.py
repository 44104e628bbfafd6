"""Tests that cannot run, and programs that cannot start, under the library of a sanitizer."""

from __future__ import annotations

import os

import pytest

WITHOUT_SANITIZERS = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
"""The environment of a program, a browser say, that does not start under such a library."""

not_under_sanitizers = pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""),
    reason="a sanitizer keeps what is freed, and takes addresses by the terabyte",
)
