"""A program that is run once for every width of vectors that the core is compiled for."""

from __future__ import annotations

import os
import subprocess
import sys


def outputs_at_every_width(program: str, *arguments: str) -> set[str]:
    """What it prints: one text where the width makes no difference. Plain are products of bytes alone."""
    return {
        subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env={**os.environ, "HEADWISE_VECTORS": width, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for width in ("plain", "narrow", "medium", "wide")
    }
