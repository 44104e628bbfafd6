"""The commands that write, as processes that can be killed, and what each of them writes."""

from __future__ import annotations

import subprocess
from pathlib import Path

from attack.processes import WRITERS

from corpus_runs import COMMAND

__all__ = ["COMMAND", "WRITERS", "finish", "start"]


def start(folder: Path, *arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Its exit code, and what it said."""
    _, errors = process.communicate(timeout=600)
    return process.returncode, errors.decode()
