"""spaCy is needed by headwise.spacy alone, and it says so."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

WITHOUT = "import sys; sys.modules['spacy'] = None; "


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_nothing_else_imports_spacy() -> None:
    result = run(WITHOUT + "import headwise, headwise.cli; headwise.Parser; headwise.load")
    assert result.returncode == 0, result.stderr


def test_the_error_says_what_to_install() -> None:
    result = run(WITHOUT + "import headwise.spacy")
    assert result.returncode != 0
    assert "pip install headwise[spacy]" in result.stderr


def test_spacy_is_installed() -> None:
    if importlib.util.find_spec("spacy") is None:
        pytest.skip("spaCy is not installed: nothing of headwise.spacy was tested")
