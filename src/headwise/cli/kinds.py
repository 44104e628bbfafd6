"""How the text of an option becomes a value: types of Click, and what is wrong with a text in our words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Any

import click


class Choices(click.Choice[Any]):
    """One of these values; a member of an enumeration is typed as its value."""

    def __init__(self, choices: Iterable[Any]) -> None:
        super().__init__(choices)

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return str(choice.value if isinstance(choice, Enum) else choice)


class Number(click.ParamType[float]):
    """A number within limits."""

    def __init__(self, kind: Callable[[str], float], least: float | None, most: float | None) -> None:
        self._read, self._least, self._most = kind, least, most
        self.name = "N" if kind is int else "NUMBER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = self._read(value)
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is no {'whole ' * (self._read is int)}number", param, ctx)
        if number != number:
            self.fail(f"{value} is no number", param, ctx)
        least, most = self._least, self._most
        if (least is not None and number < least) or (most is not None and number > most):
            allowed = f"at least {least}" if most is None else f"at most {most}"
            if least is not None and most is not None:
                allowed = f"from {least} to {most}"
            self.fail(f"{value} is out of range, must be {allowed}", param, ctx)
        return number


class FilePath(click.Path):
    """The name of a file, which a shell completes."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if "\0" in str(value):
            self.fail("a file name has no NUL character", param, ctx)
        return Path(value)
