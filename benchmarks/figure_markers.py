"""Tables of figures in README and docs: invisible comments say which command makes them, and when it did.

    <!-- figures orders-french
    command: python benchmarks/orders.py UD_French
    commit: 75a1092
    depends: native/trees src/headwise/learning
    -->
    | … |
    <!-- /figures -->

`commit` is what was measured, or a JSON file whose cells each have their own. `depends` is the code that the
figures are about: when it has changed since, they are older than the code.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]

_MARKED = re.compile(
    r"<!-- figures (?P<name>[\w-]+)\n(?P<facts>.*?)-->\n(?P<table>.*?)<!-- /figures -->", re.DOTALL
)
_FACTS = {"command", "commit", "depends"}


class MarkerError(Exception):
    """A marker that does not say what it should."""


@dataclass(frozen=True)
class Figures:
    """A table in a page, and where it comes from."""

    name: str
    page: Path
    line: int
    command: str
    commit: str
    depends: tuple[str, ...]
    table: str

    @property
    def commits(self) -> dict[str, str]:
        """The commits that were measured, by what was measured at them ("" for all of it)."""
        if not self.commit.endswith(".json"):
            return {"": self.commit}
        cells = json.loads((REPOSITORY / self.commit).read_text(encoding="utf-8"))["cells"]
        return {f"{cell['treebank']} {cell['column']}": cell["commit"] for cell in cells}


def pages() -> list[Path]:
    return [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]


def figures_of(page: Path) -> Iterator[Figures]:
    """The marked tables of a page."""
    text = page.read_text(encoding="utf-8")
    for found in _MARKED.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        facts = dict(row.partition(": ")[::2] for row in found["facts"].strip().splitlines())
        if set(facts) != _FACTS:
            raise MarkerError(f"{page}:{line}: figures {found['name']} must say {', '.join(sorted(_FACTS))}")
        depends = tuple(facts["depends"].split())
        yield Figures(found["name"], page, line, facts["command"], facts["commit"], depends, found["table"])


def all_figures() -> dict[str, Figures]:
    found: dict[str, Figures] = {}
    for page in pages():
        for figures in figures_of(page):
            if figures.name in found:
                raise MarkerError(f"{page}:{figures.line}: there are two figures called {figures.name}")
            found[figures.name] = figures
    return found


def replaced(figures: Figures, table: str, commit: str) -> None:
    """Writes a new table and the commit that was measured into the page."""
    text = figures.page.read_text(encoding="utf-8")
    for found in _MARKED.finditer(text):
        if found["name"] == figures.name:
            facts = re.sub(r"^commit: .*$", f"commit: {commit}", found["facts"], flags=re.MULTILINE)
            new = f"<!-- figures {figures.name}\n{facts}-->\n{table.strip()}\n<!-- /figures -->"
            text = text[: found.start()] + new + text[found.end() :]
            break
    figures.page.write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Age:
    """How many commits have changed what figures depend on; None where that cannot be known."""

    what: str
    commit: str
    changes: int | None

    def __str__(self) -> str:
        of = f"{self.what}: " if self.what else ""
        if self.changes is None:
            return f"{of}measured at {self.commit}, which this repository does not have"
        if not self.changes:
            return f"{of}up to date ({self.commit})"
        commits = "one commit has" if self.changes == 1 else f"{self.changes} commits have"
        return f"{of}older: {commits} changed the code since {self.commit}"


def ages(figures: Figures, repository: Path = REPOSITORY) -> list[Age]:
    """How old each part of the figures is."""
    known: dict[str, int | None] = {}
    for commit in figures.commits.values():
        if commit not in known:
            known[commit] = changes_since(commit, figures.depends, repository)
    return [Age(what, commit, known[commit]) for what, commit in figures.commits.items()]


def changes_since(commit: str, paths: tuple[str, ...], repository: Path) -> int | None:
    """How many commits have changed these paths since; changes that are not committed count as one."""
    counted = _git(repository, "rev-list", "--count", "--no-merges", f"{commit}..HEAD", "--", *paths)
    if counted is None:
        return None
    return int(counted) + bool(_git(repository, "status", "--porcelain", "--", *paths))


def head(repository: Path = REPOSITORY) -> str:
    return (_git(repository, "rev-parse", "--short", "HEAD") or "unknown").strip()


def _git(repository: Path, *arguments: str) -> str | None:
    """What git says; None where there is no git, no repository or no such commit."""
    try:
        done = subprocess.run(
            ["git", "-C", str(repository), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout
