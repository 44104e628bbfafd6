"""Names that are imported when they are asked for: `headwise --help` needs neither NumPy nor the core."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def offer(module: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package that offers names which live elsewhere (``homes``)."""

    def found(name: str) -> Any:
        """Import what is asked for when it is asked for."""
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[module], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[module]), *homes})

    return found, names


def imported(place: str) -> Any:
    """What stands at ``module:name``, which is imported when it is asked for."""
    module, name = place.split(":")
    return getattr(import_module(module), name)


def door(place: str) -> Any:
    """What stands at ``module:name``, in a room above the caller's.

    Rooms import from lower ones only. A few verbs of classes are done above them, such as
    ``Parser.train``: each goes through a door, and `tests/test_layers.py` lists them all.
    """
    return imported(place)
