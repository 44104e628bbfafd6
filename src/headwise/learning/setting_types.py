"""What kind of value a setting takes: a check of values, and values from text."""

from __future__ import annotations

import types
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, Literal, Union, get_args, get_origin

KINDS: dict[Any, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


def kind_of(hint: Any) -> str:
    """Such as: a whole number or none."""
    origin, items = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(kind_of(item) for item in items)
    if origin is Literal:
        return f"one of: {', '.join(items)}"
    if origin is tuple:
        return "a list" if items[-1] is Ellipsis else f"{len(items)} numbers"
    return KINDS.get(hint, "none")


def fits(value: Any, hint: Any) -> bool:
    """Whether a setting of this type takes the value. Numbers of NumPy are numbers."""
    origin, items = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(fits(value, item) for item in items)
    if origin is Literal:
        return isinstance(value, str) and value in items
    if origin is tuple:
        return isinstance(value, tuple | list) and (
            all(fits(item, items[0]) for item in value)
            if items[-1] is Ellipsis
            else len(value) == len(items) and all(map(fits, value, items))
        )
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, Mapping)
    if hint in (int, float):
        return isinstance(value, Integral if hint is int else Real) and not isinstance(value, bool)
    return isinstance(value, hint)


def from_text(text: str, hint: Any) -> Any:
    """The value that a text stands for; ValueError where there is none.

    Items of a list are joined by a plus sign: ``valency+crossing``.
    """
    origin, items = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if type(None) in items and text.lower() == "none":
            return None
        return from_text(text, next(item for item in items if item is not type(None)))
    if origin is Literal and text in items:
        return text
    if origin is tuple:
        parts = text.split("+")
        hints = [items[0]] * len(parts) if items[-1] is Ellipsis else items
        return tuple(from_text(part, item) for part, item in zip(parts, hints, strict=True))
    if hint is bool and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if hint in (int, float, str):
        return hint(text)
    raise ValueError(text)
