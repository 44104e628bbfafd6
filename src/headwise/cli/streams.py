"""Standard input, output and error, which whoever calls may have closed."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, cast

import click

from headwise.base.errors import HeadwiseError


def take_streams() -> None:
    """Put something in the place of streams that are closed, so that no file is opened under their numbers.

    Whoever reads or writes one of them gets an error; what is said on a closed standard error is lost.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    if sys.stdin is None:
        sys.stdin = cast(Any, _Closed("input"))
    if sys.stdout is None:
        sys.stdout = cast(Any, _Closed("output"))
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


class _Closed(io.TextIOBase):
    """A stream that was closed before the command began."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _fail(self, *_: Any) -> NoReturn:
        raise HeadwiseError(f"standard {self._name} is closed. Name a file, or open it.")

    read = readline = write = _fail
    buffer = property(_fail)

    def flush(self) -> None:
        """Nothing was written."""


@contextmanager
def writing(output: Path) -> Iterator[None]:
    """What fails while an output is written: a name that cannot be one is a wrong call, all else is not."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError) as error:
        raise click.UsageError(f"cannot write {output}: {error.strerror}") from error
    except OSError as error:
        raise HeadwiseError(f"cannot write {output}: {error.strerror or error}.") from error
