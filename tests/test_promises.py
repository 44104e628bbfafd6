"""Every promise names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "promises.md"


def _check_attack(head: str) -> None:
    """Every section says how its promises are attacked, by targets and long tests that there are."""
    from attack.runs import TARGETS

    assert "\nAttacked by " in head, head
    named = re.findall(r"`(?:python tools/attack )?([^`]+)`", head)
    assert named
    for name in named:
        if name.startswith("pytest -m slow "):
            assert (ROOT / name.split()[3]).exists(), name
        else:
            assert name in TARGETS, name


@pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not here")
def test_promises_name_tests_that_there_are() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE.read_text("utf-8"))
    assert len(named) > 25
    for file, test in named:
        assert f"def {test}(" in (ROOT / file).read_text("utf-8"), f"{file}::{test}"
    kept, _, _ = PAGE.read_text("utf-8").partition("\n## What is not promised")
    for section in kept.split("\n## ")[1:]:
        head, *promises = section.split("\n- ")
        _check_attack(head)
        assert promises
        assert all("`tests/" in promise for promise in promises), section.partition("\n")[0]
