"""An application: its commands by name, each imported when it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

from headwise.cli.shell.call import ALL, HELP, did_you_mean, read_call
from headwise.cli.shell.errors import Exit, UsageError
from headwise.cli.shell.parameters import Context, Parameter, parameters_of


class Command:
    """A function as a command."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _signature(self) -> tuple[list[Parameter], str | None]:
        return parameters_of(self._function)

    @property
    def parameters(self) -> list[Parameter]:
        return self._signature[0]

    @property
    def documentation(self) -> str:
        return self._function.__doc__ or ""

    def run(self, called: str, words: Sequence[str]) -> None:
        """Read the call and make it. Exit where only help was asked for."""
        before_end = words[: list(words).index("--")] if "--" in words else words
        if any(word in (*HELP, ALL) for word in before_end):
            from headwise.cli.shell.help import command_help

            command_help(self, called, sys.stdout, all_options=ALL in before_end)
            raise Exit
        try:
            values = read_call(self.parameters, words)
            defaults = {p.name: p.default for p in self.parameters if not p.is_required}
            context = {name: Context(frozenset(values)) for name in self._signature[1:] if name is not None}
            self._function(**(defaults | values | context))
        except UsageError as error:
            from headwise.cli.shell.help import usage

            error.usage = f"Usage: {usage(called, self.parameters)}\nTry '{called} {HELP[0]}' for help."
            raise


@dataclass(frozen=True)
class App:
    """Commands under one name."""

    name: str
    about: str
    groups: Mapping[str, Mapping[str, str]]
    """The commands, group by group, each with the first sentence of its help."""
    homes: Mapping[str, str]
    """The module of each command, whose function has the command's name."""
    wrap: Callable[[Callable[..., Any]], Callable[..., Any]] = field(default=lambda function: function)
    """What is done to the function of every command."""

    def command(self, name: str) -> Command:
        """By name; its module is imported now."""
        module = import_module(self.homes[name])
        return Command(self.wrap(getattr(module, name.replace("-", "_"))))

    def __call__(self, words: Sequence[str]) -> None:
        """Make a call: the words behind the name of the program."""
        if not words or words[0] in (*HELP, ALL):
            self._help()
            if not words:
                raise Exit(2)
        elif words[0] == "--version":
            from headwise.base.version import VERSION

            print(f"{self.name} {VERSION}")
        elif words[0] in self.homes:
            self.command(words[0]).run(f"{self.name} {words[0]}", words[1:])
        else:
            what = "option" if words[0].startswith("-") else "command"
            names = [*self.homes, *HELP, "--version"]
            error = UsageError(f"No such {what}: {words[0]}.{did_you_mean(words[0], names)}")
            error.usage = f"Usage: {self.name} [OPTIONS] COMMAND ...\nTry '{self.name} {HELP[0]}' for help."
            raise error

    def _help(self) -> None:
        from headwise.cli.shell.help import commands_help

        options = {"--help, -h": "Show this message and stop.", "--version": "Print the version and stop."}
        commands_help(self.name, self.about, self.groups, options, sys.stdout)
