"""Writing the model that a command has trained."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from headwise.base.interruption import finished_first
from headwise.cli.listening import wrote

if TYPE_CHECKING:
    from headwise.learning import Listener
    from headwise.model import Stored


def save_model(model: Stored, output: Path, full_precision: bool, listener: Listener) -> None:
    """A small file, unless every bit is to be kept, or there are too many of them to be packed."""
    with finished_first():  # what was trained for hours is not lost to a Ctrl-C that comes late
        from headwise.model.compression import USUAL, TooLargeToPackError

        try:
            model.save(output, coarseness=None if full_precision else USUAL)
        except TooLargeToPackError as error:
            listener.message(f"{error} It is written in full precision")
            model.save(output)
        listener.message(wrote(output))
