"""Single modules of other libraries, without what these import for other purposes."""

from __future__ import annotations

import sys
import types
from pathlib import Path


def functions_of(package: str, shells: tuple[str, ...], module: str) -> types.ModuleType | None:
    """A module of a package that is installed, or unpacked in a folder of the path: its shells stay empty."""
    folder = next((Path(place) / package for place in sys.path if (Path(place) / package).is_dir()), None)
    if folder is None:
        return None
    for shell in shells:
        empty = types.ModuleType(shell)
        empty.__path__ = [str(folder.parent.joinpath(*shell.split(".")))]
        sys.modules.setdefault(shell, empty)
    return __import__(module, fromlist=["*"])
