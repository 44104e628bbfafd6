"""Run the commands a user runs, and measure them from outside: wall and CPU seconds, peak memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Run:
    seconds: float
    cpu_seconds: float
    peak_bytes: int
    output: str


def run(arguments: list[str | Path]) -> Run:
    """Run a command to its end; its standard output comes back, its errors go to ours."""
    started = time.perf_counter()
    process = subprocess.Popen([str(a) for a in arguments], stdout=subprocess.PIPE)
    assert process.stdout is not None
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(map(str, arguments))}: exit code {process.returncode}")
    seconds = time.perf_counter() - started
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output)


def headwise(python: str | Path = sys.executable) -> list[str | Path]:
    """The command line of Headwise under some Python (of another virtual environment, for comparisons)."""
    return [python, "-c", "from headwise.cli import main; main()"]


def scores(gold: Path, system: Path, protocol: str) -> dict[str, float]:
    """UAS, LAS … of a parsed file, in percent. Always this Headwise's scorer, whoever parsed."""
    command: list[str | Path] = [*headwise(), "evaluate", gold, system, "--protocol", protocol, "--json"]
    if protocol == "ud":
        command.append("--multiple-roots")  # some treebanks have them

    measures = json.loads(run(command).output)["scores"]
    return {name: 100 * measure["f1"] for name, measure in measures.items() if measure}
