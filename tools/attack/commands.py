"""Command lines: every command, with options it has and has not, files that are there or not, odd values."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from attack.target import BrokenPromiseError, Outcome, Target
from headwise.cli.app import app, run

FIXTURES = Path(__file__).parents[2] / "tests" / "fixtures"
_FILES = [
    "toy.conllu",
    "nasty.conllu",
    "old.conll",
    "cut.conllu",
    "model.hw",
    "cut.hw",
    "empty",
    "noise",
    "folder",
]
_VALUES = [
    *(
        "",
        "-",
        "0",
        "1",
        "2",
        "-1",
        "1e9",
        "nan",
        "inf",
        "99999999999",
        "9" * 400,
        "all",
        "text",
        "conllu",
        "json",
    ),
    *(
        "../x",
        "no/such/file",
        "\x1b[31m",
        "a b",
        "--",
        "-o",
        "é",
        "\udcff",
        "first",
        "map",
        "dual",
        "1-2",
        "x=y",
    ),
]
_SLOW = {"train", "phrases train", "vectors", "pretrain", "cluster", "doubt", "corpus", "calibrate"}
_ENDLESS = {"serve", "annotate", "inception"}
"""Commands that wait for requests: ``requests`` attacks the first, and tests of their own the others."""
_QUICK = {
    "train": ["--factorization", "arc", "--epochs", "1", "--arc-bits", "12"],
    "doubt": ["--factorization", "arc", "--epochs", "1", "--folds", "2"],
    "cluster": ["--clusters", "3", "--min-count", "1"],
    "vectors": ["--width", "2", "--min-count", "1"],
    "pretrain": ["--epochs", "1", "--width", "16", "--layers", "1", "--vectors", "4", "--device", "cpu"],
    "corpus": ["--workers", "1"],
}


def commands_of(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command by its whole name, also those in groups."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands_of(command, f"{before}{name} ")
        else:
            yield before + name, command


def commands() -> Iterator[tuple[str, click.Command]]:
    """All there are."""
    return commands_of(app)


class Commands(Target):
    """A case is a list of arguments, as JSON."""

    name = "commands"
    cases_a_process = 100

    def __init__(self) -> None:
        self._commands: dict[str, list[str]] = {}
        for name, command in commands():
            if name in _ENDLESS:
                continue
            self._commands[name] = [
                option
                for one in command.params
                if isinstance(one, click.Option)
                for option in (*one.opts, *one.secondary_opts)
            ]
        self._folder = tempfile.TemporaryDirectory()
        self._home = Path(self._folder.name)

    def mutant(self, rng: random.Random) -> bytes:
        name = rng.choice([*self._commands, *(n for n in self._commands if n not in _SLOW)])
        arguments = name.split()
        for _ in range(rng.randint(0, 3)):
            arguments.append(rng.choice(_FILES) if rng.random() < 0.8 else rng.choice(_VALUES))
        for _ in range(rng.randint(0, 4)):
            options = self._commands[name] or ["--help"]
            arguments.append(rng.choice(options) if rng.random() < 0.95 else "--surprise")
            if rng.random() < 0.7:
                arguments.append(
                    rng.choice((*_VALUES, *_FILES, "out", "out.svg", "out.conllu", "folder/out.hw"))
                )
        if name in _QUICK:
            arguments += _QUICK[name]
        return json.dumps(arguments).encode()

    def attack(self, data: bytes) -> Outcome:
        arguments = [str(argument) for argument in json.loads(data)]
        work = self._home / "work"
        self._prepare(work)
        before = {path.name: path.read_bytes() for path in work.iterdir() if path.is_file()}
        with _running_in(work, arguments) as (out, err):
            code = run(arguments)
        if code not in (0, 1, 2):
            raise BrokenPromiseError(f"exit code {code}")
        if code and not err.getvalue() and not out.getvalue():
            raise BrokenPromiseError("failed, and said nothing")
        if set("\x1b\x07\x9b") & set(err.getvalue()):
            raise BrokenPromiseError("a control character reached standard error")
        if any(path.name.endswith((".unfinished", ".partial")) for path in work.rglob("*")):
            raise BrokenPromiseError("a half file was left")
        if code:
            changed = [
                n for n, body in before.items() if not (work / n).exists() or (work / n).read_bytes() != body
            ]
            if changed and "calibrate" not in arguments:
                raise BrokenPromiseError(f"failed, and changed {changed}")
        return "refused" if code else "accepted"

    def _prepare(self, work: Path) -> None:
        shutil.rmtree(work, ignore_errors=True)
        (work / "folder").mkdir(parents=True)
        treebank = (FIXTURES / "models" / "format-1-first.conllu").read_bytes()[:4000]
        whole = treebank[: treebank.rindex(b"\n\n") + 2]
        (work / "toy.conllu").write_bytes(whole)
        (work / "cut.conllu").write_bytes(whole[:-20])
        for name in ("nasty.conllu", "old.conll"):
            shutil.copy(FIXTURES / name, work / name)
        model = (FIXTURES / "models" / "format-1-first.hw").read_bytes()
        (work / "model.hw").write_bytes(model)
        (work / "cut.hw").write_bytes(model[:5000])
        (work / "empty").write_bytes(b"")
        (work / "noise").write_bytes(random.Random(1).randbytes(3000))


@contextlib.contextmanager
def _running_in(folder: Path, arguments: list[str]) -> Iterator[tuple[io.StringIO, io.StringIO]]:
    """Other standard streams, another folder, other arguments; as `headwise` would have them."""
    old = sys.argv, sys.stdin, sys.stdout, sys.stderr, os.getcwd()
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    shown = io.StringIO()
    try:
        os.chdir(folder)
        sys.argv = ["headwise", *arguments]
        sys.stdin = io.TextIOWrapper(io.BytesIO((folder / "toy.conllu").read_bytes()))
        sys.stdout, sys.stderr = out, err
        yield shown, err
    finally:
        with contextlib.suppress(ValueError):
            out.flush()
        shown.write(out.buffer.getvalue().decode(errors="replace")) if not out.closed else None  # type: ignore[attr-defined]
        sys.argv, sys.stdin, sys.stdout, sys.stderr = old[:4]
        os.chdir(old[4])
