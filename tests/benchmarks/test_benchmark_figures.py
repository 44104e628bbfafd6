"""Tables of figures: their markers, their ages, and that they are what was measured."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import figure_markers
import figures as command
import preset_figures
from figure_markers import (
    REPOSITORY,
    Age,
    Figures,
    MarkerError,
    ages,
    all_figures,
    figures_of,
    last_change,
    replaced,
    summarized,
)
from figure_tables import TableError, printed_tables, with_tables

BY_HAND = {"network-bits"}
"""Tables of models that are not kept: no command makes them yet."""

PAGE = """\
Before.

<!-- figures speed
command: python benchmarks/trees.py
commit: {commit}
depends: code other.txt
-->
| n | ms |
|---|---|
| 1 | 2 |
<!-- /figures -->

After.
"""


def git(folder: Path, *arguments: str) -> str:
    names = ["-c", "user.name=a", "-c", "user.email=a@b"]
    done = subprocess.run(["git", *names, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    (tmp_path / "code").mkdir()
    for name in ("code/a", "other.txt", "unrelated"):
        (tmp_path / name).write_text("1")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    (tmp_path / "page.md").write_text(PAGE.format(commit=git(tmp_path, "rev-parse", "--short", "HEAD")))
    return tmp_path


def speed(repository: Path) -> Figures:
    (found,) = figures_of(repository / "page.md")
    return found


def changes(repository: Path) -> list[int | None]:
    return [age.changes for age in ages(speed(repository), repository)]


def test_a_marker_says_where_figures_come_from(repository: Path) -> None:
    found = speed(repository)
    assert (found.name, found.line, found.command) == ("speed", 3, "python benchmarks/trees.py")
    assert found.depends == ("code", "other.txt")
    assert found.table == "| n | ms |\n|---|---|\n| 1 | 2 |\n"


def test_figures_are_older_when_their_code_has_changed(repository: Path) -> None:
    assert changes(repository) == [0]
    (repository / "unrelated").write_text("2")
    git(repository, "commit", "-qam", "unrelated")
    assert changes(repository) == [0]
    (repository / "code/a").write_text("2")
    assert changes(repository) == [1]  # not committed yet
    git(repository, "commit", "-qam", "code")
    assert changes(repository) == [1]
    (repository / "other.txt").write_text("3")
    git(repository, "commit", "-qam", "other")
    assert changes(repository) == [2]
    assert "older: 2 commits have changed the code" in str(ages(speed(repository), repository)[0])


def test_a_commit_that_is_not_here_is_no_verdict(repository: Path) -> None:
    unknown = replace(speed(repository), commit="0123456")
    assert [age.changes for age in ages(unknown, repository)] == [None]
    assert "does not have" in str(Age("", "0123456", None))


REPORT = """\
# Report

## Toy: speed

- seed: 1

| n | ms |
|---|---|
| 1 | 7 |
| 2 | 9 |

## Toy: memory

