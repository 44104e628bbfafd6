"""Tasks: what is measured, with which settings; their results are kept, and not measured twice."""

from __future__ import annotations

import hashlib
import importlib
import json
import multiprocessing
import os
import subprocess
import traceback
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiment import cpu_seconds, note
from figure_markers import REPOSITORY, head

Result = dict[str, Any]


@dataclass(frozen=True)
class Scale:
    """How much of everything: a night's worth, or half an hour's."""

    name: str
    sentences: int | None
    """To train on, drawn at random; None: all."""
    measured: int | None
    """To measure on, the first; None: all."""
    epochs: int
    text_words: int | None
    """Of raw text, for clusters and vectors; None: all."""
    clusters: int
    treebanks: int
    """Of those that a table has, the first so many."""


QUICK = Scale("quick", 1000, 300, 4, 300_000, 60, 2)
FULL = Scale("full", None, None, 10, None, 1000, 10)


class Task:
    """A function, by its module and name, and what it is called with: numbers, strings, lists, mappings."""

    def __init__(self, work: str, **arguments: Any) -> None:
        self.work, self.arguments = work, arguments

    @property
    def text(self) -> str:
        return json.dumps([self.work, self.arguments], sort_keys=True)

    @property
    def key(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:20]

    def run(self) -> Result:
        module, _, name = self.work.partition(":")
        result: Result = getattr(importlib.import_module(f"papers.{module}"), name)(**self.arguments)
        return result


class NotMeasuredError(Exception):
    """A task that has no result yet."""


@dataclass(frozen=True)
class Kept:
    """Results in a folder, each with the program that it was measured with."""

    folder: Path
    program: str
    older: bool = False
    """Whether results of other programs will do."""

    def get(self, task: Task) -> dict[str, Any] | None:
        path = self.folder / f"{task.key}.json"
        if not path.exists():
            return None
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return kept if self.older or kept["program"] == self.program else None

    def put(self, task: Task, result: Result, seconds: float) -> None:
        document = {
            "task": json.loads(task.text),
            "program": self.program,
            "commit": head(),
            "cpu_seconds": round(seconds, 1),
            "result": result,
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{task.key}.json"
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(document), encoding="utf-8")
        part.replace(path)


def program() -> str:
    """What results depend on beside their settings: the package and the native core, as they are."""
    parts = ("src", "native")

    def git(*arguments: str) -> bytes:
        return subprocess.run(
            ["git", "-C", str(REPOSITORY), *arguments], capture_output=True, check=True
        ).stdout

    trees = git("rev-parse", *(f"HEAD:{part}" for part in parts))
    return hashlib.sha256(trees + git("diff", "HEAD", "--", *parts)).hexdigest()[:12]


def run_all(tasks: Iterable[Task], kept: Kept, processes: int) -> list[str]:
    """Run what has no result yet; what failed comes back as text, and the rest goes on without it."""
    waiting = {task.key: task for task in tasks if kept.get(task) is None}
    note(f"{len(waiting)} tasks to run")
    if not waiting:
        return []
    failed = []
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, spawn) as pool:
        running = {
            pool.submit(_run_and_keep, task.work, task.arguments, kept): task for task in waiting.values()
        }
        for number, done in enumerate(as_completed(running), 1):
            task = running[done]
            told = done.result()
            note(f"{number} of {len(waiting)}: {told.splitlines()[-1]}  {task.text[:150]}")
            if not told.startswith("done"):
                failed.append(f"{task.text}\n{told}")
    return failed


def _run_and_keep(work: str, arguments: Mapping[str, Any], kept: Kept) -> str:
    task = Task(work, **arguments)
    try:
        result, seconds = cpu_seconds(task.run)
    except Exception:
        return traceback.format_exc()
    kept.put(task, result, seconds)
    return f"done in {seconds:.0f} s"


class Found:
    """The results of a paper's tasks, by the names that it gave them."""

    def __init__(self, tasks: Mapping[str, Task], kept: Kept) -> None:
        self._tasks, self._kept = tasks, kept
        self.commits: set[str] = set()

    def __getitem__(self, name: str) -> Result:
        document = self._kept.get(self._tasks[name])
        if document is None:
            raise NotMeasuredError(name)
        self.commits.add(document["commit"])
        result: Result = document["result"]
        return result

    def named(self, prefix: str) -> dict[str, Result]:
        """All results whose names begin so, by what follows."""
        names = [name for name in self._tasks if name.startswith(prefix)]
        if not names:
            raise NotMeasuredError(prefix)
        return {name.removeprefix(prefix): self[name] for name in names}

    def __contains__(self, name: str) -> bool:
        return name in self._tasks
