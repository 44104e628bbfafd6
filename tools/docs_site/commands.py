"""The page about the commands, from their own help."""

from __future__ import annotations

import os
import re
import subprocess
import sys

WIDTH = "88"
"""Columns of the help texts: what a page has room for."""
ALL = "--help-all"
"""Of commands with options that --help does not show."""

_CALLS = """
import os, sys
import headwise.cli
for arguments in sys.argv[1:]:
    sys.stdout.flush()
    if os.fork() == 0:
        sys.argv = ["headwise", *arguments.split()]
        headwise.cli.main()
    os.wait()
    print(end="\\0")
"""
"""Several calls from one process that has imported what all of them need."""


def commands_page() -> str:
    """Every command with what it says about itself."""
    (about,) = helps([""])
    names = _with_groups(command_names(about))
    parts = [
        "# Commands\n\nWhat `headwise COMMAND --help` says, command by command. Commands read standard input"
        " and write standard output where no file is named, and read `.gz` and `.xz` files as they are. They"
        " end with 0 when all went well, 1 when the input was bad, and 2 when the call was wrong.\n\n"
        "[The command line](../command-line.md) says how a shell completes what is typed.\n",
        f"```text\n{unframed(about)}```\n",
    ]
    for name, text in zip(names, helps(names), strict=True):
        parts.append(f"## headwise {name}\n\n```text\n{unframed(text)}```\n")
    return "\n".join(parts)


def _with_groups(names: list[str]) -> list[str]:
    """The commands, and those of commands that are groups of them."""
    found = []
    for name, text in zip(names, helps(names), strict=True):
        inside = command_names(text) if "COMMAND ..." in text else []
        found += [name, *(f"{name} {one}" for one in inside)]
    return found


def command_names(about: str) -> list[str]:
    """The commands that the help of all lists."""
    return re.findall(r"^│ ([a-z][a-z-]*) {2,}\S", about, re.MULTILINE)


def helps(commands: list[str]) -> list[str]:
    """All of the help texts of these commands, without colours; "" is for the program itself."""
    texts = _run([f"{command} --help" for command in commands])
    hidden = [number for number, text in enumerate(texts) if ALL in text]
    for number, text in zip(hidden, _run([f"{commands[n]} {ALL}" for n in hidden]), strict=True):
        texts[number] = text
    return texts


def _run(calls: list[str]) -> list[str]:
    environment = {**os.environ, "COLUMNS": WIDTH, "TERMINAL_WIDTH": WIDTH, "NO_COLOR": "1", "TERM": "dumb"}
    if not calls:
        return []
    done = subprocess.run(
        [sys.executable, "-c", _CALLS, *calls],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    return done.stdout.split("\0")[:-1]


def unframed(text: str) -> str:
    """Help without the frames around its sections."""
    lines = []
    for line in text.strip("\n").splitlines():
        if title := re.match(r"╭─ (.*?) ─*╮", line):
            lines += ["", f"{title[1]}:"]
        elif not line.startswith("╰"):
            lines.append(re.sub(r"^│(.*)│$", r" \1", line).rstrip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines).strip("\n")) + "\n"
