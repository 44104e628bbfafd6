"""A process that ends says nothing: native objects alive then, such as those made at import, are reported."""

from __future__ import annotations

import subprocess
import sys

IMPORT_EVERYTHING = """
import gc, importlib, pkgutil
import headwise

gc.disable()  # as commands do
for module in pkgutil.walk_packages(headwise.__path__, "headwise.", onerror=lambda name: None):
    if module.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(module.name)
    except (ImportError, headwise.HeadwiseError):  # what it needs is not installed
        pass
"""


def test_no_module_makes_native_objects_at_import() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_EVERYTHING], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "nanobind" not in done.stderr, done.stderr