| n | a \\| b |  MB |
|:--|-----:|----:|
| 1 |    8 |   9 |
"""


def test_new_figures_are_written_in_place(repository: Path) -> None:
    replaced(speed(repository), with_tables(speed(repository).table, REPORT), "abcdef0")
    again = speed(repository)
    assert (again.commit, again.table) == ("abcdef0", "| n | ms |\n|---|---|\n| 1 | 7 |\n| 2 | 9 |\n")
    text = (repository / "page.md").read_text()
    assert text.startswith("Before.\n\n<!-- figures speed\n")
    assert text.endswith("<!-- /figures -->\n\nAfter.\n")


def test_a_page_shows_the_columns_that_it_has() -> None:
    assert with_tables("| MB | n |\n|---|---|\n| | |\n", REPORT) == "| MB | n |\n|---:|---|\n| 9 | 1 |\n"
    assert [table.columns for table in printed_tables(REPORT)] == [("n", "ms"), ("n", "a \\| b", "MB")]


def test_a_report_without_the_table_is_refused(repository: Path) -> None:
    with pytest.raises(TableError, match=r"no table .* n \| ms"):
        with_tables(speed(repository).table, "| other | columns |\n|---|---|\n| 1 | 2 |\n")
    with pytest.raises(TableError, match="no table 'memory'"):
        with_tables(speed(repository).table, REPORT, "memory")


def test_of_several_tables_the_marker_says_which() -> None:
    page = "| n |\n|---|\n| |\n"
    with pytest.raises(TableError, match="Toy: speed; Toy: memory"):
        with_tables(page, REPORT)
    assert with_tables(page, REPORT, "memory") == "| n |\n|---|\n| 1 |\n"


@pytest.fixture
def two_tables(repository: Path, monkeypatch: pytest.MonkeyPatch) -> list[Figures]:
    """Two markers with one command, which prints the report."""
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "page")
    (repository / "benchmarks").mkdir()
    script = "import sys, pathlib; print(1); pathlib.Path(sys.argv[-1]).write_text(" + repr(REPORT) + ")"
    (repository / "benchmarks" / "trees.py").write_text(script)
    page = repository / "page.md"
    page.write_text(page.read_text() + page.read_text().replace("speed", "memory").replace("ms", "MB"))
    for module in (command, figure_markers):
        monkeypatch.setattr(module, "REPOSITORY", repository)
    monkeypatch.setattr(command, "uncommitted", lambda paths: figure_markers.uncommitted(paths, repository))
    monkeypatch.setattr(command, "last_change", lambda paths: last_change(paths, repository))
    return list(figures_of(page))


def test_a_command_is_run_once_for_all_its_tables(
    two_tables: list[Figures], capfd: pytest.CaptureFixture[str]
) -> None:
    command.make(two_tables, None)
    assert capfd.readouterr().out == "1\n"
    again = list(figures_of(two_tables[0].page))
    assert [one.table.splitlines()[2] for one in again] == ["| 1 | 7 |", "| 1 | 9 |"]
    # What they depend on is as it was.
    assert {one.commit for one in again} == {one.commit for one in two_tables}


def test_a_command_may_write_its_page_itself(
    two_tables: list[Figures], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = two_tables[0].page.with_name("whole.md")
    monkeypatch.setitem(command.WHOLE_PAGES, "benchmarks/trees.py", ("-o", str(written)))
    before = two_tables[0].page.read_text()
    command.make(two_tables, None)
    assert (written.read_text(), two_tables[0].page.read_text()) == (REPORT, before)


def test_code_that_is_not_committed_is_not_measured(two_tables: list[Figures]) -> None:
    (two_tables[0].page.parent / "code/a").write_text("2")
    with pytest.raises(SystemExit, match="commit first"):
        command.make(two_tables, None)


def test_what_needs_another_machine_is_brought_from_there(
    two_tables: list[Figures], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "has_gpu", lambda: False)
    there = [replace(one, command=f"{one.command} (on a GPU)") for one in two_tables]
    assert there[0].where == "on a GPU"
    with pytest.raises(SystemExit, match=r"(?s)on a GPU.*trees.py -o report.md.*--report"):
        command.make(there, None)
    report = two_tables[0].page.with_name("report.md")
    report.write_text(REPORT)
    command.make(there, report)
    assert next(figures_of(two_tables[0].page)).table.splitlines()[2] == "| 1 | 7 |"


def test_a_marker_that_says_too_little_is_refused(repository: Path) -> None:
    page = repository / "page.md"
    page.write_text(re.sub(r"depends: .*\n", "", page.read_text()))
    with pytest.raises(MarkerError, match="must say"):
        list(figures_of(page))


def test_markers_of_this_repository_name_what_exists() -> None:
    for figures in all_figures().values():
        place = f"{figures.page.name}:{figures.line}"
        script = re.match(r"python (benchmarks/\w+\.py)", figures.command)
        assert script, f"{place}: {figures.command}"
        assert (REPOSITORY / script[1]).exists(), f"{place}: {script[1]}"
        for path in figures.depends:
            assert (REPOSITORY / path).exists(), f"{place}: depends on {path}, which is not there"
        for commit in figures.commits.values():
            assert re.fullmatch(r"[0-9a-f]{7,40}", commit), f"{place}: commit {commit}"
        assert len(list(printed_tables(figures.table))) == 1, f"{place}: no table"
        if figures.name not in BY_HAND:
            assert "by hand" not in figures.command, f"{place}: a command must make it"


@pytest.mark.parametrize("name", preset_figures.TABLES)
def test_tables_of_presets_are_what_was_measured(name: str) -> None:
    """After a change, ``python benchmarks/figures.py presets --write``."""
    figures, table = all_figures()[name], preset_figures.TABLES[name]
    assert figures.table == table.to_markdown(preset_figures.load())
    assert set(figures.commits) <= {f"{treebank} {column}" for treebank, column in table.places}
    if name == "presets":
        assert len(figures.commits) == len(table.places)


def test_what_was_not_measured_is_left_empty() -> None:
    table = preset_figures.TABLES["network"]
    assert table.to_markdown([]).splitlines()[2] == "| UD_English-EWT | | | | |"


def test_measured_cells_replace_older_ones(tmp_path: Path) -> None:
    cells = preset_figures.load()
    new = {**cells[0], "uas": 99.99, "commit": "abcdef0"}
    preset_figures.store(preset_figures.updated(cells[::-1], new), tmp_path / "presets.json")
    stored = preset_figures.load(tmp_path / "presets.json")
    assert stored == [new, *cells[1:]]
    assert "99.99" in preset_figures.TABLES["presets"].to_markdown(stored)


def test_parts_of_one_commit_are_told_together() -> None:
    parts = [Age("a", "0123456", 2), Age("b", "0123456", 2), Age("c", "6543210", 1)]
    assert [str(age) for age in summarized(parts)] == [
        "2 cells: older: 2 commits have changed the code since 0123456",
        "c: older: one commit has changed the code since 6543210",
    ]


def test_the_list_of_figures(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figure_markers, "changes_since", lambda commit, *_: 0 if commit == "new" else 3)
    page = REPOSITORY / "README.md"
    shown = [Figures(name, page, 1, "python x", name, (), "") for name in ("new", "old")]
    assert command.show(shown, older_alone=True, strict=False) == 0
    assert command.show(shown, older_alone=True, strict=True) == 1
    assert command.show(shown[:1], older_alone=True, strict=True) == 0
    printed = capsys.readouterr()
    assert "README.md:1: old" in printed.out
    assert "README.md:1: new" not in printed.out
    assert "1 of 2 tables" in printed.err
