"""One task in a process of its own, so that nothing of another one is in memory: caches, models, peaks."""

from __future__ import annotations

import datetime
import json
import os
import platform
import resource
import sys
import time
from pathlib import Path

import headwise
from benchmarks.engine.code import measured_commit
from benchmarks.engine.tasks import Document, Kept, Task

THREADS = "HEADWISE_BENCHMARK_THREADS"


def main(order: str) -> None:
    """``order`` says in JSON what is to be run and where its result is kept."""
    told = json.loads(order)
    task = Task(told["work"], tuple(told["depends"]), **told["arguments"])
    commit, started = measured_commit(task.depends), time.perf_counter()
    result = task.run()
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    document = Document(
        result,
        commit,
        datetime.date.today().isoformat(),
        machine(),
        round(time.perf_counter() - started, 1),
        round(sum(usage.ru_utime + usage.ru_stime for usage in usages), 1),
        round(max(usage.ru_maxrss for usage in usages) / 1024, 1),
    )
    Kept(Path(told["folder"])).put(task, document)


def order(task: Task, kept: Kept) -> str:
    told = {
        "work": task.work,
        "arguments": task.arguments,
        "depends": task.depends,
        "folder": str(kept.folder),
    }
    return json.dumps(told)


def threads() -> int:
    """Of training, which gives the same model with any number; speeds are always of one."""
    return int(os.environ.get(THREADS, "1"))


def machine() -> str:
    """The program and the machine, in a line."""
    python = f"Headwise {headwise.__version__}, Python {platform.python_version()}"
    return f"{python}, {_processor()}, {os.cpu_count()} cores"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:  # not Linux
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    main(sys.argv[1])
