"""Settings, each declared once: its type, default and limits, its help, and how it is typed.

A group of settings is a frozen dataclass whose fields are made by `setting`. Whoever needs to know more than
its value asks `fields_of`: Python's checks, the command line, ``--tune``, messages, the reference, tests.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from numbers import Integral, Real
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from headwise.base.limits import Limit

T = TypeVar("T")
_DECLARED, _MAIN = "headwise.setting", "headwise.main"
_LARGEST = 1 << 63
"""Whole numbers of a model file have 64 bits."""


@dataclass(frozen=True)
class Flag:
    """An option without a value that stands for one of a setting."""

    name: str
    value: Any
    help: str


@dataclass(frozen=True)
class Declared:
    """What a field says of its setting."""

    help: str
    limits: tuple[Limit, ...] = ()
    option: str | None = None
    """How it is typed, without its value; of a yes or no such as ``--roles/--no-roles``."""
    panel: str | None = None
    """Of the long help; without one, the option is in the short help too."""
    metavar: str | None = None
    flags: tuple[Flag, ...] = ()
    default: str | None = None
    """What to say of the default, where it is not a value."""
    mistaken: str | None = None
    """What to say to somebody whose value is of another type, and meant another option."""

    @property
    def is_typed(self) -> bool:
        """Whether the command line knows it."""
        return self.option is not None or bool(self.flags)


def setting(
    default: T,
    help: str,
    *limits: Limit,
    option: str | None = None,
    panel: str | None = None,
    metavar: str | None = None,
    flags: tuple[Flag, ...] = (),
    default_is: str | None = None,
    mistaken: str | None = None,
) -> T:
    """A field of a group of settings.

    Args:
        help: a whole sentence: what it is for.
        limits: what its value must be, where it is not None.
        option: how it is typed; without one, ``--tune`` and Python reach it.
        panel: of the long help; without one, the option is in the short help too.
        flags: options without a value that stand for one of this setting.
        default_is: what to say of the default, where that depends on others.
        mistaken: what to say to somebody whose value is of another type, and meant another option.
    """
    declared = Declared(help, limits, option, panel, metavar, flags, default_is, mistaken)
    made: T = field(default=default, metadata={_DECLARED: declared})
    return made


def group(kind: Callable[[], T], *, main: str | None = None) -> T:
    """A field that holds a group of settings; a single value may stand for its main one."""
    made: T = field(default_factory=kind, metadata={_MAIN: main})
    return made


OTHER_OPTIONS = ("preset",)
"""What messages name as they do settings, and is none."""


class SettingError(ValueError):
    """Settings that cannot be, in Python's names; `typed` says it in those of the command line.

    In the text, what stands between backticks is a setting, ``tensor.rank``, or one with its value,
    ``labels='joint'``.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return self.text.replace("`", "")

    def typed(self, *settings: type) -> str:
        """For somebody who typed options of these settings."""
        known: dict[str, Setting] = {}
        for kind in settings:
            known |= fields_of(kind)
            known |= {name: known[main] for name, main in mains_of(kind).items()}

        def option(found: re.Match[str]) -> str:
            name, equals, value = found[1].partition("=")
            one = known.get(name)
            if one is None:
                return f"--{name} {value[1:-1]}" if name in OTHER_OPTIONS else found[1]
            return one.typed(value if equals else None)

        return re.sub("`([^`]*)`", option, self.text)


