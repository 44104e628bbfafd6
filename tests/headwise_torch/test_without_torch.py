"""PyTorch is needed by headwise.torch alone, and it says so."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

WITHOUT = "import sys; sys.modules['torch'] = None; "


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_nothing_else_imports_torch() -> None:
    result = run(WITHOUT + "import headwise, headwise.trees, headwise.cli; headwise.Parser; headwise.load")
    assert result.returncode == 0, result.stderr


def test_the_error_says_what_to_install() -> None:
    result = run(WITHOUT + "import headwise.torch")
    assert result.returncode != 0
    assert "pip install headwise[torch]" in result.stderr


def test_torch_is_installed() -> None:
    if importlib.util.find_spec("torch") is None:
        pytest.skip("PyTorch is not installed: nothing of headwise.torch was tested")
