"""What every setting must be: one of its choices, a number in its range."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints


def check_choices(settings: Any, prefix: str = "") -> None:
    hints = get_type_hints(type(settings))
    for f in fields(settings):
        value = getattr(settings, f.name)
        if is_dataclass(value):
            check_choices(value, f"{f.name}.")
        elif get_origin(hints[f.name]) is Literal and value not in get_args(hints[f.name]):
            choices = ", ".join(get_args(hints[f.name]))
            raise ValueError(f"{prefix}{f.name} is {value!r}, must be one of: {choices}")


def _numbers(settings: Any, group: str, names: tuple[str, ...]) -> list[tuple[str, Any]]:
    prefix = f"{group}." if group else ""
    return [(prefix + name, getattr(settings, name)) for name in names]


def at_least_1(settings: Any, group: str, *names: str) -> None:
    """None, which stands for a default, will do; so below."""
    for name, value in _numbers(settings, group, names):
        if value is not None and value < 1:
            raise ValueError(f"{name} is {value}, must be at least 1")


def a_width(settings: Any, group: str, *names: str) -> None:
    """Of layers, whose numbers are computed sixteen at a time."""
    for name, value in _numbers(settings, group, names):
        if value is not None and (not 16 <= value <= 4096 or value % 16):
            raise ValueError(f"{name} is {value}, must be a multiple of 16, at most 4096")


def not_negative(settings: Any, group: str, *names: str) -> None:
    for name, value in _numbers(settings, group, names):
        if not 0 <= value < math.inf:
            raise ValueError(f"{name} is {value}, must not be negative")


def positive(settings: Any, group: str, *names: str) -> None:
    for name, value in _numbers(settings, group, names):
        if value is not None and not 0 < value < math.inf:
            raise ValueError(f"{name} is {value}, must be positive")
