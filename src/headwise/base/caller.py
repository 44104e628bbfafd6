"""Warnings that point at the line of the user's own code that they are about."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

_PACKAGE = str(Path(__file__).parents[1])


def warn_caller(message: str) -> None:
    """Warn, at the innermost line outside this package."""
    level, frame = 1, sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE) and frame.f_back is not None:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)
