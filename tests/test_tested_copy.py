"""Tests are of the tree that they lie in, where its core is built in place; so are the commands they run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import headwise

SOURCE = Path(__file__).parents[1] / "src"


@pytest.mark.skipif(
    not any((SOURCE / "headwise").glob("_native*.so")), reason="the core is not built in place"
)
def test_no_installed_copy_is_tested_instead(tmp_path: Path) -> None:
    assert Path(headwise.__file__).parent == SOURCE / "headwise"
    script = "import headwise; print(headwise.__file__)"
    other = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert Path(other.stdout.strip()) == Path(headwise.__file__)