@dataclass(frozen=True)
class Setting:
    """A field of settings, with its place in them."""

    name: str
    """``tensor.rank``; of a field that is in no group, ``seed``."""
    hint: Any
    default: Any
    declared: Declared

    @property
    def keyword(self) -> str:
        """``tensor__rank``: what Python calls it where groups are not at hand."""
        return self.name.replace(".", "__")

    @property
    def kind(self) -> Any:
        """Its type where it is not None."""
        if get_origin(self.hint) in (Union, types.UnionType):
            return next(hint for hint in get_args(self.hint) if hint is not types.NoneType)
        return self.hint

    def problem(self, value: Any) -> str | None:
        """What is wrong with a value: of another type, or beyond a limit."""
        if not fits(value, self.hint):
            return f"is {value!r}, must be {in_words(self.hint)}"
        if value is None:
            return None
        return next((problem for limit in self.declared.limits if (problem := limit.problem(value))), None)

    @property
    def shown_default(self) -> str:
        """As it would be typed; empty where there is nothing to say."""
        if self.default is None or self.default == ():
            return ""
        if self.kind is bool:
            yes, _, no = (self.declared.option or "").partition("/")
            return (yes if self.default else no).lstrip("-") if no else ""
        return str(self.default)

    def typed(self, value: str | None = None) -> str:
        """Its option, with a value as Python writes it; its name where it has no option."""
        for flag in self.declared.flags:
            if value == repr(flag.value) or (value == "True" and self.kind is not bool):
                return flag.name
        if self.declared.option is None:
            return self.name if value is None else f"{self.name}={value}"
        yes, _, no = self.declared.option.partition("/")
        if value in (None, "True"):
            return yes
        if value == "False":
            return no or f"no {yes}"
        return f"{yes} {'none' if value == '()' else str(value).strip(chr(39))}"


@cache
def fields_of(settings: type, prefix: str = "") -> Mapping[str, Setting]:
    """All fields by name, those of groups too."""
    return dict(_fields(settings, prefix))


def _fields(settings: type, prefix: str) -> Iterator[tuple[str, Setting]]:
    hints = get_type_hints(settings)
    for one in fields(settings):
        name, hint = prefix + one.name, hints[one.name]
        if is_dataclass(hint):
            yield from fields_of(cast(type, hint), f"{name}.").items()
        else:
            default = one.default_factory() if one.default_factory is not MISSING else one.default
            declared = one.metadata.get(_DECLARED, Declared(""))
            yield name, Setting(name, hint, default, declared)


@cache
def mains_of(settings: type) -> Mapping[str, str]:
    """Groups that a single value may stand for, and the setting that it is then of."""
    mains = {one.name: one.metadata.get(_MAIN) for one in fields(settings)}
    return {name: f"{name}.{main}" for name, main in mains.items() if main}


def check_fields(settings: Any) -> None:
    """SettingError where a value is of another type than its field, or beyond a limit of it."""
    for name, one in fields_of(cast("type", type(settings))).items():
        value = settings
        for part in name.split("."):
            value = getattr(value, part)
        if problem := one.problem(value):
            raise SettingError(f"`{name}` {problem}")


_KINDS: dict[Any, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


def in_words(hint: Any) -> str:
    """Such as: a whole number or none."""
    origin, items = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(in_words(item) for item in items)
    if origin is Literal:
        return f"one of: {', '.join(map(str, items))}"
    if origin is tuple:
        return "a list" if items[-1] is Ellipsis else f"{len(items)} numbers"
    return _KINDS.get(hint, "none")


def fits(value: Any, hint: Any) -> bool:
    """Whether a setting of this type takes the value. Numbers of NumPy are numbers."""
    origin, items = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(fits(value, item) for item in items)
    if origin is Literal:
        return any(type(value) is type(item) and value == item for item in items)
    if origin is tuple:
        return isinstance(value, tuple | list) and (
            all(fits(item, items[0]) for item in value)
            if items[-1] is Ellipsis
            else len(value) == len(items) and all(map(fits, value, items))
        )
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, Mapping)
    if hint is int:
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        return whole and -_LARGEST <= int(value) < _LARGEST
    if hint is float:
        return isinstance(value, Real) and not isinstance(value, bool)
    return isinstance(value, hint)


def from_text(text: str, hint: Any) -> Any:
    """The value that a text stands for; ValueError where there is none.

    Items of a list are joined by a plus sign: ``valency+crossing``.
    """
    origin, items = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if types.NoneType in items and text.lower() == "none":
            return None
        return from_text(text, next(item for item in items if item is not types.NoneType))
    if origin is Literal:
        return {str(item): item for item in items}[text] if text in map(str, items) else _no_value(text)
    if origin is tuple:
        parts = text.split("+")
        hints = [items[0]] * len(parts) if items[-1] is Ellipsis else items
        return tuple(from_text(part, item) for part, item in zip(parts, hints, strict=True))
    if hint is bool and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if hint in (int, float, str):
        return hint(text)
    return _no_value(text)


def _no_value(text: str) -> Any:
    raise ValueError(text)
