"""Where a command may write: into a folder that is there, and not over what it reads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import click

IN_PLACE = {"calibrate": "model"}
"""Commands that are there to change a file, and the parameter that names it."""


WRITE_FOLDERS = ("corpus",)
"""Commands whose output is a folder, which they make themselves."""
WRITE_MODELS = {
    "train": "output",
    "calibrate": "output",
    "compress": "output",
    "pretrain": "output",
    "rerank": "save",
}
"""Commands that write models, and the parameter that names them. Models are files on a disk; all else may be
written to a device or a pipe."""


def check_place(output: Path) -> None:
    """BadParameter where no file can be of this name: before any work is done, and with the name as given."""
    try:
        if output.is_dir():
            raise click.UsageError(f"{output} is a folder; name a file in it")
        if not (folder := output.absolute().parent).is_dir():
            raise click.UsageError(f"cannot write {output}: there is no folder {folder}; make it first")
    except (OSError, ValueError) as error:
        raise click.UsageError(f"cannot write {output}: {error}") from error


def keeping_inputs(command: Callable[..., None]) -> Callable[..., None]:
    """The command, refused where its output is one of the files that its other parameters name."""

    @wraps(command)
    def kept(*args: Any, **parameters: Any) -> None:
        from headwise.base.atomic import refuse_special, same_file

        output = parameters.get("output")
        if isinstance(output, Path) and command.__name__ not in WRITE_FOLDERS:
            check_place(output)
        if model := parameters.get(WRITE_MODELS.get(command.__name__, "")):
            refuse_special(model)
        if isinstance(output, Path) and output.is_file():
            changed = ("output", IN_PLACE.get(command.__name__))
            others = (value for name, value in parameters.items() if name not in changed)
            for name in _files(others):
                if same_file(output, name):
                    raise click.UsageError(
                        f"{output} is what the command reads ({name}); write to another file"
                    )
        command(*args, **parameters)

    return kept


def _files(values: Iterator[Any]) -> Iterator[str | os.PathLike[str]]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _files(iter(value))
        elif isinstance(value, dict):
            yield from _files(iter(value.values()))
        elif isinstance(value, Path) or (
            isinstance(value, str) and 0 < len(value) < 4096 and "\0" not in value
        ):
            yield value
