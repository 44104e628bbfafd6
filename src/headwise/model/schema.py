"""Plain data from files, checked against the types of the dataclass that they are to make.

The dataclasses are the schema: ``from_json`` goes through their annotations, and whatever does not fit is a
``ModelError`` that says where. ``Annotated`` narrows a type: ``Annotated[int, Within(1, 16)]``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from itertools import chain
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from headwise.base.errors import ModelError
from headwise.base.limits import BITS, Within, shown

T = TypeVar("T")

NAME_IN_FILES = "name in files"
"""Key of the metadata of a field that files call by another name."""
ONLY_IF_CHANGED = "only if changed"
"""Key of that of a field that files name only where it is not what it is by default: what was written before
there was such a field is written as it was, and read by whoever could."""
DEEPEST = 40
"""Lists in lists in lists; what Headwise writes has fewer than ten of them."""
_LARGEST = 1 << 63


@dataclass(frozen=True)
class Length:
    """A list of so many things."""

    length: int

    def problem(self, value: Any) -> str | None:
        if len(value) == self.length:
            return None
        return f"has {len(value)} entries, must have {self.length}"


@dataclass(frozen=True)
class InOneField:
    """Text that a column of a treebank can hold."""

    least: int = 1

    def problem(self, value: str) -> str | None:
        if len(value) < self.least:
            return "is empty"
        return "holds a tab, a line break or a NUL" if any(c in value for c in "\t\n\r\0") else None


Field = Annotated[str, InOneField()]
FieldOrNothing = Annotated[str, InOneField(0)]
Bits = Annotated[int, BITS]
"""Of a table of 2**bits weights."""


def parse_json(text: str | bytes) -> Any:
    """What JSON holds, for `from_json`, which looks at its numbers; ModelError where it is none."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError as error:
        raise ModelError("it is nested too deeply") from error
    except ValueError as error:  # of the text, or of its encoding
        raise ModelError(str(error)) from error


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def from_json(kind: type[T], values: Any, *, ignore_others: bool = False) -> T:
    """A dataclass from what `parse_json` gives; ModelError where a value is missing, unknown or wrong.

    With ``ignore_others``, entries that the dataclass has no fields for are passed over.
    """
    made: T = _dataclass(kind, values, "", 0, ignore_others)
    return made


def to_json(value: Any) -> dict[str, Any]:
    """A dataclass as `from_json` takes it."""
    made: dict[str, Any] = _plain(value)
    return made


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {
            _name(field): _plain(getattr(value, field.name))
            for field in fields(value)
            if not (field.metadata.get(ONLY_IF_CHANGED) and getattr(value, field.name) == field.default)
        }
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value.value if isinstance(value, Enum) else value


def _name(field: Any) -> str:
    return str(field.metadata.get(NAME_IN_FILES, field.name))


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _dataclass(kind: Any, values: Any, where: str, depth: int, ignore_others: bool = False) -> Any:
    if not isinstance(values, dict):
        raise _error(where, f"is {_kind_of(values)}, must be an object")
    hints, arguments = _hints(kind), {}
    known = {_name(field): field for field in fields(kind)}
    if not ignore_others and (others := values.keys() - known.keys()):
        raise _error(where, f"has an entry {shown(min(others))} that this Headwise does not know")
    for name, field in known.items():
        inside = f"{where}.{name}" if where else name
        if name in values:
            arguments[field.name] = _checked(hints[field.name], values[name], inside, depth + 1)
        elif field.default is MISSING and field.default_factory is MISSING:
            raise _error(inside, "is missing")
    try:
        return kind(**arguments)
    except (TypeError, ValueError) as error:  # of its own checks, over several fields
        raise _error(where, str(error)) from error


