"""The engine: results that are kept, runs that go on, pages that are written, tables that grow older."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import benchmarks.__main__ as command
from benchmarks.engine import Found, Line, NotMeasuredError, Plot, Scale, Study, Task, code, comparing
from benchmarks.engine.markdown import markdown_table
from benchmarks.engine.pages import Figures, MarkerError, all_figures, figures_of, write_figures
from benchmarks.engine.plots import draw, has_matplotlib
from benchmarks.engine.runner import Runner
from benchmarks.engine.tasks import Document, Kept, packed, unpacked
from benchmarks.engine.writing import made
from benchmarks.papers.page import Claim, Comparison, PaperTable, Verdict, all_of
from benchmarks.papers.to_the_letter import letters
from headwise.evaluation import SentenceCounts

REPOSITORY = code.REPOSITORY
TINY = Scale("full", None, None, None, None, 1, 1)


def document(result, commit="unknown"):
    return Document(result, commit, "2020-01-01", "a machine", 1.0, 1.0, 1.0)


def doubling(number):
    return Task("toy_tasks:double", ("tests",), number=number)


@pytest.fixture
def work(tmp_path, monkeypatch):
    """Tasks of a module that processes find; each run leaves a line."""
    folder = tmp_path / "modules" / "benchmarks"
    folder.mkdir(parents=True)
    (folder / "toy_tasks.py").write_text(
        "from pathlib import Path\n"
        f"RAN = Path({str(tmp_path / 'ran')!r})\n"
        "def double(number):\n"
        "    RAN.open('a').write(f'{number}\\n')\n"
        "    return {'twice': 2 * number, 'many': [float(number)] * 50}\n"
        "def fail():\n"
        "    raise ValueError('no luck')\n"
    )
    # Processes find the module beside those of the laboratory.
    (tmp_path / "modules" / "sitecustomize.py").write_text(
        f"import benchmarks\nbenchmarks.__path__.append({str(folder)!r})\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{REPOSITORY}:{tmp_path / 'modules'}:{':'.join(sys.path)}")
    return tmp_path / "ran"


def test_a_run_keeps_results_and_goes_on_where_it_was(work, tmp_path):
    tasks = {"one": doubling(1), "again": doubling(1), "two": doubling(2), "bad": Task("toy_tasks:fail", ())}
    kept = Kept(tmp_path / "results")
    runner = Runner(kept, workers=2, logs=tmp_path / "logs")
    runner.run(tasks)
    assert sorted(work.read_text().split()) == ["1", "2"]
    assert "no luck" in runner.failed[0]
    found = kept.get(tasks["two"])
    assert found.result == {"twice": 4, "many": [2.0] * 50}
    assert found.peak_megabytes > 1
    assert command.run({n: tasks[n] for n in ("one", "two")}, kept, options()) == 0
    assert len(work.read_text().split()) == 2  # both were kept
    assert runner.estimate([doubling(3)], {"toy_tasks:double": 600.0}, 1.0) == "; about 5 min left"


def options(**changes):
    defaults = {"again": False, "older": False, "workers": 1, "threads": 1, "nice": 0}
    return type("Options", (), {**defaults, **changes})


def test_long_lists_are_packed_and_come_back():
    value = {"a": [True, False] * 30, "b": list(range(-40, 40)), "c": [0.1, float("inf")] * 20, "d": [1, "x"]}
    text = json.dumps(packed(value))
    assert "packed bools" in text
    assert unpacked(json.loads(text)) == value
    assert packed([1, 2]) == [1, 2]
    assert packed([2**40] * 30) == [2**40] * 30


def test_names_and_patterns_choose_tasks():
    tasks = {
        "presets/EWT third": doubling(1),
        "presets/EWT first": doubling(2),
        "papers/koo/MST": doubling(3),
    }
    assert list(command.chosen_tasks(tasks, "presets")) == ["presets/EWT third", "presets/EWT first"]
    assert list(command.chosen_tasks(tasks, "papers/*")) == ["papers/koo/MST"]
    assert list(command.chosen_tasks(tasks, "third")) == ["presets/EWT third"]
    with pytest.raises(SystemExit, match="no task is called like"):
        command.chosen_tasks(tasks, "nothing")


def test_two_results_are_compared_with_a_test(tmp_path):
    kept, tasks = Kept(tmp_path), {"a": doubling(1), "b": doubling(2)}
    counts = [[5] * 40, [10] * 40, [10] * 40]
    kept.put(tasks["a"], document({"uas": counts, "seconds": 3.0}))
    kept.put(tasks["b"], document({"uas": [[7] * 40, *counts[1:]], "seconds": 2.0}))
    text = comparing.compared(tasks, kept, "a", "b")
    assert re.search(r"uas *\| *50\.00 \| *70\.00 \| *\+20\.00 \| *< 0\.001", text)
    assert "3.00" in text
    with pytest.raises(SystemExit, match="has no result"):
        comparing.compared({**tasks, "c": doubling(9)}, kept, "a", "c")


PAGE = """\
Before.

