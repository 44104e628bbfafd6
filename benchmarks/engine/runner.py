"""Runs tasks, so many at a time, until all have a result or somebody stops it; what is done is kept."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean

from benchmarks.engine.code import REPOSITORY
from benchmarks.engine.tasks import Kept, Task
from benchmarks.engine.worker import THREADS, order

LOGS = REPOSITORY / "build" / "benchmarks" / "logs"


def note(text: str) -> None:
    """Progress, kept apart from what is printed on standard output."""
    print(text, file=sys.stderr, flush=True)


def can_run(task: Task) -> bool:
    """Whether this machine has what the task needs."""
    if task.needs == "a GPU":
        if find_spec("torch") is None:
            return False
        import torch

        return bool(torch.cuda.is_available())
    parents = task.needs.split(".")[:-1]
    return not task.needs or (all(map(find_spec, parents)) and find_spec(task.needs) is not None)


@dataclass
class Runner:
    """``workers`` tasks at a time, each with so many threads, at a low priority if ``nice`` says so."""

    kept: Kept
    workers: int = 1
    threads: int = 1
    nice: int = 0
    logs: Path = LOGS
    failed: list[str] = field(default_factory=list)

    def run(self, tasks: Mapping[str, Task]) -> None:
        """Tasks by name; where several names have one task it is run once."""
        waiting = list({task.key: (name, task) for name, task in tasks.items()}.values())
        usual, total, started = self.usual_seconds(), len(waiting), time.perf_counter()
        running: dict[subprocess.Popen[bytes], tuple[str, Task, float]] = {}
        done = 0
        try:
            while waiting or running:
                while waiting and len(running) < self.workers:
                    name, task = waiting.pop(0)
                    running[self._start(task)] = name, task, time.perf_counter()
                time.sleep(0.05)
                for process in [one for one in running if one.poll() is not None]:
                    name, task, began = running.pop(process)
                    done += 1
                    said = self._ended(process, name, task, time.perf_counter() - began, usual)
                    rest = [t for _, t in waiting] + [t for _, t, _ in running.values()]
                    left = self.estimate(rest, usual, (time.perf_counter() - started) / done)
                    note(f"{done} of {total}: {name} {said}{left}")
        finally:  # also on Ctrl-C: what runs is not kept, what is done is
            for process in running:
                process.kill()
                process.wait()

    def _start(self, task: Task) -> subprocess.Popen[bytes]:
        self.logs.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, THREADS: str(self.threads), "PYTHONPATH": os.pathsep.join(python_path())}
        command = [sys.executable, "-m", "benchmarks.engine.worker", order(task, self.kept)]
        if self.nice:
            command = ["nice", "-n", str(self.nice), *command]
        with self._log(task).open("wb") as log:
            # A session of its own: Ctrl-C comes to us, and we end it.
            return subprocess.Popen(
                command, cwd=REPOSITORY, env=environment, stdout=log, stderr=log, start_new_session=True
            )

    def _log(self, task: Task) -> Path:
        return self.logs / f"{task.key}.log"

    def _ended(
        self, process: subprocess.Popen[bytes], name: str, task: Task, seconds: float, usual: dict[str, float]
    ) -> str:
        if process.returncode == 0:
            usual.setdefault(task.work, seconds)
            return f"done in {shown_time(seconds)}"
        lines = self._log(task).read_text(encoding="utf-8", errors="replace").strip().splitlines()
        self.failed.append(f"{name}: {lines[-1] if lines else process.returncode} ({self._log(task)})")
        return "FAILED"

    def usual_seconds(self) -> dict[str, float]:
        """What a task of each kind has taken before, on average."""
        found: dict[str, list[float]] = {}
        for work, document in self.kept.all():
            found.setdefault(work, []).append(document.seconds)
        return {work: fmean(seconds) for work, seconds in found.items() if any(seconds)}

    def estimate(self, rest: list[Task], usual: Mapping[str, float], otherwise: float) -> str:
        """How long the rest will take: as before what was kept, or as the other tasks of its kind."""
        if not rest:
            return ""
        earlier = [self.kept.get(task) for task in rest]
        seconds = [
            document.seconds if document and document.seconds else usual.get(task.work, otherwise)
            for task, document in zip(rest, earlier, strict=True)
        ]
        return f"; about {shown_time(sum(seconds) / self.workers)} left"


def python_path() -> list[str]:
    """For processes: this repository, and the package that this process runs with."""
    import headwise

    package = str(Path(headwise.__file__).parents[1])
    return list(
        dict.fromkeys(
            [str(REPOSITORY), package, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
        )
    )


def shown_time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
