"""How near we are to each paper: what is where, what is as published, what is not and why.

The sentences are in letters.toml; the page has the tasks of each paper too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.engine import FULL
from benchmarks.engine.code import REPOSITORY
from benchmarks.papers.all_papers import PAPERS
from benchmarks.papers.page import Paper

PAGE = REPOSITORY / "docs" / "papers-to-the-letter.md"
LETTERS = Path(__file__).with_name("letters.toml")
HEAD = """\
# The papers, to the letter

For readers who doubt: of each paper on [the papers' page](papers.md) what is implemented where, what is
exactly as published, what is not and why, and the command for each row. Made by `python -m benchmarks
write`.

Everywhere: UAS without punctuation, gold tags unless a table says otherwise, 10 epochs, seed 1. Every
search is held to brute force over all trees (`src/headwise/reference`), every gradient to finite
differences. A task's result is kept, with its commit, in `benchmarks/results`; `python -m benchmarks show
'papers/NAME/TASK'` prints it.

"""


def letters() -> dict[str, dict[str, Any]]:
    """By paper: ``where`` (files by what they implement), ``published`` and ``differs``."""
    told = tomllib.loads(LETTERS.read_text(encoding="utf-8"))
    common = told.pop("common")
    for letter in told.values():
        letter["differs"] = [line.format(**common) for line in letter["differs"]]
    return told


def write_letters(page: Path = PAGE) -> Iterator[Path]:
    told = letters()
    text = HEAD + "\n".join("\n".join(_letter(paper, told[paper.name])) for paper in PAPERS)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")
        yield page


def _letter(paper: Paper, letter: dict[str, Any]) -> Iterator[str]:
    yield f"## {paper.title}\n"
    yield "| what | where |\n|---|---|"
    yield from (f"| {what} | `{path}` |" for what, path in letter["where"].items())
    yield from ("", "As published:", "", *(f"- {line}" for line in letter["published"]))
    yield from ("", "Not as published:", "", *(f"- {line}" for line in letter["differs"]), "")
    tasks = paper.tasks(FULL)
    command = f"python -m benchmarks run 'papers/{paper.name}/TASK'"
    yield f"Rows: `{command}`, each of these {len(tasks)} tasks for itself:"
    yield "\n```text"
    yield from tasks
    yield "```\n"
