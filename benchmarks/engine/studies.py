"""Studies: tasks with names, at a scale, and the tables and plots that are made of their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from benchmarks.engine.markdown import Row
from benchmarks.engine.plots import Plot
from benchmarks.engine.tasks import Document, Kept, Result, Task


@dataclass(frozen=True)
class Scale:
    """How much of everything; what is measured at one scale is never taken for the other."""

    name: str
    sentences: int | None
    """To train on, drawn at random; None: all, or what a study says."""
    measured: int | None
    """To measure on, the first; None: all."""
    epochs: int | None
    """None: the usual, or what a study says."""
    text_words: int | None
    """Of raw text, for clusters and vectors; None: all."""
    clusters: int
    treebanks: int
    """Of those that a table has, the first so many."""

    @property
    def is_full(self) -> bool:
        return self.name == "full"


QUICK = Scale("quick", 1000, 300, 4, 300_000, 60, 2)
FULL = Scale("full", None, None, None, None, 1000, 10)
SCALES = {scale.name: scale for scale in (FULL, QUICK)}


class NotMeasuredError(Exception):
    """A task that has no result yet."""


class Found:
    """The results of tasks, by the names that a study gave them."""

    def __init__(self, tasks: Mapping[str, Task], kept: Kept) -> None:
        self._tasks, self._kept = tasks, kept
        self.used: dict[str, Task] = {}

    def document(self, name: str) -> Document | None:
        document = self._kept.get(self._tasks[name])
        if document is not None:
            self.used[name] = self._tasks[name]
        return document

    def get(self, name: str) -> Result | None:
        document = self.document(name) if name in self._tasks else None
        return None if document is None else document.result

    def __getitem__(self, name: str) -> Result:
        if (result := self.get(name)) is None:
            raise NotMeasuredError(name)
        return result

    def named(self, prefix: str) -> dict[str, Result]:
        """All results whose names begin so, by what follows."""
        names = [name for name in self._tasks if name.startswith(prefix)]
        if not names:
            raise NotMeasuredError(prefix)
        return {name.removeprefix(prefix): self[name] for name in names}

    def __iter__(self) -> Iterator[str]:
        return iter(self._tasks)

    def __contains__(self, name: str) -> bool:
        return name in self._tasks

    @property
    def commits(self) -> list[str]:
        """Of what was used, the most frequent first."""
        commits = [d.commit for task in self.used.values() if (d := self._kept.get(task)) is not None]
        return sorted(set(commits), key=lambda commit: (-commits.count(commit), commit))

    @property
    def is_older(self) -> bool:
        return any(map(self._kept.is_older, self.used.values()))


@dataclass(frozen=True)
class Study:
    """What one run answers; ``tables`` are by the names of their markers in the pages."""

    name: str
    question: str
    tasks: Callable[[Scale], Mapping[str, Task]]
    tables: Mapping[str, Callable[[Found], list[Row]]] = field(default_factory=dict)
    plots: Mapping[str, Callable[[Found], Plot]] = field(default_factory=dict)
    """By the names of their files in docs/figures."""
    padded: bool = True
    """Whether columns of tables are as wide as their cells; else lines change only with their figures."""

    def found(self, kept: Kept, scale: Scale = FULL) -> Found:
        return Found(self.tasks(scale), kept)
