"""The example trains."""

from __future__ import annotations

import runpy
from pathlib import Path


def test_the_layer_learns_its_toy_language() -> None:
    example = Path(__file__).parents[2] / "examples" / "torch_crf.py"
    assert runpy.run_path(str(example))["main"](steps=60, device="cpu") == 1.0
