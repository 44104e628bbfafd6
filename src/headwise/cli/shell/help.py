"""The help of a command, and of all of them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from headwise.cli.shell.boxes import Page
from headwise.cli.shell.call import ALL, HELP
from headwise.cli.shell.parameters import Argument, Option, Parameter, shown_default

if TYPE_CHECKING:
    from headwise.cli.shell.app import Command

LONGEST_NAME = 26
"""Options whose name is longer have a line of their own."""


def usage(name: str, parameters: Sequence[Parameter]) -> str:
    """``headwise parse [OPTIONS] [TEXT|FILE]...``"""
    places = [_place(parameter) for parameter in parameters if isinstance(parameter.declared, Argument)]
    return " ".join([name, "[OPTIONS]", *places])


def _place(parameter: Parameter) -> str:
    shown = parameter.metavar
    if shown.startswith("["):
        return shown
    if not parameter.is_required:
        shown = f"[{shown}]"
    return f"{shown}..." if parameter.is_list else shown


def command_help(command: Command, name: str, stream: TextIO, *, all_options: bool) -> None:
    """The help of one command; the short one leaves out the options that are in panels."""
    page, parameters = Page(stream), command.parameters
    page.line()
    page.line(f" {page.styled('Usage:', 'metavar')} {page.styled(usage(name, parameters), 'bold')}")
    before = ""
    for text in paragraphs(command.documentation):
        if not (before.startswith(" ") and text.startswith(" ")):  # examples stand together
            page.line()
        page.paragraph(text)
        before = text
    page.line()
    arguments = [p for p in parameters if isinstance(p.declared, Argument)]
    _panel(page, "Arguments", arguments)
    options = [p for p in parameters if isinstance(p.declared, Option)]
    panels: dict[str, list[Parameter]] = {}
    for option in options:
        assert isinstance(option.declared, Option)
        panels.setdefault(option.declared.panel or "", []).append(option)
    others = sum(len(panel) for title, panel in panels.items() if title)
    closing = [([("/".join(HELP), "name")], "Show this message and stop.", "")]
    if others:
        what = f"Show all options ({others} more: {', '.join(t[0].lower() + t[1:] for t in panels if t)})."
        closing.append(([(ALL, "name")], what, ""))
    _panel(page, "Options", panels.pop("", []), closing)
    if all_options:
        for title, panel in panels.items():
            _panel(page, title, panel)


def commands_help(
    name: str, about: str, groups: Mapping[str, Mapping[str, str]], options: Mapping[str, str], stream: TextIO
) -> None:
    """What commands there are, each with a line."""
    page = Page(stream)
    page.line()
    page.line(f" {page.styled('Usage:', 'metavar')} {page.styled(f'{name} [OPTIONS] COMMAND ...', 'bold')}")
    page.line()
    page.paragraph(about)
    page.line()
    widest = max(len(command) for group in groups.values() for command in group) + 2
    for title, commands in groups.items():
        rows = [([(command, "name")], text, "") for command, text in commands.items()]
        page.box(title, page.two_columns(rows, widest))
    rows = [([(option, "name")], text, "") for option, text in options.items()]
    page.box("Options", page.two_columns(rows, widest))


def _panel(
    page: Page,
    title: str,
    parameters: Sequence[Parameter],
    closing: Sequence[tuple[Sequence[tuple[str, str]], str, str]] = (),
) -> None:
    if not parameters and not closing:
        return
    rows = [*map(_row, parameters), *closing]
    widths = [sum(len(piece) + 1 for piece, _ in pieces) for pieces, _, _ in rows]
    first = max((width for width in widths if width <= LONGEST_NAME), default=LONGEST_NAME) + 1
    page.box(title, page.two_columns(rows, first))


def _row(parameter: Parameter) -> tuple[Sequence[tuple[str, str]], str, str]:
    if isinstance(parameter.declared, Argument):
        pieces = [(_place(parameter), "metavar")]
    else:
        pieces = [(", ".join((*reversed(parameter.on), *parameter.off)), "name")]
        if not parameter.is_flag:
            pieces.append((parameter.metavar, "metavar"))
    default = shown_default(parameter)
    end = "[required]" if parameter.is_required else f"[default: {default}]" if default else ""
    return pieces, parameter.declared.help, end


def paragraphs(documentation: str) -> list[str]:
    """Of a docstring; examples, which are indented, are lines of their own."""
    found: list[str] = []
    for block in inspect.cleandoc(documentation).split("\n\n"):
        found += block.splitlines() if block.startswith(" ") else [block]
    return found


def show_error(error: Any, stream: TextIO) -> None:
    """How the command is called, and in a box what was wrong with this call."""
    page = Page(stream)
    if error.usage:
        page.line(error.usage)
    page.box("Error", [(line, line) for line in page.wrapped(str(error))], "error")
