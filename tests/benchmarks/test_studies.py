"""Every study on a toy language: its tasks run; tables, plots and claims are made of the results."""

from __future__ import annotations

import contextlib
import json

import pytest

from benchmarks.engine.markdown import markdown_table
from benchmarks.engine.runner import can_run
from benchmarks.engine.studies import FULL, SCALES, Found, NotMeasuredError, Scale
from benchmarks.engine.tasks import Document, Kept
from benchmarks.papers.all_papers import PAPERS
from benchmarks.papers.page import Claim, PaperTable
from benchmarks.registry import STUDIES

TINY = Scale("quick", 12, 3, 1, 1000, 5, 99)
SLOW = {
    "networks",
    "corpora",
    "serve",
    "inception",
    "raw-text",
    "as-typed",
    "papers/zhang-2014-sampling",
    "papers/zhang-2014-greedy",
}
"""Their tasks read whole models, or start processes."""
DECIDING = (
    "decoders",
    "dev",
    "parts",
    "curve",
    "solvers",
    "curves",
    "ways",
    "learned_too",
    "preset",
    "way",
    "torch",
    "tags",
    "labels",
)


def shape(task):
    """What a result looks like depends on no more than that; one of each is run."""
    chosen = {name: task.arguments.get(name) for name in DECIDING}
    settings = task.arguments.get("settings")
    if isinstance(settings, dict):
        has_labels = settings.get("labels") not in ("none", "latent")
        chosen |= {"labels": has_labels, "is first order": settings.get("factorization", "arc") == "arc"}
    return json.dumps([task.work, chosen])


def run_all(study, kept, tasks):
    results = {}
    for task in tasks.values():
        if not can_run(task):
            continue
        if shape(task) not in results:
            results[shape(task)] = task.run()
        kept.put(task, Document(results[shape(task)], "unknown", "2020-01-01", "", 1.0, 1.0, 1.0))


@pytest.mark.parametrize(
    "study",
    [pytest.param(s, id=s.name, marks=[pytest.mark.slow] if s.name in SLOW else []) for s in STUDIES],
)
def test_a_study_runs_and_fills_its_tables(study, laboratory, tmp_path):
    if study.name == "new-documents":
        pytest.skip("it holds out every tenth twenty of hundreds of sentences")
    if study.name in ("inception", "as-typed"):
        pytest.importorskip("cassis")
    kept, tasks = Kept(tmp_path / "results"), study.tasks(TINY)
    run_all(study, kept, tasks)
    missing = {name for name, task in tasks.items() if not can_run(task)}
    for name, rows in study.tables.items():
        found = Found(tasks, kept)
        rows_made = None
        with contextlib.suppress(NotMeasuredError):
            rows_made = rows(found)
        assert rows_made or missing, f"{name} is not measured"
        if rows_made:
            assert len(markdown_table(rows_made).splitlines()) == 2 + len(rows_made)
    for plot in study.plots.values():
        with contextlib.suppress(NotMeasuredError):
            assert plot(Found(tasks, kept)).lines
    for paper in PAPERS:
        if study.name == f"papers/{paper.name}":
            pieces = [piece for block in paper.blocks for piece in block(Found(tasks, kept))]
            assert any(isinstance(piece, PaperTable) for piece in pieces)
            assert any(isinstance(piece, Claim) for piece in pieces)


@pytest.mark.parametrize("scale", SCALES.values(), ids=lambda scale: scale.name)
def test_tasks_can_be_listed(scale):
    """Their arguments are plain, their functions are there, and the code that they depend on too."""
    from importlib import import_module

    from benchmarks.engine.code import REPOSITORY

    for study in STUDIES:
        for task in study.tasks(scale).values():
            module, _, name = task.work.partition(":")
            assert callable(getattr(import_module(f"benchmarks.{module}"), name))
            assert json.loads(task.text)[1] == json.loads(json.dumps(task.arguments))
            for path in task.depends:
                is_there = (REPOSITORY / path).exists() or not (REPOSITORY / "src").exists()
                assert is_there, f"{study.name} depends on {path}, which is not there"


def test_quick_tasks_are_never_full_ones():
    full = {
        task.key
        for study in STUDIES
        for task in study.tasks(FULL).values()
        if study.name.startswith("papers/")
    }
    quick = {task.key for study in STUDIES for task in study.tasks(SCALES["quick"]).values()}
    assert not full & quick
