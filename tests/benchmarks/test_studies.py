"""Every study on a toy language: its tasks run, and its tables, plots and claims are made of their results."""

from __future__ import annotations

import json

import pytest
from benchmarks.engine.markdown import markdown_table
from benchmarks.engine.runner import can_run
from benchmarks.engine.studies import FULL, SCALES, Found, NotMeasuredError, Scale
from benchmarks.engine.tasks import Document, Kept
from benchmarks.papers.all_papers import PAPERS
from benchmarks.papers.page import Claim, PaperTable
from benchmarks.registry import STUDIES

TINY = Scale("quick", 12, 6, 1, 1000, 5, 99)
SLOW = {
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
    labels = (
        task.arguments.get("settings", {}).get("labels")
        if isinstance(task.arguments.get("settings"), dict)
        else None
    )
    return json.dumps([task.work, chosen, labels in ("none", "latent")])


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
    if study.name in ("inception", "as-typed"):
        pytest.importorskip("cassis")
    kept, tasks = Kept(tmp_path / "results"), study.tasks(TINY)
    run_all(study, kept, tasks)
    missing = {name for name, task in tasks.items() if not can_run(task)}
    for name, rows in study.tables.items():
        found = Found(tasks, kept)
        try:
            table = markdown_table(rows(found))
        except NotMeasuredError as error:
            assert missing, f"{name}: {error} was not measured"
        else:
            assert len(table.splitlines()) > 2
    for plot in study.plots.values():
        if not missing:
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
                assert (REPOSITORY / path).exists(), f"{study.name} depends on {path}, which is not there"


def test_quick_tasks_are_never_full_ones():
    full = {
        task.key
        for study in STUDIES
        for task in study.tasks(FULL).values()
        if study.name.startswith("papers/")
    }
    quick = {task.key for study in STUDIES for task in study.tasks(SCALES["quick"]).values()}
    assert not full & quick
