"""Tests of headwise.web.inception. Without its extra, test_without_cassis.py alone is left."""

from __future__ import annotations

import importlib.util

import pytest

import headwise
from headwise import Pipeline

if any(importlib.util.find_spec(name) is None for name in ("cassis", "starlette", "httpx2")):
    collect_ignore_glob = ["test_inception_*.py"]


@pytest.fixture(scope="session")
def english() -> Pipeline:
    model = headwise.load("en")
    assert isinstance(model, Pipeline)
    return model
