"""How the text of an option becomes a value: types of Click, and what is wrong with a text in our words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Any

import click

from headwise.base.limits import Limit, shown
from headwise.cli.gone import GONE_CHOICES


class Choices(click.Choice[Any]):
    """One of these values; a member of an enumeration is typed as its value."""

    def __init__(self, choices: Iterable[Any]) -> None:
        super().__init__(choices)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The choice; where there was one of this name, what to say instead."""
        if instead := GONE_CHOICES.get(param.opts[0] if param else "", {}).get(value):
            self.fail(f"{value} is said by options now: {instead}", param, ctx)
        return super().convert(value, param, ctx)

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return str(choice.value if isinstance(choice, Enum) else choice)


class Number(click.ParamType[float]):
    """A number within a limit."""

    def __init__(self, kind: Callable[[str], float], limit: Limit | None) -> None:
        self._read, self._limit = kind, limit
        self.name = "N" if kind is int else "NUMBER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = self._read(value)
        except (ValueError, OverflowError):
            declared = getattr(self._limit, "declared", None)
            hint = f"; {declared.mistaken}" if declared and declared.mistaken else ""
            self.fail(f"{value!r} is no {'whole ' * (self._read is int)}number{hint}", param, ctx)
        problem = "is no number" if number != number else self._limit and self._limit.problem(number)
        if problem:
            self.fail(f"{value} {problem.removeprefix(f'is {shown(number)}, ')}", param, ctx)
        return number


class FilePath(click.Path):
    """The name of a file, which a shell completes."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if "\0" in str(value):
            self.fail("a file name has no NUL character", param, ctx)
        return Path(value)
