"""The parameters of a command: how each is given, and what its text becomes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from headwise.cli.shell.errors import BadParameter

REQUIRED: Any = inspect.Parameter.empty
"""The default of what must be given."""


@dataclass(frozen=True, init=False)
class Option:
    """Given by name.

    Args:
        names: such as ``--output`` and ``-o``, or ``--roles/--no-roles`` for a yes or no. Without any, the
            name of the parameter, and of a ``bool`` also ``--no-…``; a single name of a ``bool`` is a flag.
        min: the least number that it takes; ``max``: the largest.
        panel: its title in the long help (``--help-all``); without one it is in the short help too.
    """

    names: tuple[str, ...]
    help: str
    metavar: str | None
    min: float | None
    max: float | None
    show_default: bool
    panel: str | None

    def __init__(
        self,
        *names: str,
        help: str = "",
        metavar: str | None = None,
        min: float | None = None,
        max: float | None = None,
        show_default: bool = True,
        panel: str | None = None,
    ) -> None:
        for name, value in locals().items():
            if name != "self":
                object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Argument:
    """Given by place."""

    help: str = ""
    metavar: str | None = None
    show_default: bool = True


@dataclass(frozen=True)
class Kind:
    """How text becomes a value of a type."""

    metavar: str
    read: Callable[[str], Any]
    """ValueError, with what is wrong, where it cannot."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a command."""

    name: str
    """That of the function's parameter."""
    declared: Option | Argument
    kind: Kind
    default: Any
    is_list: bool
    on: tuple[str, ...] = ()
    """The names of an option; of a yes or no, those for yes …"""
    off: tuple[str, ...] = ()
    """… and those for no."""
    is_flag: bool = False
    """Whether it takes no value."""

    @property
    def is_required(self) -> bool:
        return self.default is REQUIRED

    @property
    def metavar(self) -> str:
        if self.declared.metavar:
            return self.declared.metavar
        return self.name.strip("_").upper() if isinstance(self.declared, Argument) else self.kind.metavar

    @property
    def shown(self) -> str:
        """What a message calls it."""
        return " / ".join(self.on) if self.on else self.metavar

    def read(self, text: str) -> Any:
        """The value of a text; BadParameter where it has none."""
        try:
            value = self.kind.read(text)
        except ValueError as error:
            raise BadParameter(f"{self.shown}: {error}") from None
        least, most = getattr(self.declared, "min", None), getattr(self.declared, "max", None)
        if (least is not None and value < least) or (most is not None and value > most):
            allowed = f"at least {least}" if most is None else f"at most {most}"
            if least is not None and most is not None:
                allowed = f"from {least} to {most}"
            raise BadParameter(f"{self.shown}: {text} is out of range, must be {allowed}")
        if value != value:
            raise BadParameter(f"{self.shown}: {text} is no number")
        return value


@dataclass(frozen=True)
class Context:
    """What a command may know of its call: a parameter of this type gets it."""

    given: frozenset[str]
    """The parameters that were given, and not left at their defaults."""


def parameters_of(function: Callable[..., Any]) -> tuple[list[Parameter], str | None]:
    """Those that are given on the command line, and the name of the one that is the context of the call."""
    hints = get_type_hints(function, include_extras=True)
    context = next((name for name, hint in hints.items() if hint is Context), None)
    signature = inspect.signature(function)
    return [
        _parameter(name, hints[name], parameter.default)
        for name, parameter in signature.parameters.items()
        if name != context
    ], context


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    annotation, *metadata = get_args(hint)
    declared = next(given for given in metadata if isinstance(given, Option | Argument))
    if get_origin(annotation) in (Union, UnionType):
        annotation = next(option for option in get_args(annotation) if option is not NoneType)
    is_list = get_origin(annotation) is list
    if is_list:
        (annotation,) = get_args(annotation)
    kind = kind_of(annotation)
    if isinstance(declared, Argument):
        return Parameter(name, declared, kind, default, is_list)
    own = "--" + name.strip("_").replace("_", "-")
    names = declared.names or ((f"{own}/--no-{own[2:]}",) if annotation is bool else (own,))
    pairs = [given.partition("/") for given in names]
    on, off = tuple(first for first, _, _ in pairs), tuple(second for _, _, second in pairs if second)
    return Parameter(name, declared, kind, default, is_list, on, off, is_flag=annotation is bool)


def kind_of(annotation: Any) -> Kind:
    """How a type is read."""
    if get_origin(annotation) is Literal:
        return _choice({str(value): value for value in get_args(annotation)})
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _choice({str(member.value): member for member in annotation})
    return {
        str: Kind("TEXT", str),
        Path: Kind("PATH", _path),
        int: Kind("N", _number(int, "whole number")),
        float: Kind("NUMBER", _number(float, "number")),
        bool: Kind("", bool),
    }[annotation]


def _choice(values: dict[str, Any]) -> Kind:
    def read(text: str) -> Any:
        if text not in values:
            raise ValueError(f"{text!r} is not one of {', '.join(values)}")
        return values[text]

    return Kind(f"[{'|'.join(values)}]", read)


def _path(text: str) -> Path:
    if "\0" in text:
        raise ValueError("a file name has no NUL character")
    return Path(text)


def _number(type_: Callable[[str], Any], name: str) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            return type_(text)
        except ValueError:
            raise ValueError(f"{text!r} is no {name}") from None

    return read


def shown_default(parameter: Parameter) -> str:
    """The default as it would be typed; empty where there is nothing to say."""
    default = parameter.default
    if parameter.is_required or default is None or not parameter.declared.show_default:
        return ""
    if parameter.is_flag:
        names: Sequence[str] = parameter.on if default else parameter.off
        return names[0].lstrip("-") if parameter.off and names else ""
    return str(default.value if isinstance(default, Enum) else default)
