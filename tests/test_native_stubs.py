"""The native core's stubs say what the built module has."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import headwise

TOOL = Path(__file__).parents[1] / "tools" / "write_stubs.py"


@pytest.mark.skipif(not TOOL.exists(), reason="tools/write_stubs.py is not here")
def test_the_stubs_are_those_of_the_built_module():
    pytest.importorskip("nanobind.stubgen", reason="the extra `test` brings nanobind")
    spec = importlib.util.spec_from_file_location("write_stubs", TOOL)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    different = tool.differences(Path(headwise.__file__).parent / "_native", tool.stubs())
    assert not different, f"run `python tools/write_stubs.py` and commit what it writes:\n{different}"
