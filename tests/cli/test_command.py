"""Commands from functions: what is typed becomes what a function asks for, or an error that helps."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import pytest

from command_runner import CliRunner
from headwise.cli.app import app
from headwise.cli.command import Argument, Command, Option, refuse_other_options
from headwise.cli.help import paragraphs


class Colour(StrEnum):
    red = "red"
    green = "green"


seen: dict[str, Any] = {}


def paint(
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
    plain: Annotated[bool, Option("--plain", help="Nothing but the picture.")] = False,
) -> None:
    """Paint a picture.

    More about it, in a sentence that goes on.

      paint house.png
    """
    if plain:
        refuse_other_options({"picture", "plain"}, "with --plain")
    seen.clear()
    seen.update(locals())


def call(*words: str) -> dict[str, Any]:
    result = CliRunner().invoke(Command("command", paint), words)
    assert result.exit_code == 0, result.output
    return dict(seen)


def refused(*words: str) -> str:
    result = CliRunner().invoke(Command("command", paint), words)
    assert result.exit_code == 2
    return re.sub(r"[│\s]+", " ", result.stderr)


def test_defaults_are_used() -> None:
    values = call("house.png")
    assert (values["picture"], values["others"], values["colour"]) == (Path("house.png"), None, Colour.red)
    assert (values["layers"], values["frame"], values["quiet"], values["words"]) == (1, True, False, None)


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
        ([], "Missing argument 'PICTURE'"),
        (["x", "--colour", "blue"], "'--colour' / '-c': 'blue' is not one of 'red', 'green'"),
        (["x", "--size", "huge"], "'--size': 'huge' is not one of 'small', 'large'"),
        (["x", "--layers", "many"], "'--layers': 'many' is no whole number"),
        (["x", "--layers", "12"], "'--layers': 12 must be from 1 to 9"),
        (["x", "--share", "nan"], "'--share': nan is no number"),
        (["x", "--layer", "3"], "No such option '--layer'. Did you mean '--layers'?"),
        (["x", "-z"], "No such option '-z'."),
        (["x", "--quiet=yes"], "Option '--quiet' does not take a value."),
        (["x", "--colour"], "Option '--colour' requires an argument."),
        (["x\0y"], "'PICTURE': a file name has no NUL character"),
        (["x", "--plain", "-q", "--layers", "2"], "--layers, --quiet cannot be used with --plain"),
    ],
)
def test_wrong_calls_say_what_is_wrong(words: list[str], message: str) -> None:
    text = refused(*words)
    assert message in text
    assert "Usage: command [OPTIONS] PICTURE [OTHERS]..." in text


def test_one_argument_too_many() -> None:
    result = CliRunner().invoke(app, ["compress", "a.hw", "b.hw", "-o", "c.hw"])
    assert result.exit_code == 2
    assert "unexpected extra argument (b.hw)" in result.stderr


def test_short_help_and_long_help() -> None:
    short = CliRunner().invoke(Command("command", paint), ["--help"]).stdout
    long = CliRunner().invoke(Command("command", paint), ["--help-all"]).stdout
    assert "More about it, in a sentence that goes on." in short
    assert re.search(r"--layers N +How many. \[default: 1\]", short)
    assert "[default: frame]" in short
    assert "--share" not in short
    assert "--help-all" in short
    assert "╭─ Details ─" in long
    assert "--share" in long


def every_command(group: click.Group = app, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(None, name)  # type: ignore[arg-type]
        if isinstance(command, click.Group):
            yield from every_command(command, (*before, name))
        else:
            yield (*before, name)


def test_help_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in ("50", "80", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        for words in every_command():
            lines = CliRunner().invoke(app, [*words, "--help-all"]).stdout.splitlines()
            boxed = [line for line in lines if line.startswith(("│", "╭", "╰"))]
            assert {len(line) for line in boxed} == {min(100, int(columns))}


def test_colours_only_on_a_terminal() -> None:
    assert "\x1b" not in CliRunner().invoke(app, ["parse", "--help"]).stdout


@pytest.mark.parametrize("words", list(every_command()), ids=" ".join)
def test_every_command_has_a_line_in_the_list_that_its_help_begins_with(words: tuple[str, ...]) -> None:
    """Not word for word: what a line has no room for is left out."""
    group: Any = app
    for word in words[:-1]:
        group = group.get_command(None, word)
    line, command = group.lines[words[-1]], group.get_command(None, words[-1])
    first = paragraphs(command.help)[0]
    assert line.split()[0] == first.split()[0], (line, first)
    shown = CliRunner().invoke(app, [*words[:-1], "--help"]).stdout.replace("│\n│", "").replace("  ", "")
    assert line in shown or len(line) > 60
    for parameter in command.params:
        assert parameter.help or parameter.hidden, parameter.name


def test_a_mistyped_command() -> None:
    result = CliRunner().invoke(app, ["pars", "x"])
    assert result.exit_code == 2
    assert "No such command 'pars'. Did you mean 'parse'?" in result.stderr


def test_help_imports_neither_numpy_nor_what_trains() -> None:
    script = (
        "import sys; from headwise.cli.app import run; run(['--help']); run(['train', '--help']);"
        "print([m for m in ('numpy', 'headwise.learning.loop') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


def test_the_version_needs_no_click() -> None:
    script = (
        "import sys; sys.argv = ['headwise', '--version']; from headwise.cli import main; main();"
        "print([m for m in ('click', 'rich', 'numpy') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["headwise 0.1.0", "[]"]
    assert "headwise 0.1.0" in CliRunner().invoke(app, ["--version"]).stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    """What the shell's function asks for, as docs/command-line.md has it."""

    def answer(**variables: str) -> str:
        environment = {**os.environ, **variables}
        call = [sys.executable, "-m", "headwise"]
        return subprocess.run(call, env=environment, capture_output=True, text=True, check=True).stdout

    assert "_HEADWISE_COMPLETE" in answer(_HEADWISE_COMPLETE=f"{shell}_source")

    def completed(*words: str) -> set[str]:
        number = {} if shell == "fish" else {"COMP_CWORD": str(len(words))}
        if shell == "fish":
            number = {"COMP_CWORD": words[-1]}
        lines = answer(
            _HEADWISE_COMPLETE=f"{shell}_complete", COMP_WORDS=" ".join(("headwise", *words)), **number
        )
        return set(re.split(r"[,\s]+", lines))

    assert {"train", "tag", "templates"} <= completed("t")
    assert {"--preset", "--pretrained"} <= completed("train", "--pre")
    assert {"fast", "accurate"} <= completed("train", "--preset", "")
    assert "convert" in completed("phrases", "con")


def test_documentation_of_a_command_is_its_help() -> None:
    assert paragraphs(inspect.cleandoc("One.\n\nTwo\nthree.\n\n  code a\n  code b")) == [
        "One.",
        "Two\nthree.",
        "  code a",
        "  code b",
    ]
