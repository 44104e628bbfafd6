"""The papers' page: tasks that are run once, claims that are judged, and a page with tables and plots."""

from __future__ import annotations

import lzma
import sys
import types
from dataclasses import replace

import numpy as np
import pytest

import papers.tasks as engine
from figure_markers import figures_of
from headwise.evaluation import SentenceCounts
from papers import koo_2010, raw_words, searching, thesis_3, training
from papers.page import Claim, Comparison, Paper, PaperTable, Verdict, all_of
from papers.papers import PAPERS
from papers.tasks import FULL, QUICK, Found, Kept, NotMeasuredError, Task, run_all
from papers.writing import write_page
from toy_language import toy_treebank

TOY = {"sentences": None, "measured": 8, "epochs": 1}


@pytest.fixture
def work(monkeypatch):
    """A module of tasks, which count how often they ran; in this process."""
    module = types.ModuleType("papers.toy_tasks")
    ran: list[str] = []

    def double(number: int) -> dict[str, int]:
        ran.append(f"double {number}")
        return {"twice": 2 * number}

    def fail() -> dict[str, int]:
        raise ValueError("no luck")

    module.double, module.fail = double, fail  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "papers.toy_tasks", module)
    monkeypatch.setattr(engine, "ProcessPoolExecutor", _InThisProcess)
    return ran


class _InThisProcess:
    def __init__(self, *_: object) -> None: ...
    def __enter__(self) -> _InThisProcess:
        return self

    def __exit__(self, *_: object) -> None: ...
    def submit(self, function, *arguments):
        from concurrent.futures import Future

        done: Future[str] = Future()
        done.set_result(function(*arguments))
        return done


def test_results_are_kept_by_settings_and_program(work, tmp_path):
    tasks = [Task("toy_tasks:double", number=n) for n in (1, 2, 1)]
    kept = Kept(tmp_path, "a")
    assert run_all(tasks, kept, 1) == []
    assert run_all(tasks, kept, 1) == []
    assert work == ["double 1", "double 2"]
    found = Found({"one": tasks[0], "three": Task("toy_tasks:double", number=3)}, kept)
    assert found["one"] == {"twice": 2}
    with pytest.raises(NotMeasuredError):
        found["three"]
    other = Kept(tmp_path, "b")
    assert other.get(tasks[0]) is None
    assert replace(other, older=True).get(tasks[0]) is not None
    run_all(tasks, other, 1)
    assert len(work) == 4


def test_a_task_that_fails_stops_no_other(work, tmp_path):
    tasks = [Task("toy_tasks:fail"), Task("toy_tasks:double", number=4)]
    (failed,) = run_all(tasks, Kept(tmp_path, "a"), 1)
    assert "no luck" in failed
    assert work == ["double 4"]


def counted(correct: list[int]) -> SentenceCounts:
    return SentenceCounts(np.array(correct), np.full(len(correct), 10), np.full(len(correct), 10))


def test_claims_are_judged_by_chance():
    low, high = counted([5] * 40), counted([7] * 40)
    assert Comparison([low], [high]).is_better() is Verdict.holds
    assert Comparison([high], [low]).is_better() is Verdict.does_not
    assert Comparison([counted([5, 6])], [counted([6, 6])]).is_better() is Verdict.in_part
    assert Comparison([low, high], [counted([9] * 40), low]).is_better() is Verdict.in_part  # one against it
    assert Comparison([low], [low]).is_alike() is Verdict.holds
    assert Comparison([low], [high]).is_alike() is Verdict.does_not
    assert all_of([Verdict.holds, Verdict.does_not]) is Verdict.in_part
    assert all_of([Verdict.holds]) is Verdict.holds


def test_a_page_has_tables_claims_and_what_is_missing(work, tmp_path):
    def table(found):
        yield PaperTable("one", "Table 1", [{"": "ours", "UAS": str(found["a"]["twice"])}], "A note.")
        yield Claim("Twice one is two", Verdict.holds, "2")

    def missing(found):
        """Table 2: not there."""
        yield PaperTable("two", "Table 2", [{"": found["b"]["twice"]}])

    tasks = {"a": Task("toy_tasks:double", number=1), "b": Task("toy_tasks:double", number=2)}
    paper = Paper("toy", "Toy (2014): doubling", lambda scale: tasks, (table, missing))
    kept = Kept(tmp_path / "results", "a")
    run_all([tasks["a"]], kept, 1)
    page = write_page([paper], {"toy": tasks}, kept, QUICK, tmp_path, " toy")
    text = page.read_text()
    assert "| Toy (2014) | Twice one is two | holds here |" in text
    assert "**Twice one is two.** Holds here: 2." in text
    assert "Table 2: not there. Not measured yet." in text
    (figures,) = figures_of(page)
    assert figures.name == "papers-toy-one"
    assert figures.command == "python benchmarks/papers.py toy --quick"