<!-- figures speed
command: python old.py
commit: {commit}
depends: code other.txt
-->
| n | ms |
|---|---|
| 1 | 2 |
<!-- /figures -->

After.
"""


@pytest.fixture
def repository(tmp_path, monkeypatch):
    def git(*arguments):
        names = ["-c", "user.name=a", "-c", "user.email=a@b"]
        done = subprocess.run(
            ["git", *names, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True
        )
        code.is_older.cache_clear()
        return done.stdout.strip()

    git("init", "-q")
    (tmp_path / "code").mkdir()
    for name in ("code/a", "other.txt", "unrelated"):
        (tmp_path / name).write_text("1")
    git("add", "-A")
    git("commit", "-qm", "first")
    (tmp_path / "page.md").write_text(PAGE.format(commit=git("rev-parse", "--short", "HEAD")))
    monkeypatch.setattr(code, "REPOSITORY", tmp_path)
    return tmp_path, git


def speed(repository):
    (found,) = figures_of(repository[0] / "page.md")
    return found


def test_figures_are_older_when_their_code_has_changed(repository):
    folder, git = repository
    assert speed(repository).is_older is False
    (folder / "unrelated").write_text("2")
    git("commit", "-qam", "unrelated")
    assert speed(repository).is_older is False
    assert not code.measured_commit(("code",)).endswith("+")
    (folder / "code/a").write_text("2")
    git("status")
    assert speed(repository).is_older is True
    assert code.measured_commit(("code",)).endswith("+")  # not committed yet
    assert code.is_older("0123456", ("code",)) is None


def test_tables_are_written_in_place_with_their_age(repository):
    folder, git = repository
    page = folder / "page.md"
    assert write_figures(page, {}, {"speed": "python -m benchmarks run speed"})
    assert speed(repository).command == "python -m benchmarks run speed"
    assert not write_figures(page, {}, {})
    (folder / "code/a").write_text("2")
    git("status")
    assert write_figures(page, {}, {})
    assert "*Older than the code" in page.read_text()
    assert "Older" not in speed(repository).table
    new = Figures("speed", "run", git("rev-parse", "--short", "HEAD"), ("other.txt",), "| n |\n|---|\n| 7 |")
    assert write_figures(page, {"speed": new}, {})
    assert speed(repository).table == "| n |\n|---|\n| 7 |\n"
    assert "Older" not in page.read_text()
    assert page.read_text().startswith("Before.\n\n<!-- figures speed\n")
    assert page.read_text().endswith("<!-- /figures -->\n\nAfter.\n")
    page.write_text(re.sub(r"depends: .*\n", "", page.read_text()))
    with pytest.raises(MarkerError, match="must say"):
        list(figures_of(page))


def test_a_study_shows_what_is_measured(tmp_path):
    tasks = {"a": doubling(1), "b": doubling(2)}
    tables = {
        "one": lambda found: [{"x": str(found["a"]["twice"])}],
        "two": lambda found: [{"x": str(found["b"]["twice"])}],
    }
    study, kept = Study("toy", "?", lambda scale: tasks, tables), Kept(tmp_path)
    kept.put(tasks["a"], document({"twice": 2}))
    (figures,) = made(study, kept)
    assert (figures.name, figures.command) == ("one", "python -m benchmarks run toy")
    assert "| 2" in figures.table
    with pytest.raises(NotMeasuredError):
        Found(tasks, kept)["b"]


def test_a_table_is_aligned():
    text = markdown_table([{"Parser": "a|b", "UAS": "9.10"}, {"Parser": "longer", "UAS": "100.00"}])
    assert text.splitlines()[0] == "| Parser |    UAS |"
    assert text.splitlines()[2] == "| a\\|b   |   9.10 |"
    plain = markdown_table([{"a": "1", "b": "", "b ": "3"}], padded=False)
    assert plain == "| a | b | b |\n|---|---:|---:|\n| 1 | | 3 |\n"
    with pytest.raises(ValueError, match="at least one row"):
        markdown_table([])


def test_plots_are_the_same_bytes_and_names_hide_nothing(tmp_path):
    if not has_matplotlib():
        pytest.skip("matplotlib is not installed (.[benchmarks])")
    points = [(10.0, 1.0), (10.1, 1.01), (1000.0, 3.0)]
    plot = Plot("p", "T", [Line("ours", points, ["one", "two", "three"])], "x", "y", logarithmic=True)
    for name in ("a.svg", "b.svg"):
        draw(plot, tmp_path / name)
    text = (tmp_path / "a.svg").read_text()
    assert text == (tmp_path / "b.svg").read_text()
    assert all(f">{word}<" in text for word in ("one", "two", "three", "T", "ours"))
    crowd = [(10 + 0.0001 * i, 1.0) for i in range(20)]
    with pytest.raises(ValueError, match="no room"):
        draw(
            Plot("p", "T", [Line("", [*crowd, (1000.0, 2.0)], ["a long name"] * 21)], "", ""),
            tmp_path / "c.svg",
        )
    bars = Plot("p", "T", [Line("a", [(0, 90), (1, 91)])], "", "UAS", groups=["x", "y"])
    draw(bars, tmp_path / "bars.svg")


def counted(correct):
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


def test_a_page_keeps_what_is_not_measured_again(tmp_path, monkeypatch):
    from benchmarks.papers import writing
    from benchmarks.papers.page import Paper

    def table(found):
        yield PaperTable("one", "Table 1", [{"": "ours", "UAS": str(found["a"]["twice"])}], "A note.")
        yield Claim("Twice one is two", Verdict.holds, "2")

    def missing(found):
        """Table 2: not there."""
        yield PaperTable("two", "Table 2", [{"": found["b"]["twice"]}])

    def tasks(scale):
        return {"a": doubling(1 if scale.is_full else 11), "b": doubling(2 if scale.is_full else 12)}

    monkeypatch.setattr(writing, "PAPERS", [Paper("toy", "Toy (2014): doubling", tasks, (table, missing))])
    kept, page = Kept(tmp_path / "results"), tmp_path / "papers.md"
    kept.put(doubling(11), document({"twice": 22}))
    list(writing.write_papers(kept, page))
    text = page.read_text()
    assert "| Toy (2014) | Twice one is two | holds here | quick |" in text
    assert "### Table 1, quick" in text
    assert "Table 2: not there. Not measured yet." in text
    (figures,) = figures_of(page)
    assert (figures.name, figures.command) == (
        "papers-toy-one",
        "python -m benchmarks run papers/toy --quick",
    )
    kept.path(doubling(11)).unlink()
    kept.put(doubling(2), document({"twice": "4"}))
    list(writing.write_papers(kept, page))
    assert "### Table 1, quick" in page.read_text()  # as it was
    assert "### Table 2\n" in page.read_text()
    assert list(writing.write_papers(kept, page)) == []


needs_sources = pytest.mark.skipif(
    not (REPOSITORY / "src" / "headwise").exists(), reason="the package is installed, without its sources"
)


@needs_sources
def test_files_that_papers_are_said_to_be_in_are_there():
    for letter in letters().values():
        for path in letter["where"].values():
            assert (REPOSITORY / path).exists(), path


@needs_sources
def test_markers_of_this_repository_name_what_exists():
    for figures in all_figures().values():
        place = f"{figures.page.name}:{figures.line}"
        study = re.match(r"python -m benchmarks run ([\w/-]+)", figures.command)
        assert study, f"{place}: {figures.command}"
        assert study[1] in {study.name for study in command.STUDIES}, f"{place}: {figures.command}"
        for path in figures.depends:
            assert Path(REPOSITORY / path).exists(), f"{place}: depends on {path}, which is not there"
        assert re.fullmatch(r"[0-9a-f]{7,40}\+?", figures.commit), f"{place}: commit {figures.commit}"


def test_the_page_of_benchmarks_names_every_study():
    page = (REPOSITORY / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for study in command.STUDIES:
        assert study.name.startswith("papers/") or f"| `{study.name}` |" in page
