"""``headwise find``: what it reads, and the shapes of what it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_runner import CliRunner, Result
from headwise.cli.app import app
from headwise.treebank import Sentence, read, write

OBJECTS = "V [upos=VERB]; V -[obj]-> O"


@pytest.fixture(scope="module")
def treebank(tmp_path_factory: pytest.TempPathFactory, book: Sentence) -> Path:
    path = tmp_path_factory.mktemp("find") / "book.conllu"
    write([book, book], path)
    return path


def found(*words: str | Path, input: str = "") -> Result:
    return CliRunner().invoke(app, ["find", *map(str, words)], input=input)


def test_a_table_has_a_line_for_each_match(treebank: Path) -> None:
    result = found(OBJECTS, treebank)
    heading, *rows = result.stdout.splitlines()
    assert heading == "sent_id\tV.id\tV\tO.id\tO\tprobability\ttext"
    text = "She has written a long book that they read ."
    assert rows == 2 * [f"s1\t3\twritten\t6\tbook\t0.9500\t{text}", f"s1\t9\tread\t7\tthat\t0.4000\t{text}"]
    assert "4 matches in 2 sentences" in result.stderr


def test_marks_are_in_misc_and_in_comments(treebank: Path, tmp_path: Path) -> None:
    assert found(OBJECTS, treebank, "--to", "conllu", "-o", tmp_path / "marked.conllu").exit_code == 0
    first, second = read(tmp_path / "marked.conllu")
    assert first.comments[-2:] == ["# match = V=3:written O=6:book", "# match = V=9:read O=7:that"]
    marks = [field.partition("Match=")[2] for field in first.misc]
    assert marks == ["", "", "1:V", "", "", "1:O", "2:O", "", "2:V", ""]
    assert first.heads.tolist() == second.heads.tolist()
    assert found("N [misc.Match=re'.*V']".replace("'", '"'), tmp_path / "marked.conllu").exit_code == 0


def test_drawings_and_counts(treebank: Path) -> None:
    drawn = found("V -[aux]-> A", treebank, "--to", "tree", "--most", "1").stdout
    assert [line.split()[-2:] for line in drawn.splitlines() if "◀" in line] == [["◀", "A"], ["◀", "V"]]
    assert found(OBJECTS, treebank, "--to", "count").stdout == "4\n"


def test_text_is_parsed() -> None:
    result = found("{upos:VERB}=v >nsubj {}=s !>obj {}", "She sleeps. He reads a book.")
    assert [row.split("\t")[2] for row in result.stdout.splitlines()[1:]] == ["sleeps"]
    assert float(result.stdout.splitlines()[1].split("\t")[5]) > 0.5


def test_patterns_in_files_and_what_is_wrong(treebank: Path, tmp_path: Path) -> None:
    pattern = tmp_path / "objects.grew"
    pattern.write_text("% objects\npattern {\n  V -[obj]-> O\n}\n", encoding="utf-8")
    assert found(pattern, treebank, "--to", "count").stdout == "4\n"
    assert "no matches" in found("N [upos=INTJ]", treebank).stderr
    wrong = found("pattern { V [upos=VERB; }", treebank)
    assert wrong.exit_code == 1
    assert "at '; }'" in str(wrong.exception)


def test_parquet(treebank: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from headwise.treebank.parquet import write_parquet

    write_parquet(list(read(treebank)), tmp_path / "book.parquet")
    assert found(OBJECTS, tmp_path / "book.parquet", "--to", "count").stdout == "4\n"
