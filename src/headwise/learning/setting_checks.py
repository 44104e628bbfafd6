"""What every setting must be: of its type, one of its choices, a number in its range."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

from headwise.learning.setting_types import fits, kind_of


def check_types(settings: Any, prefix: str = "") -> None:
    """Every value, also in groups, against the type of its field."""
    hints = get_type_hints(type(settings))
    for f in fields(settings):
        value = getattr(settings, f.name)
        if is_dataclass(value):
            check_types(value, f"{f.name}.")
        elif not fits(value, hints[f.name]):
            raise ValueError(f"{prefix}{f.name} is {value!r}, must be {kind_of(hints[f.name])}")


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
