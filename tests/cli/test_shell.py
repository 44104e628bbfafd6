"""The layer under the commands: what is typed becomes what a function asks for, or an error that helps."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from command_runner import CliRunner
from headwise import cli
from headwise.cli import COMMANDS, app
from headwise.cli.shell import Argument, Command, Context, Option
from headwise.cli.shell.help import paragraphs


class Colour(StrEnum):
    red = "red"
    green = "green"


seen: dict[str, Any] = {}


def paint(
    context: Context,
    picture: Annotated[Path, Argument(help="What to paint.")],
    others: Annotated[list[str] | None, Argument(help="What else.")] = None,
    colour: Annotated[Colour, Option("--colour", "-c", help="Which one.")] = Colour.red,
    size: Annotated[Literal["small", "large"] | None, Option(help="How large.")] = None,
    layers: Annotated[int, Option(min=1, max=9, help="How many.")] = 1,
    share: Annotated[float | None, Option(help="How much.", panel="Details")] = None,
    words: Annotated[list[str] | None, Option(help="May be repeated.")] = None,
    frame: Annotated[bool, Option(help="Put it in a frame.")] = True,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Say nothing.")] = False,
    context_words: Annotated[int, Option("--context", help="Not the context of the call.")] = 2,
) -> None:
    """Paint a picture.

    More about it, in a sentence that goes on.

      paint house.png
    """
    seen.clear()
    seen.update(locals())


def call(*words: str) -> dict[str, Any]:
    result = CliRunner().invoke(Command(paint), words)
    assert result.exit_code == 0, result.output
    return dict(seen)


def refused(*words: str) -> str:
    result = CliRunner().invoke(Command(paint), words)
    assert result.exit_code == 2
    return re.sub(r"[│\s]+", " ", result.stderr)


def test_defaults_are_used_and_not_counted_as_given() -> None:
    values = call("house.png")
    assert (values["picture"], values["others"], values["colour"]) == (Path("house.png"), None, Colour.red)
    assert (values["layers"], values["frame"], values["quiet"], values["words"]) == (1, True, False, None)
    assert values["context"].given == {"picture"}


@pytest.mark.parametrize(
    "words",
    [
        ["-c", "green", "--layers", "3", "a", "b", "c"],
        ["-cgreen", "--layers=3", "a", "b", "c"],
        ["a", "--colour=green", "b", "--layers", "3", "c"],
        ["--layers", "2", "--layers", "3", "-c", "green", "--", "a", "b", "c"],
    ],
)
def test_options_stand_anywhere(words: list[str]) -> None:
    values = call(*words)
    assert (values["picture"], values["others"]) == (Path("a"), ["b", "c"])
    assert (values["colour"], values["layers"]) == (Colour.green, 3)


def test_other_values() -> None:
    values = call("-", "--size", "large", "--share", "0.5", "--words", "a b", "--words=c", "--no-frame", "-q")
    assert (values["picture"], values["size"], values["share"]) == (Path("-"), "large", 0.5)
    assert (values["words"], values["frame"], values["quiet"]) == (["a b", "c"], False, True)
    assert call("x", "--context", "7")["context_words"] == 7
    assert call("x", "--", "-q", "--what")["others"] == ["-q", "--what"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Missing argument PICTURE: What to paint."),
        (["x", "--colour", "blue"], "--colour / -c: 'blue' is not one of red, green"),
        (["x", "--size", "huge"], "--size: 'huge' is not one of small, large"),
        (["x", "--layers", "many"], "--layers: 'many' is no whole number"),
        (["x", "--layers", "12"], "--layers: 12 is out of range, must be from 1 to 9"),
        (["x", "--share", "nan"], "--share: nan is no number"),
        (["x", "--layer", "3"], "No such option: --layer. Did you mean --layers?"),
        (["x", "-z"], "No such option: -z."),
        (["x", "--quiet=yes"], "Option --quiet takes no value."),
        (["x", "--colour"], "Option --colour needs a value."),
        (["x\0y"], "PICTURE: a file name has no NUL character"),
    ],
)
def test_wrong_calls_say_what_is_wrong(words: list[str], message: str) -> None:
    text = refused(*words)
    assert message in text
    assert "Usage: command [OPTIONS] PICTURE [OTHERS]..." in text


def test_one_argument_too_many() -> None:
    result = CliRunner().invoke(app, ["compress", "a.hw", "b.hw", "-o", "c.hw"])
    assert result.exit_code == 2
    assert "Unexpected argument: b.hw" in result.stderr


def test_short_help_and_long_help() -> None:
    short = CliRunner().invoke(Command(paint), ["--help"]).stdout
    long = CliRunner().invoke(Command(paint), ["--help-all"]).stdout
    assert "More about it, in a sentence that goes on." in short
    assert re.search(r"--layers N +How many. \[default: 1\]", short)
    assert "[default: frame]" in short
    assert "--share" not in short
    assert "--help-all" in short
    assert "╭─ Details ─" in long
    assert "--share" in long


def test_help_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in ("50", "80", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        for name in app.homes:
            lines = CliRunner().invoke(app, [name, "--help-all"]).stdout.splitlines()
            boxed = [line for line in lines if line.startswith(("│", "╭", "╰"))]
            assert {len(line) for line in boxed} == {min(100, int(columns))}


def test_colours_only_on_a_terminal() -> None:
    assert "\x1b" not in CliRunner().invoke(app, ["parse", "--help"]).stdout


@pytest.mark.parametrize("name", list(app.homes))
def test_every_command_has_a_line_in_the_list_that_its_help_begins_with(name: str) -> None:
    """Not word for word: what a line has no room for is left out."""
    (line,) = (group[name] for group in COMMANDS.values() if name in group)
    first = paragraphs(app.command(name).documentation)[0]
    assert line.split()[0] == first.split()[0], (line, first)
    assert (
        line in CliRunner().invoke(app, ["--help"]).stdout.replace("│\n│", "").replace("  ", "")
        or len(line) > 60
    )
    for parameter in app.command(name).parameters:
        assert parameter.declared.help or parameter.name == "threads", parameter.name


def test_a_mistyped_command() -> None:
    result = CliRunner().invoke(app, ["pars", "x"])
    assert result.exit_code == 2
    assert "No such command: pars. Did you mean parse?" in result.stderr


def test_help_imports_neither_numpy_nor_the_core() -> None:
    script = (
        "import sys; from headwise.cli import run; run(['--help']); run(['train', '--help']);"
        "print([m for m in ('numpy', 'headwise._native', 'typer', 'pydantic', 'rich') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


def test_documentation_of_a_command_is_its_help() -> None:
    assert paragraphs(inspect.cleandoc("One.\n\nTwo\nthree.\n\n  code a\n  code b")) == [
        "One.",
        "Two\nthree.",
        "  code a",
        "  code b",
    ]


def test_no_command_imports_typer() -> None:
    """`shell.Option` and `shell.Argument` are declared as Typer's are; `from headwise.cli import shell`."""
    sources = Path(cli.__file__).parents[1].rglob("*.py")
    importing = re.compile(r"^\s*(import|from) typer\b", re.MULTILINE)
    assert [path.name for path in sources if importing.search(path.read_text(encoding="utf-8"))] == []