_SCALARS: dict[Any, tuple[tuple[type, ...], str]] = {
    str: ((str,), "a text"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
    bool: ((bool,), "true or false"),
    NoneType: ((NoneType,), "null"),
}


def _checked(hint: Any, value: Any, where: str, depth: int) -> Any:
    if depth > DEEPEST:
        raise _error(where[:40], "is nested too deeply")
    if hint in _SCALARS:
        types, name = _SCALARS[hint]
        if type(value) not in types:
            raise _error(where, f"is {_kind_of(value)}, must be {name}")
        return _scalar(value, where)
    if hint is Any:
        return _anything(value, where, depth)
    if is_dataclass(hint):
        return _dataclass(hint, value, where, depth)
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        value = _checked(inside[0], value, where, depth)
        for limit in inside[1:]:
            if problem := limit.problem(value):
                raise _error(where, problem)
        return value
    if origin is Literal:
        return _choice(value, inside, where)
    if origin in (Union, UnionType):
        return _either(inside, value, where, depth)
    if origin in (list, tuple) and isinstance(value, list):
        return _list(origin, inside, value, where, depth)
    if origin is dict and isinstance(value, dict):
        return {
            _scalar(key, where): _checked(inside[1], entry, f"{where}.{shown(key)}", depth + 1)
            for key, entry in value.items()
        }
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(_choice(value, tuple(choice.value for choice in hint), where))
    wanted = {list: "a list", tuple: "a list", dict: "an object"}.get(origin)
    if wanted is None:
        raise TypeError(f"the schema has no rule for {hint}")
    raise _error(where, f"is {_kind_of(value)}, must be {wanted}")


def _scalar(value: Any, where: str) -> Any:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise _error(where, "holds half a character") from error
    elif isinstance(value, float) and not math.isfinite(value):
        raise _error(where, "is too large a number")
    elif isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        raise _error(where, "has more than 64 bits")
    return value


def _choice(value: Any, choices: tuple[Any, ...], where: str) -> Any:
    if type(value) is not str or value not in choices:
        raise _error(where, f"is {shown(value)}, must be one of: {', '.join(map(str, choices))}")
    return value


def _either(hints: tuple[Any, ...], value: Any, where: str, depth: int) -> Any:
    """An optional value: every union in a configuration is of one type and None."""
    if value is None and NoneType in hints:
        return None
    (hint,) = (hint for hint in hints if hint is not NoneType)
    return _checked(hint, value, where, depth)


def _list(origin: Any, hints: tuple[Any, ...], values: list[Any], where: str, depth: int) -> Any:
    if origin is tuple and hints[-1] is not ...:
        if len(values) != len(hints):
            raise _error(where, f"has {len(values)} entries, must have {len(hints)}")
        each = hints
    else:
        if _all_fit(hints[0], values):
            return origin(values)
        each = (hints[0],) * len(values)
    return origin(
        _checked(hint, value, f"{where}[{i}]", depth + 1)
        for i, (hint, value) in enumerate(zip(each, values, strict=True))
    )


def _all_fit(hint: Any, values: list[Any]) -> bool:
    """The quick way through long lists of texts or whole numbers; any other is gone through one by one."""
    limits: list[Any] = []
    if get_origin(hint) is Annotated:
        hint, *limits = get_args(hint)
    if hint not in (str, int) or not set(map(type, values)) <= {hint}:
        return False
    if hint is int:
        ends = (min(values), max(values)) if values else ()
        ranges = [Within(-_LARGEST, _LARGEST - 1), *limits]
        return all(isinstance(limit, Within) and not any(map(limit.problem, ends)) for limit in ranges)
    text = "".join(values)
    for limit in limits:
        if not isinstance(limit, InOneField) or (limit.least and not all(values)):
            return False
        if text and limit.problem(text):
            return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _anything(value: Any, where: str, depth: int) -> Any:
    """Notes that nothing is computed from; they are printed, so they must be text and numbers."""
    if _is_plain(value, depth):
        return value
    if isinstance(value, dict):
        return _checked(dict[str, Any], value, where, depth)
    if isinstance(value, list):
        return _checked(list[Any], value, where, depth)
    return _scalar(value, where)


def _is_plain(value: Any, depth: int) -> bool:
    """The quick way through notes: whether they are not too deep, and can be written as JSON in UTF-8."""
    level = [value] if isinstance(value, dict | list) else []
    while level:
        depth += 1
        if depth > DEEPEST:
            return False
        entries = chain.from_iterable(one.values() if isinstance(one, dict) else one for one in level)
        level = [entry for entry in entries if isinstance(entry, dict | list)]
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError):  # what it is that cannot, the slow way says
        return False
    return True


def _error(where: str, problem: str) -> ModelError:
    return ModelError(f"{where or 'the header'} {problem}")


_KINDS = {dict: "an object", list: "a list", NoneType: "null", bool: "true or false", str: "a text"}


def _kind_of(value: Any) -> str:
    return _KINDS.get(type(value), "a number")