@pytest.mark.parametrize("scale", [QUICK, FULL], ids=lambda scale: scale.name)
def test_tasks_of_all_papers_can_be_listed(scale):
    """Their arguments are plain, and their functions are there."""
    for paper in PAPERS:
        for task in paper.tasks(scale).values():
            module, _, name = task.work.partition(":")
            assert callable(getattr(__import__(f"papers.{module}", fromlist=[name]), name))
            assert len(task.key) == 20


def test_a_parser_is_trained_and_measured(treebank_folder):
    settings = {"arc_bits": 14, "labels": "separate", "label_bits": 14, "averaged": False}
    result = training.train(
        str(treebank_folder), **TOY, settings=settings, dev=True, decoders=["map", "projective"]
    )
    assert len(result["test"]["map"]["uas"][0]) == 8
    assert len(result["dev"]["projective"]["las"][0]) == 8
    assert len(result["epochs"]) == 1
    assert training.counts(result).gold.sum() > 0


def test_head_automata_make_the_tables_of_koo_2010(treebank_folder, tmp_path, monkeypatch):
    """From the search of a toy treebank, which stands in for all four, to tables and claims."""
    pytest.importorskip("highspy")
    monkeypatch.setattr(koo_2010, "CONLLX", ("CoNLLX_Danish",))
    found = {}
    for name, factorization in koo_2010.MODELS.items():
        found[f"{name} CoNLLX_Danish"] = searching.dual(
            str(treebank_folder), **TOY, factorization=factorization, curves=True, solvers=3, random=1
        )
    found["automata CoNLLX_Danish"] = searching.automata(str(treebank_folder), **TOY)
    found["MST CoNLLX_Danish"] = training.train(
        str(treebank_folder), **TOY, settings={"trees": "nonprojective"}
    )
    pieces = [piece for block in koo_2010.PAPER.blocks for piece in block(found)]
    titles = [piece.title for piece in pieces if isinstance(piece, PaperTable)]
    assert [title.partition(":")[0] for title in titles] == ["Table 1", "Table 2", "Table 3", "Section 7.6"]
    assert sum(isinstance(piece, Claim) for piece in pieces) >= 5


def test_climbs_and_chains(treebank_folder):
    climbs = searching.climbs(str(treebank_folder), **TOY, factorization="model1", most=5)
    assert set(climbs["starts"]) == {"MAP-1st", "Uniform", "Rnd-1st"}
    assert len(climbs["starts"]["Uniform"]["init"][0]) == 8
    best = np.array(climbs["best"])
    for climbed in climbs["starts"].values():
        assert (np.array(climbed["scores"]) <= best + 1e-6).all()
    chains = searching.chains(str(treebank_folder), **TOY, factorization="model1")["chains"]
    assert chains["block"][-1]["score"] <= 1 + 1e-6


def test_clusters_are_made_once_and_help_four_parsers(treebank_folder, tmp_path, monkeypatch):
    (tmp_path / "text").mkdir()
    with lzma.open(tmp_path / "text" / "en-modern.txt.xz", "wt", encoding="utf-8") as file:
        for sentence in toy_treebank(300, seed=4):
            file.write(" ".join(sentence.forms) + "\n")
    english = treebank_folder.rename(tmp_path / "English-Toy")
    monkeypatch.setattr(raw_words, "DATA", tmp_path)
    monkeypatch.setattr(raw_words, "WORK", tmp_path / "work")
    sizes = {"whole": None, "measured": 8, "epochs": 1, "clusters": 5, "text_words": 1000}
    result = raw_words.four(str(english), 20, **sizes)
    assert result["sentences"] == 20
    assert set(result) == {"sentences", *thesis_3.NAMES}
    assert thesis_3.gain([result]).gain >= 0
    (made,) = (tmp_path / "work").iterdir()
    assert made.name == "en-modern-5-1000.txt"
    labelled = raw_words.four(str(english), None, **sizes, tags="none", labels=True)
    assert len(labelled["dep2c"]["test"]["map"]["las"][0]) == 8
