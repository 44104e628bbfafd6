"""The page about the commands, from their own help."""

from __future__ import annotations

import re

NARROW = "100"
"""Columns of the help texts: what a page has room for."""


def commands_page() -> str:
    """Every command with what it says about itself."""
    names, about = commands()
    parts = [
        "# Commands\n\nWhat `headwise COMMAND --help` says, command by command. Commands read standard input"
        " and write standard output where no file is named, and read `.gz` and `.xz` files as they are. They"
        " end with 0 when all went well, 1 when the input was bad, and 2 when the call was wrong.\n",
        f"```text\n{about}```\n",
    ]
    for name in names:
        parts.append(f"## headwise {name}\n\n```text\n{help_of([name])}```\n")
    return "\n".join(parts)


def commands() -> tuple[list[str], str]:
    """The names of all commands, and the help that lists them."""
    about = help_of([])
    listing = about.partition("Commands")[2]
    names = re.findall(r"^[│\s]{1,4}([a-z][a-z-]*)\s{2,}\S", listing, re.MULTILINE)
    return names, about


def help_of(arguments: list[str]) -> str:
    """The help text of a command, without colours and frames, as wide as a page."""
    import os
    import subprocess
    import sys

    environment = {**os.environ, "COLUMNS": NARROW, "TERMINAL_WIDTH": NARROW, "NO_COLOR": "1", "TERM": "dumb"}
    call = [sys.executable, "-c", "from headwise.cli import main; main()", *arguments, "--help"]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=True, encoding="utf-8")
    return "\n".join(line.rstrip() for line in done.stdout.strip("\n").splitlines()) + "\n"
