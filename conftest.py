"""The tests are of this tree where its core is built in place, and else of the installed package."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent / "src"
IN_PLACE = any((SOURCE / "headwise").glob("_native*.so"))

if IN_PLACE:  # also for the commands that tests start, wherever they start them
    sys.path.insert(0, str(SOURCE))
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    os.environ["PYTHONPATH"] = os.pathsep.join([str(SOURCE), *others])


def tested_copy() -> Path:
    """The folder of the package that the tests import."""
    found = find_spec("headwise")
    if found is None or found.origin is None:
        raise pytest.UsageError("headwise is neither built in place nor installed; see CONTRIBUTING.md")
    return Path(found.origin).parent


def pytest_configure() -> None:
    if IN_PLACE and tested_copy() != SOURCE / "headwise":
        raise pytest.UsageError(f"the tests would run {tested_copy()}, not this tree")


def pytest_report_header() -> str:
    return f"headwise: {tested_copy()}"
