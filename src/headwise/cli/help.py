"""Help and errors as a terminal shows them: paragraphs, and columns in boxes."""

from __future__ import annotations

import inspect
import io
import shutil
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Any

import click
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from headwise.cli.command import ALL, CommandOption, Commands

WIDEST = 100
"""Lines longer than this are hard to read."""
LONGEST_NAME = 26
"""Options whose name is longer have a line of their own."""

Row = tuple[Text, str, str]
"""What is typed, what that means, and a dim end."""


def _width() -> int:
    return max(40, min(WIDEST, shutil.get_terminal_size().columns))


def _console() -> Console:
    # Click takes colours out where nobody sees them.
    return Console(
        file=io.StringIO(), force_terminal=True, width=_width(), highlight=False, legacy_windows=False
    )


def _printed(*parts: RenderableType) -> str:
    console = _console()
    for part in parts:
        console.print(part)
    printed: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "".join(f"{line.rstrip()}\n" for line in printed.splitlines())


def command_help(command: click.Command, context: click.Context, *, all_options: bool = False) -> str:
    """The help of one command; the short one leaves out the options that are in panels."""
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    panels: dict[str, list[Row]] = {"": []}
    for one in command.params:
        if isinstance(one, CommandOption):
            panels.setdefault(one.panel or "", []).append(_option(one, context))
    common = panels.pop("")
    common.append((Text("--help/-h", "bold cyan"), "Show this message and stop.", ""))
    if panels:
        others, titles = sum(map(len, panels.values())), (title[0].lower() + title[1:] for title in panels)
        what = f"Show all options ({others} more: {', '.join(titles)})."
        common.append((Text(ALL, "bold cyan"), what, ""))
    boxes = {"Arguments": [_argument(one, context) for one in arguments], "Options": common}
    if all_options:
        boxes |= panels
    return _printed(
        *_heading(context, " ".join(command.collect_usage_pieces(context))),
        *_paragraphs(command.help or ""),
        "",
        *(_box(title, rows) for title, rows in boxes.items() if rows),
    )


def commands_help(commands: Commands, context: click.Context) -> str:
    """What commands there are, each with a line."""
    options = [("--help, -h", "Show this message and stop.")]
    if any(one.name == "version" for one in commands.params):
        options.append(("--version", "Print the version and stop."))
    rows = {**{title: list(group.items()) for title, group in commands.groups.items()}, "Options": options}
    widest = max(len(name) for group in commands.groups.values() for name in group)
    return _printed(
        *_heading(context, "[OPTIONS] COMMAND ..."),
        *_paragraphs(commands.help or ""),
        "",
        *(
            _box(title, [(Text(name, "bold cyan"), line, "") for name, line in group], max(widest, 10))
            for title, group in rows.items()
        ),
    )


def show_error(error: click.UsageError) -> None:
    """How the command is called, and in a box what was wrong with this call."""
    from headwise.base.writing_systems import printable

    usage = []
    if error.ctx is not None:
        usage = [error.ctx.get_usage(), f"Try '{error.ctx.command_path} --help' for help."]
    text = Text(printable(error.format_message()))
    shown = _printed(*map(Text, usage), Panel(text, title="Error", title_align="left", border_style="red"))
    click.echo(shown, nl=False, err=True)


def paragraphs(documentation: str) -> list[str]:
    """Of a docstring; examples, which are indented, are lines of their own."""
    found: list[str] = []
    for block in inspect.cleandoc(documentation).split("\n\n"):
        found += block.splitlines() if block.startswith(" ") else [block]
    return found


def _heading(context: click.Context, usage: str) -> tuple[RenderableType, ...]:
    line = Text.assemble((" Usage: ", "bold yellow"), (f"{context.command_path} {usage}", "bold"))
    return "", line


def _paragraphs(documentation: str) -> Iterable[RenderableType]:
    before = ""
    for text in paragraphs(documentation):
        if not (before.startswith(" ") and text.startswith(" ")):  # examples stand together
            yield ""
        is_example = text.startswith(" ")
        line = Text(text.rstrip() if is_example else " ".join(text.split()), overflow="fold")
        yield Padding(line, (0, 1)) if not is_example else Padding(line, (0, 0, 0, 1))
        before = text


def _box(title: str, rows: Sequence[Row], first: int | None = None) -> Panel:
    if first is None:
        lengths = [name.cell_len for name, _, _ in rows]
        first = max((length for length in lengths if length <= LONGEST_NAME), default=LONGEST_NAME)
    lines = (line for row in rows for line in _row(*row, first, _width() - 4))
    return Panel(Text("\n").join(lines), title=title, title_align="left", border_style="dim")


def _row(name: Text, text: str, end: str, first: int, width: int) -> Iterator[Text]:
    """The lines of two columns; a name that does not fit into the first has lines of its own."""
    meaning = Text(text)
    if end:
        meaning.append(f" {end}" if text else end, "dim")
    lines = list(meaning.wrap(_console(), width - first - 2)) or [Text()]
    if name.cell_len > first:
        name.plain = name.plain.replace("|", "| ") if name.cell_len > width else name.plain
        yield from name.wrap(_console(), width)
        name = Text()
    for line in lines:
        yield Text.assemble(name, " " * (first + 2 - name.cell_len), line)
        name = Text()


def _argument(one: click.Argument, context: click.Context) -> Row:
    return (
        Text(one.make_metavar(context), "bold yellow"),
        one.help or "",
        "[required]" if one.required else "",
    )


def _option(one: CommandOption, context: click.Context) -> Row:
    names = ", ".join(sorted((*one.opts, *one.secondary_opts), key=lambda name: name.startswith("--")))
    name = Text(names, "bold cyan")
    if not one.is_flag:
        name.append(f" {one.make_metavar(context)}", "bold yellow")
    default = _default(one)
    return name, one.help or "", "[required]" if one.required else f"[default: {default}]" if default else ""


def _default(one: CommandOption) -> str:
    """As it would be typed; empty where there is nothing to say."""
    default: Any = one.default
    if isinstance(one.show_default, str):
        return one.show_default
    if one.required or one.multiple or default is None or not one.show_default:
        return ""
    if one.is_flag:
        names = one.opts if default else one.secondary_opts
        return names[0].lstrip("-") if one.secondary_opts and names else ""
    return str(default.value if isinstance(default, Enum) else default)
