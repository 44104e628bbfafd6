"""Steps whose results are kept, so that a build goes on where it was and never does the same thing twice."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

KEY = "key.json"


@dataclass(frozen=True)
class Kept:
    """The result of a step."""

    folder: Path
    key: str
    """What it was made of, in short; it is an input of the steps that read it."""


@dataclass(frozen=True)
class Steps:
    """The steps of one build, each a folder of its own."""

    folder: Path
    say: Callable[[str], None]

    def kept(self, name: str, inputs: Mapping[str, Any], make: Callable[[Path], None]) -> Kept:
        """The result of a step; made where there is none of these inputs.

        ``make`` gets a folder to write to. Where an earlier attempt with the same inputs was broken off, that
        is the folder it had, with whatever it left there to go on from.
        """
        facts = json.dumps(inputs, sort_keys=True, indent=1)
        key = hashlib.sha256(facts.encode()).hexdigest()[:16]
        finished, unfinished = self.folder / name, self.folder / f"{name}.unfinished"
        if _facts(finished) == facts:
            return Kept(finished, key)
        if _facts(unfinished) != facts:
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir(parents=True)
            (unfinished / KEY).write_text(facts, encoding="utf-8")
        self.say(f"{self.folder.name}: {name}")
        make(unfinished)
        shutil.rmtree(finished, ignore_errors=True)
        unfinished.rename(finished)
        return Kept(finished, key)

    def done(self) -> list[str]:
        """The names of the steps that have a result, in the order they were made in."""
        folders = [path.parent for path in self.folder.glob(f"*/{KEY}") if path.parent.suffix == ""]
        return [folder.name for folder in sorted(folders, key=lambda folder: folder.stat().st_mtime_ns)]


def _facts(folder: Path) -> str | None:
    file = folder / KEY
    return file.read_text(encoding="utf-8") if file.exists() else None


@cache
def file_digest(path: Path) -> str:
    """What a file holds, in short."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
