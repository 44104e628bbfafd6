"""Tables of figures in README, docs and cards: comments that nobody sees say where each comes from.

    <!-- figures learners-uas
    command: python -m benchmarks run learners
    commit: 505779c
    depends: native/trees src/headwise/learning
    -->
    | … |
    <!-- /figures -->

`commit` is what was measured; when the paths under `depends` have changed since, a line below the table says
that it is older. A command that needs another machine says so at its end: "(on a GPU)". Tables that were
printed by earlier programs have no kept result; they stay as they are until their command is run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.engine.code import REPOSITORY, is_older

_MARKED = re.compile(
    r"<!-- figures (?P<name>[\w-]+)\n(?P<facts>.*?)-->\n(?P<table>.*?)<!-- /figures -->", re.DOTALL
)
_FACTS = ["command", "commit", "depends"]
_AGE = re.compile(r"\n\*Older than the code: measured at `[^`]*`\.\*\n")


class MarkerError(Exception):
    """A marker that does not say what it should."""


@dataclass(frozen=True)
class Figures:
    """A table in a page, and where it comes from."""

    name: str
    command: str
    commit: str
    depends: tuple[str, ...]
    table: str
    page: Path = REPOSITORY / "README.md"
    line: int = 1

    @property
    def is_older(self) -> bool | None:
        return is_older(self.commit, self.depends)

    def to_markdown(self) -> str:
        """Between its marks, and with its age."""
        facts = f"command: {self.command}\ncommit: {self.commit}\ndepends: {' '.join(self.depends)}"
        age = f"\n*Older than the code: measured at `{self.commit}`.*\n" if self.is_older else ""
        return f"<!-- figures {self.name}\n{facts}\n-->\n{self.table.strip()}\n{age}<!-- /figures -->"


def pages() -> list[Path]:
    cards = (REPOSITORY / "src/headwise/model/bundled").glob("*.md")
    return [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md")), *sorted(cards)]


def figures_of(page: Path) -> Iterator[Figures]:
    """The marked tables of a page."""
    text = page.read_text(encoding="utf-8")
    for found in _MARKED.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        facts = dict(row.partition(": ")[::2] for row in found["facts"].strip().splitlines())
        if list(facts) != _FACTS:
            raise MarkerError(f"{page}:{line}: figures {found['name']} must say {', '.join(_FACTS)}")
        table, depends = _AGE.sub("", found["table"]), tuple(facts["depends"].split())
        yield Figures(found["name"], facts["command"], facts["commit"], depends, table, page, line)


def all_figures() -> dict[str, Figures]:
    found: dict[str, Figures] = {}
    for page in pages():
        for figures in figures_of(page):
            if figures.name in found:
                raise MarkerError(f"{page}:{figures.line}: there are two figures called {figures.name}")
            found[figures.name] = figures
    return found


def write_figures(page: Path, new: Mapping[str, Figures], commands: Mapping[str, str]) -> bool:
    """Replace tables of a page, and say of all whether they are older; whether anything changed.

    Of a table that has no kept result the command alone is written.
    """

    def written(found: re.Match[str]) -> str:
        name = found["name"]
        if name in new:
            return new[name].to_markdown()
        elsewhere = re.search(r" \(on [^)]+\)$", known[name].command)
        command = (
            f"{commands[name]}{elsewhere[0] if elsewhere else ''}"
            if name in commands
            else known[name].command
        )
        return replace(known[name], command=command).to_markdown()

    before = page.read_text(encoding="utf-8")
    known = {figures.name: figures for figures in figures_of(page)}
    after = _MARKED.sub(written, before)
    if after != before:
        page.write_text(after, encoding="utf-8")
    return after != before
