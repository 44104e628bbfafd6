"""Reading a call: the words behind a command become the values of its parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from headwise.cli.shell.errors import UsageError
from headwise.cli.shell.parameters import Argument, Parameter

HELP = "--help", "-h"
ALL = "--help-all"


@dataclass
class Call:
    """What was given, option by option, and what stands between the options."""

    options: dict[str, list[Any]] = field(default_factory=dict)
    """By the name of the parameter, in the order in which they were given."""
    places: list[str] = field(default_factory=list)

    def give(self, parameter: Parameter, value: Any) -> None:
        self.options.setdefault(parameter.name, []).append(value)


def read_call(parameters: Sequence[Parameter], words: Sequence[str]) -> dict[str, Any]:
    """The values of the parameters that were given."""
    call = split_call(parameters, words)
    by_name = {parameter.name: parameter for parameter in parameters}
    values: dict[str, Any] = {}
    for name, given in call.options.items():
        values[name] = given if by_name[name].is_list else given[-1]
    values |= _placed([p for p in parameters if isinstance(p.declared, Argument)], call.places)
    for parameter in parameters:
        if parameter.is_required and parameter.name not in values:
            kind = "argument" if isinstance(parameter.declared, Argument) else "option"
            raise UsageError(f"Missing {kind} {parameter.shown}: {parameter.declared.help}")
    return values


def split_call(parameters: Sequence[Parameter], words: Sequence[str]) -> Call:
    """Options apart from arguments, wherever they stand; what follows ``--`` are arguments."""
    named = {name: (p, name in p.on) for p in parameters for name in (*p.on, *p.off)}
    call, waiting = Call(), list(reversed(words))
    while waiting:
        word = waiting.pop()
        if word == "--":
            call.places += reversed(waiting)
            break
        if word.startswith("--"):
            name, equals, value = word.partition("=")
            if name not in named:
                raise _no_such_option(name, named)
            parameter, is_on = named[name]
            if parameter.is_flag:
                if equals:
                    raise UsageError(f"Option {name} takes no value.")
                call.give(parameter, is_on)
            else:
                call.give(parameter, parameter.read(value if equals else _next(name, waiting)))
        elif word.startswith("-") and word != "-":
            _read_short(word[1:], named, call, waiting)
        else:
            call.places.append(word)
    return call


def _read_short(
    letters: str, named: dict[str, tuple[Parameter, bool]], call: Call, waiting: list[str]
) -> None:
    """``-o file``, ``-ofile``, and flags in one word."""
    while letters:
        name, letters = f"-{letters[0]}", letters[1:]
        if name not in named:
            raise _no_such_option(name, named)
        parameter, is_on = named[name]
        if parameter.is_flag:
            call.give(parameter, is_on)
        else:
            call.give(parameter, parameter.read(letters.removeprefix("=") or _next(name, waiting)))
            break


def _next(name: str, waiting: list[str]) -> str:
    if not waiting:
        raise UsageError(f"Option {name} needs a value.")
    return waiting.pop()


def _no_such_option(name: str, named: dict[str, tuple[Parameter, bool]]) -> UsageError:
    return UsageError(f"No such option: {name}.{did_you_mean(name, [*named, *HELP, ALL])}")


def did_you_mean(name: str, names: Sequence[str]) -> str:
    """What was meant, perhaps."""
    from difflib import get_close_matches

    near = get_close_matches(name, names, n=2)
    return f" Did you mean {' or '.join(near)}?" if near else ""


def _placed(arguments: Sequence[Parameter], places: Sequence[str]) -> dict[str, Any]:
    """Arguments in their order; the last one may take all that is left."""
    values: dict[str, Any] = {}
    left = list(places)
    for argument in arguments:
        if argument.is_list:
            if left:
                values[argument.name] = [argument.read(text) for text in left]
            left = []
        elif left:
            values[argument.name] = argument.read(left.pop(0))
    if left:
        raise UsageError(f"Unexpected argument: {left[0]}. Put text with spaces in quotes.")
    return values
