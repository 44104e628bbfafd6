"""Commands of Click from functions: the annotation of a parameter says how it is given.

A parameter has an `Option` or an `Argument` in its annotation, and the docstring of the function is the
command's help. Options that have a ``panel`` are those that few people need: ``--help-all`` shows them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import Enum
from functools import wraps
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

import click

from headwise.base.limits import AtLeast, Limit, Within
from headwise.cli.gone import GONE
from headwise.cli.kinds import Choices, FilePath, Number

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from headwise.base.fields import Setting

ALL = "--help-all"


class Option:
    """Given by name.

    Args:
        names: such as ``--output`` and ``-o``, or ``--roles/--no-roles`` for a yes or no. Without any, the
            name of the parameter, and of a ``bool`` also ``--no-…``; a single name of a ``bool`` is a flag.
        min: the least number that it takes; ``max``: the largest.
        panel: its title in the long help; without one it is in the short help too.
        choices: what a ``str`` may be, where it is not anything.
    """

    def __init__(
        self,
        *names: str,
        help: str = "",
        metavar: str | None = None,
        min: float | None = None,
        max: float | None = None,
        show_default: bool | str = True,
        panel: str | None = None,
        choices: Sequence[str] = (),
    ) -> None:
        self.choices = choices
        self.names, self.help, self.metavar, self.panel = names, help, metavar, panel
        self.least, self.most, self.show_default = min, max, show_default


class Argument:
    """Given by place."""

    def __init__(self, help: str = "", metavar: str | None = None, show_default: bool = True) -> None:
        self.help, self.metavar, self.show_default = help, metavar, show_default


class Fields:
    """A mapping of what was given for the settings of a class, by their options (`headwise.base.fields`)."""

    def __init__(self, settings: type) -> None:
        from headwise.base.fields import fields_of

        self.settings = [one for one in fields_of(settings).values() if one.declared.is_typed]


class CommandOption(click.Option):
    """An option of Click that knows the panel of its help."""

    def __init__(self, *args: Any, panel: str | None = None, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.panel = panel


class Command(click.Command):
    """A function as a command."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        parameters = list(parameters_of(function))
        super().__init__(
            name,
            callback=_called(function, parameters),
            params=parameters,
            help=inspect.cleandoc(function.__doc__ or ""),
            context_settings={"help_option_names": ["--help", "-h"]},
        )
        everything = click.Option([ALL], is_flag=True, is_eager=True, expose_value=False, callback=_all_help)
        everything.hidden = True
        self.params.append(everything)

    def format_help(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        from headwise.cli.help import command_help

        formatter.write(command_help(self, context))

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(context, args)
        except click.UsageError as error:
            error.ctx = error.ctx or context
            option = getattr(error, "option_name", "")
            instead = GONE.get(context.info_name or "", {}).get(option)
            if instead is None:
                raise
            raise click.UsageError(f"{option} {instead}", context) from None

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except click.UsageError as error:
            error.ctx = error.ctx or context
            raise


def _all_help(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from headwise.cli.help import command_help

        click.echo(command_help(context.command, context, all_options=True), nl=False)
        context.exit()


def _called(function: Callable[..., Any], parameters: Sequence[click.Parameter]) -> Callable[..., Any]:
    """The function with lists where Click has tuples, None for an empty one, and mappings of settings."""
    lists = [one.name for one in parameters if one.multiple or one.nargs == -1]
    mappings = {name: given for name, _, given, _ in _declared(function) if isinstance(given, Fields)}

    @wraps(function)
    def called(**values: Any) -> Any:
        values |= {name: list(values[name]) or None for name in lists if name}
        settings = {name: _given(fields, values) for name, fields in mappings.items()}
        return function(**values, **settings)

    return called


def _given(fields: Fields, values: dict[str, Any]) -> dict[str, Any]:
    """What was given for settings, taken out of the values of the parameters."""
    found: dict[str, Any] = {}
    for one in fields.settings:
        if one.declared.option and (value := values.pop(one.keyword)) is not None:
            found[one.keyword] = tuple(value) if isinstance(value, list) else value
            if value == ["none"]:
                found[one.keyword] = ()
        for number, flag in enumerate(one.declared.flags):
            if values.pop(f"{one.keyword}__flag{number}"):
                found.setdefault(one.keyword, flag.value)
    return found


def _declared(function: Callable[..., Any]) -> Iterator[tuple[str, Any, Option | Argument | Fields, Any]]:
    """Name, type, declaration and default of each parameter."""
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        annotation, *metadata = get_args(hints[name])
        declared = next(given for given in metadata if isinstance(given, Option | Argument | Fields))
        yield name, annotation, declared, parameter.default


def parameters_of(function: Callable[..., Any]) -> Iterator[click.Parameter]:
    """What Click is to read from the command line for a function."""
    for name, annotation, declared, default in _declared(function):
        if isinstance(declared, Fields):
            for one in declared.settings:
                yield from options_of(one)
        else:
            yield parameter_of(name, annotation, declared, default)


def options_of(setting: Setting) -> Iterator[click.Parameter]:
    """The option of a setting, and those that stand for one of its values."""
    said, kind = setting.declared, setting.kind
    is_list = get_origin(kind) is tuple
    if said.option:
        attributes: dict[str, Any] = {"help": said.help, "metavar": said.metavar, "panel": said.panel}
        attributes |= {"default": None, "show_default": False, "multiple": is_list}
        if default := said.default or setting.shown_default:
            attributes["show_default"] = default
        if kind is bool:
            attributes["is_flag"] = True
        else:
            attributes["type"] = _kind(get_args(kind)[0] if is_list else kind, setting)
        if "FILE" in (said.metavar or ""):
            attributes["shell_complete"] = _file_names
        yield CommandOption([setting.keyword, said.option], **attributes)
    for number, flag in enumerate(said.flags):
        name = f"{setting.keyword}__flag{number}"
        yield CommandOption([name, flag.name], is_flag=True, help=flag.help, panel=said.panel)


def parameter_of(name: str, hint: Any, declared: Option | Argument, default: Any) -> click.Parameter:
    """A parameter of Click for values of a type."""
    if get_origin(hint) in (Union, UnionType):
        hint = next(option for option in get_args(hint) if option is not NoneType)
    is_list = get_origin(hint) is list
    if is_list:
        (hint,) = get_args(hint)
    needed = default is inspect.Parameter.empty
    attributes: dict[str, Any] = {"help": declared.help, "metavar": declared.metavar, "required": needed}
    if not needed and not is_list:
        attributes["default"] = default
    if "FILE" in (declared.metavar or "") and hint is str:
        attributes["shell_complete"] = _file_names
    if isinstance(declared, Argument):
        return click.Argument([name], type=_kind(hint), nargs=-1 if is_list else 1, **attributes)
    own = "--" + name.strip("_").replace("_", "-")
    names = declared.names or ((f"{own}/--no-{own[2:]}",) if hint is bool else (own,))
    attributes |= {"multiple": is_list, "panel": declared.panel, "show_default": declared.show_default}
    if hint is bool:
        return CommandOption([name, *names], is_flag=True, **attributes)
    limit: Limit | None = None if declared.least is None else AtLeast(declared.least)
    if declared.least is not None and declared.most is not None:
        limit = Within(declared.least, declared.most)
    kind = Choices(declared.choices) if declared.choices else _kind(hint, limit)
    return CommandOption([name, *names], type=kind, **attributes)


def _kind(hint: Any, limit: Limit | None = None) -> click.ParamType[Any]:
    """How text becomes a value of a type."""
    if get_origin(hint) is Literal:
        return Choices(get_args(hint))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return Choices(hint)
    if hint in (int, float):
        return Number(hint, limit)
    return FilePath() if hint is Path else click.STRING


def _file_names(*_: Any) -> list[CompletionItem[Any]]:
    """Of text that may be the name of a file: the shell knows what files there are."""
    from click.shell_completion import CompletionItem

    return [CompletionItem("", type="file")]


class Commands(click.Group):
    """Commands under one name, each imported when it is asked for.

    Args:
        groups: the commands by what they are for, each with the line that it has in the list. A command is a
            function in a module of its name in ``package``, or a group of commands there.
        wrap: what is done to the function of every command.
    """

    def __init__(
        self,
        name: str,
        about: str,
        groups: Mapping[str, Mapping[str, str]],
        package: str,
        wrap: Callable[[Callable[..., Any]], Callable[..., Any]],
        options: Sequence[click.Option] = (),
    ) -> None:
        settings = {"help_option_names": ["--help", "-h"]}
        super().__init__(
            name, help=about, params=list(options), context_settings=settings, no_args_is_help=True
        )
        self.groups, self._package, self._wrap = groups, package, wrap
        self.lines = {name: line for group in groups.values() for name, line in group.items()}

    def list_commands(self, context: click.Context) -> list[str]:
        return list(self.lines)

    def get_command(self, context: click.Context | None, name: str) -> click.Command | None:
        if name not in self.lines:
            return None
        found = getattr(import_module(f"{self._package}.{name}"), name)
        return found if isinstance(found, click.Command) else Command(name, self._wrap(found))

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, args)
        except click.exceptions.NoSuchCommand as error:
            name = error.command_name
            raise click.exceptions.NoSuchCommand(name, possibilities=self.lines, ctx=context) from None

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem[Any]]:
        """Names of commands with their lines; no command is imported for it."""
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name, help=line) for name, line in self.lines.items()]
        return [one for one in found if str(one.value).startswith(incomplete)]

    def format_help(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        from headwise.cli.help import commands_help

        formatter.write(commands_help(self, context))


def refuse_other_options(meaningful: Collection[str], why: str) -> None:
    """Options that mean nothing to what was asked for are refused, not ignored; `why` ends the sentence."""
    from click.core import ParameterSource

    context = click.get_current_context()
    given = {
        name for name in context.params if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    if useless := given.difference(meaningful):
        options = {one.name: max(one.opts, key=len) for one in context.command.params}
        names = ", ".join(sorted(options[name] for name in useless))
        raise click.UsageError(f"{names} cannot be used {why}")
