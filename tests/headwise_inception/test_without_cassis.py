"""dkpro-cassis is needed by headwise.web.inception alone, and it says so."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest


def test_the_error_says_what_to_install() -> None:
    pytest.importorskip("starlette", reason="the extra serve is not installed")
    code = (
        "import sys; sys.modules['cassis'] = None; sys.argv = ['headwise', 'inception', '--port', '0'];"
        "from headwise.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install headwise[inception]" in done.stderr
    assert "Traceback" not in done.stderr


def test_cassis_is_installed() -> None:
    for name in ("cassis", "starlette", "httpx2"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed: nothing of headwise.web.inception was tested")
