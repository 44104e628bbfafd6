"""Long runs: cases in a process of their own, which is watched and started again when it crashes or hangs."""

from __future__ import annotations

import multiprocessing
import os
import resource
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from attack.annotator import Annotator
from attack.commands import Commands
from attack.models import Models
from attack.processes import Processes
from attack.readers import Readers
from attack.recommender import Recommenders
from attack.requests import Requests
from attack.target import Target

TARGETS: dict[str, type[Target]] = {
    target.name: target
    for target in (Readers, Models, Commands, Requests, Annotator, Recommenders, Processes)
}
LOADING = 60.0
"""Processor seconds until the first case."""
MEMORY = 1 << 30
"""Bytes that the process may ever have had in memory."""
_ADDRESS_SPACE = 6 << 30


HEAD = "| | tried | |\n|---|---|---|"


@dataclass
class Report:
    """What came of a run."""

    target: str
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    failures: dict[int, str] = field(default_factory=dict)
    """By the number of the case."""
    peak: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def row(self) -> str:
        """Of a table in Markdown, whose head is `HEAD`."""
        what = "none failed" if not self.failures else f"**{len(self.failures):,} failed**"
        return (
            f"| `python tools/attack {self.target} --count {self.counts.total()} --seed {self.seed}` "
            f"| {self.counts.total():,} cases, {self.counts['accepted']:,} accepted "
            f"| {what}; at most {self.peak / 1e6:,.0f} MB and {self.slowest:.1f} s |"
        )

    def __str__(self) -> str:
        counts = ", ".join(f"{number:,} {name}" for name, number in sorted(self.counts.items()))
        lines = [
            f"{self.target}, seed {self.seed}: {self.counts.total():,} cases in {self.seconds:,.0f} s: "
            f"{counts}; "
            f"at most {self.peak / 1e6:,.0f} MB and {self.slowest:.1f} s a case"
        ]
        alike: dict[str, list[int]] = {}
        for number, what in sorted(self.failures.items()):
            alike.setdefault(_place_of(what), []).append(number)
        for numbers in alike.values():
            cases = ", ".join(map(str, numbers[:8])) + (" …" if len(numbers) > 8 else "")
            lines.append(f"{len(numbers):,} such failures: cases {cases}\n{self.failures[numbers[0]]}")
        return "\n".join(lines)


def _place_of(failure: str) -> str:
    """Where a failure happened: the last file and line of its traceback."""
    return next((line for line in reversed(failure.splitlines()) if line.startswith("  File")), failure)


def run(
    name: str, seed: int, first: int, count: int, *, seconds: float = float("inf"), keep: Path | None = None
) -> Report:
    """Cases ``first`` to ``first + count − 1`` of a seed. Failures are written to ``keep``."""
    report = Report(name, seed)
    began = time.monotonic()
    number, end = first, first + count
    while number < end and time.monotonic() - began < seconds:
        number = _in_one_process(
            name, seed, number, min(end, number + TARGETS[name].cases_a_process), report, began + seconds
        )
    report.seconds = time.monotonic() - began
    if keep is not None and report.failures:
        target = TARGETS[name]()
        keep.mkdir(parents=True, exist_ok=True)
        for number in report.failures:
            (keep / f"{seed}-{number}").write_bytes(target.case(seed, number))
    return report


def _in_one_process(name: str, seed: int, first: int, end: int, report: Report, deadline: float) -> int:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    worker = context.Process(target=_work, args=(name, seed, first, end, theirs))
    worker.start()
    theirs.close()
    number, patience = first, LOADING
    try:
        while True:
            if not _answers(ours, worker, patience):
                report.failures[number] = f"hangs: no answer after {patience:.0f} s"
                report.counts["hangs"] += 1
                return number + 1
            try:
                message: Any = ours.recv()
            except EOFError:
                worker.join()
                report.failures[number] = f"the process ended with {worker.exitcode}"
                report.counts["crashes"] += 1
                return number + 1
            if message == "ready":
                patience = TARGETS[name].patience
                continue
            number, what, took, peak = message
            report.peak, report.slowest = max(report.peak, peak), max(report.slowest, took)
            if what not in ("accepted", "refused"):
                report.failures[number] = what
                what = "failures"
            report.counts[what] += 1
            number += 1
            if peak > MEMORY:  # what follows would be blamed for it
                return number
            if number >= end or time.monotonic() > deadline:
                return number
    finally:
        worker.kill()
        worker.join()


def _answers(ours: Connection, worker: BaseProcess, patience: float) -> bool:
    """Whether an answer comes in time."""
    began, before = time.monotonic(), _processor_seconds(worker)
    while not ours.poll(min(patience, 1.0)):
        spent, waited = _processor_seconds(worker) - before, time.monotonic() - began
        if spent > patience or waited > 6 * patience:
            return False
    return True


def _processor_seconds(worker: BaseProcess) -> float:
    """What a process has used so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{worker.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _work(name: str, seed: int, first: int, end: int, answers: Any) -> None:
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    target = TARGETS[name]()
    answers.send("ready")
    for number in range(first, end):
        data = target.case(seed, number)
        began = time.monotonic()
        what = outcome(target, data)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        if peak > MEMORY:
            what = f"memory: {peak:,} bytes"
        answers.send((number, what, time.monotonic() - began, peak))


def outcome(target: Target, data: bytes) -> str:
    """``accepted``, ``refused``, or what went wrong."""
    try:
        return target.attack(data)
    except Exception:
        return traceback.format_exc(limit=-6)
