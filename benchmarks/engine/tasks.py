"""Tasks: a function by its name and what it is called with; their results, each kept in a small file."""

from __future__ import annotations

import base64
import hashlib
import importlib
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engine.code import PARSING, Paths, is_older

RESULTS = Path(__file__).parents[1] / "results"
Result = dict[str, Any]


class Task:
    """``work`` is ``MODULE:FUNCTION`` below ``benchmarks``; arguments are numbers, strings, lists, mappings.

    The key is of both: who measures in another way says so by another name or another argument.
    """

    def __init__(self, work: str, depends: Paths = PARSING, needs: str = "", **arguments: Any) -> None:
        self.work, self.arguments = work, arguments
        self.depends = depends
        """The code that its figures are about."""
        self.needs = needs
        """A module that not every machine has, or "a GPU"."""

    @property
    def text(self) -> str:
        return json.dumps([self.work, self.arguments], sort_keys=True)

    @property
    def key(self) -> str:
        digest = hashlib.sha256(self.text.encode()).hexdigest()[:16]
        return f"{self.work.replace(':', '.')}-{digest}"

    def run(self) -> Result:
        module, _, name = self.work.partition(":")
        result: Result = getattr(importlib.import_module(f"benchmarks.{module}"), name)(**self.arguments)
        return result


@dataclass(frozen=True)
class Document:
    """A result, and what it was measured with."""

    result: Result
    commit: str
    date: str
    machine: str
    seconds: float
    cpu_seconds: float
    """Of the whole task."""
    peak_megabytes: float


@dataclass(frozen=True)
class Kept:
    """Results in a folder, a file for each task."""

    folder: Path = RESULTS

    def path(self, task: Task) -> Path:
        return self.folder / f"{task.key}.json"

    def get(self, task: Task) -> Document | None:
        path = self.path(task)
        return _read(path)[1] if path.exists() else None

    def put(self, task: Task, document: Document) -> None:
        facts = {name: value for name, value in vars(document).items() if name != "result"}
        content = {"task": json.loads(task.text), **facts, "result": packed(document.result)}
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.path(task)
        part = path.with_suffix(f".{os.getpid()}.part")
        lines = (f"{json.dumps(n)}: {json.dumps(own, ensure_ascii=False)}" for n, own in content.items())
        part.write_text("{" + ",\n ".join(lines) + "}\n", encoding="utf-8")
        part.replace(path)

    def all(self) -> Iterator[tuple[str, Document]]:
        """By the work that was done."""
        for path in sorted(self.folder.glob("*.json")):
            yield _read(path)

    def is_older(self, task: Task) -> bool:
        document = self.get(task)
        return document is not None and is_older(document.commit, task.depends) is not False


def _read(path: Path) -> tuple[str, Document]:
    content = json.loads(path.read_text(encoding="utf-8"))
    (work, _), result = content.pop("task"), unpacked(content.pop("result"))
    return work, Document(result, **content)


LONG = 24
"""Lists of more numbers are packed."""
TYPES = {"bools": "?", "ints": "<i4", "floats": "<f8"}


def packed(value: Any) -> Any:
    """With its long lists of numbers as text; the figures stay legible."""
    if isinstance(value, dict):
        return {str(name): packed(own) for name, own in value.items()}
    if not isinstance(value, list | tuple):
        return value
    kinds = {type(item) for item in value}
    name = {bool: "bools", int: "ints", float: "floats"}.get(next(iter(kinds), type(None)))
    if len(value) <= LONG or len(kinds) > 1 or name is None:
        return [packed(item) for item in value]
    if name == "ints" and max(map(abs, value)) >= 2**31:
        return list(value)
    content = zlib.compress(np.array(value, TYPES[name]).tobytes(), 9)
    return {f"packed {name}": base64.b85encode(content).decode()}


def unpacked(value: Any) -> Any:
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (name, content), kind = next(iter(value.items())), next(iter(value)).removeprefix("packed ")
        if name.startswith("packed "):
            return np.frombuffer(zlib.decompress(base64.b85decode(content)), TYPES[kind]).tolist()
    return {name: unpacked(own) for name, own in value.items()}
