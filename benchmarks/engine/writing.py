"""Pages from kept results: README, docs, cards and their plots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.engine.code import REPOSITORY, is_older
from benchmarks.engine.markdown import markdown_table
from benchmarks.engine.pages import Figures, pages, write_figures
from benchmarks.engine.plots import draw, has_matplotlib
from benchmarks.engine.studies import Found, NotMeasuredError, Study
from benchmarks.engine.tasks import Kept
from benchmarks.papers.to_the_letter import write_letters
from benchmarks.papers.writing import write_papers

PLOTS = REPOSITORY / "docs" / "figures"


def write(studies: Iterable[Study], kept: Kept) -> Iterator[Path]:
    """The files that have changed. What was not measured yet stays as it is."""
    studies = list(studies)
    if not has_matplotlib():
        raise SystemExit("plots need matplotlib: pip install '.[benchmarks]'")
    yield from write_papers(kept)
    yield from write_letters()
    new = {figures.name: figures for study in studies for figures in made(study, kept)}
    commands = {name: command(study) for study in studies for name in study.tables}
    for page in pages():
        if write_figures(page, new, commands):
            yield page
    for study in studies:
        for name, plot in study.plots.items():
            try:
                draw(plot(study.found(kept)), PLOTS / name)
            except NotMeasuredError:
                continue
            yield PLOTS / name


def made(study: Study, kept: Kept) -> Iterator[Figures]:
    """Its tables, those of which everything is kept."""
    for name, rows in study.tables.items():
        found = study.found(kept)
        try:
            made_rows = rows(found)
        except NotMeasuredError:
            continue
        if made_rows:
            table = markdown_table(made_rows, padded=study.padded)
            yield Figures(name, command(study, found), commit(found), depends(found), table)


def command(study: Study, found: Found | None = None) -> str:
    needs_gpu = found is not None and any(task.needs == "a GPU" for task in found.used.values())
    return f"python -m benchmarks run {study.name}{' (on a GPU)' if needs_gpu else ''}"


def commit(found: Found) -> str:
    """The one at which most was measured, unless something is older than the code: then that one."""
    old = [one for one in found.commits if is_older(one, depends(found)) is not False]
    return (old or found.commits or ["unknown"])[0]


def depends(found: Found) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for task in found.used.values() for path in task.depends))
