"""Tables of figures in README and docs: invisible comments say which command makes them, and when it did.

    <!-- figures orders-french
    command: python benchmarks/orders.py UD_French
    table: orders of factorization
    commit: 75a1092
    depends: native/trees src/headwise/training
    -->
    | … |
    <!-- /figures -->

`table`, which may be left out, is words of the title of the table among those that the command prints.
`commit` is what was measured, or a JSON file whose cells each have their own. `depends` is the code that the
figures are about: when it has changed since, they are older than the code. A command that needs another
machine says so at its end: "(on a GPU)".
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import preset_figures

REPOSITORY = Path(__file__).parents[1]

_MARKED = re.compile(
    r"<!-- figures (?P<name>[\w-]+)\n(?P<facts>.*?)-->\n(?P<table>.*?)<!-- /figures -->", re.DOTALL
)
_FACTS = {"command", "commit", "depends"}
_MAY_SAY = {"table"}
_ELSEWHERE = re.compile(r" \((?P<where>on [^)]+)\)$")


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
    title: str = ""
    """Words of the title of the table that the command prints."""

    @property
    def where(self) -> str:
        """The machine that the command needs, "on a GPU"; empty where any will do."""
        found = _ELSEWHERE.search(self.command)
        return found["where"] if found else ""

    @property
    def words(self) -> list[str]:
        """The command, to be run."""
        return shlex.split(_ELSEWHERE.sub("", self.command))

    @property
    def commits(self) -> dict[str, str]:
        """The commits that were measured, by what was measured at them ("" for all of it)."""
        if not self.commit.endswith(".json"):
            return {"": self.commit}
        cells = preset_figures.TABLES[self.name].cells(preset_figures.load(REPOSITORY / self.commit))
        return {f"{treebank} {column}": cell["commit"] for (treebank, column), cell in cells.items()}


def pages() -> list[Path]:
    return [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]


def figures_of(page: Path) -> Iterator[Figures]:
    """The marked tables of a page."""
    text = page.read_text(encoding="utf-8")
    for found in _MARKED.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        facts = dict(row.partition(": ")[::2] for row in found["facts"].strip().splitlines())
        if set(facts) - _MAY_SAY != _FACTS:
            raise MarkerError(f"{page}:{line}: figures {found['name']} must say {', '.join(sorted(_FACTS))}")
        depends, title = tuple(facts["depends"].split()), facts.get("table", "")
        yield Figures(
            found["name"], page, line, facts["command"], facts["commit"], depends, found["table"], title
        )


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


def summarized(parts: list[Age]) -> list[Age]:
    """Parts that were measured at one commit, together."""
    by_commit: dict[tuple[str, int | None], list[str]] = {}
    for age in parts:
        by_commit.setdefault((age.commit, age.changes), []).append(age.what)
    return [
        Age(what[0] if len(what) == 1 else f"{len(what)} cells", *measured)
        for measured, what in by_commit.items()
    ]


def changes_since(commit: str, paths: tuple[str, ...], repository: Path) -> int | None:
    """How many commits have changed these paths since; changes that are not committed count as one."""
    counted = _git(repository, "rev-list", "--count", "--no-merges", f"{commit}..HEAD", "--", *paths)
    if counted is None:
        return None
    return int(counted) + bool(uncommitted(paths, repository))


def last_change(paths: tuple[str, ...], repository: Path = REPOSITORY) -> str:
    """The commit that last changed these paths: who measures now measures what it left."""
    return (_git(repository, "log", "-1", "--format=%h", "--", *paths) or "unknown").strip()


def uncommitted(paths: tuple[str, ...], repository: Path = REPOSITORY) -> str:
    """What of these paths differs from the last commit."""
    return _git(repository, "status", "--porcelain", "--", *paths) or ""


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
