"""Names that are imported when they are asked for: `headwise --help` needs neither NumPy nor the core."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any


def resolve(module: str, homes: Mapping[str, str], name: str) -> Any:
    """The object of a name that ``module`` offers and that lives elsewhere."""
    if name not in homes:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return getattr(import_module(homes[name]), name)
