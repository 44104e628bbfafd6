"""What may be named on the command line: text, files, standard input; and how trees are shown."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from headwise import Pipeline
from headwise.training import TrainingSettings
from headwise.treebank import Sentence, read, write
from toy_language import toy_treebank

COMMAND = [sys.executable, "-c", "from headwise.cli import main; main()"]
TEXT = "the old dog sees a tree ."


def headwise(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    result = subprocess.run(
        [*COMMAND, *map(str, arguments)], input=stdin, capture_output=True, check=False, timeout=120
    )
    assert b"Traceback" not in result.stderr
    return result


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "toy.hw"
    settings = TrainingSettings.preset("second", arc_bits=14, label_bits=14, pruning__bits=14, epochs=3)
    Pipeline.train(toy_treebank(150, seed=1), settings=settings, jackknife=2).save(path)
    return path


def heads(output: bytes) -> list[list[int]]:
    return [sentence.heads.tolist() for sentence in read(output, format="conllu")]


def forms(output: bytes) -> list[list[str]]:
    return [sentence.forms for sentence in read(output, format="conllu")]


def test_text_files_and_stdin_give_the_same(model: Path, tmp_path: Path) -> None:
    argument = headwise("parse", TEXT, "-m", model)
    assert argument.returncode == 0, argument.stderr.decode()
    assert forms(argument.stdout) == [TEXT.split()]
    assert argument.stdout.startswith(b"# newdoc\n# newpar\n# sent_id = 1\n# text = the old dog")
    file, without_name = tmp_path / "book.txt", tmp_path / "book"
    file.write_text(TEXT)
    without_name.write_text(TEXT)
    for same in (
        headwise("parse", file, "-m", model),
        headwise("parse", without_name, "-m", model),
        headwise("parse", "-m", model, stdin=TEXT.encode()),
        headwise("parse", "-", "--from", "lines", "-m", model, stdin=TEXT.encode()),
    ):
        assert forms(same.stdout) == forms(argument.stdout)
        assert heads(same.stdout) == heads(argument.stdout)


def test_a_treebank_on_stdin_is_still_one(model: Path, tmp_path: Path) -> None:
    write(toy_treebank(3, seed=5), tmp_path / "in.conllu")
    data = (tmp_path / "in.conllu").read_bytes()
    result = headwise("parse", "-m", model, stdin=data)
    assert forms(result.stdout) == forms(data)
    assert forms(headwise("parse", tmp_path / "in.conllu", TEXT, "-m", model).stdout) == [
        *forms(data),
        TEXT.split(),
    ]
    broken = headwise("parse", "-m", model, stdin=b"1 The the DET DT _ 2 det _ _\n")
    assert broken.returncode == 1  # columns between spaces: a broken treebank, and not a text
    assert b"<stdin>:1" in broken.stderr


@pytest.mark.parametrize("argument", ["", "  "])
def test_nothing_is_no_text(model: Path, argument: str) -> None:
    result = headwise("parse", argument, "-m", model)
    assert (result.returncode, result.stdout) == (1, b"")
    assert b"an argument is empty" in result.stderr


@pytest.mark.parametrize("argument", ["tset.conllu", "folder/book", "my notes.txt", ".hidden", "a.b"])
def test_a_wrong_file_name_is_not_parsed(model: Path, argument: str) -> None:
    result = headwise("parse", argument, "-m", model)
    assert result.returncode == 1
    assert result.stdout == b""
    assert argument.encode() in result.stderr
    assert b"no such file" in result.stderr


@pytest.mark.parametrize("argument", ["tree", "dog.", "the tree.", "猫猫", "x" * 5000 + " y"])
def test_other_arguments_are_text(model: Path, argument: str) -> None:
    result = headwise("parse", argument, "-m", model)
    assert result.returncode == 0, result.stderr.decode()
    assert "".join(form for sentence in forms(result.stdout) for form in sentence) == argument.replace(
        " ", ""
    )


def test_bytes_that_are_not_text_are_named(model: Path) -> None:
    result = headwise("parse", "-m", model, stdin=b"fine\nnot \xff fine\n")
    assert result.returncode == 1
    assert b"<stdin>:2" in result.stderr
    assert b"not UTF-8" in result.stderr
    call = [*map(os.fsencode, [*COMMAND, "parse", "-m", str(model)]), b"not \xff fine"]
    as_argument = subprocess.run(call, capture_output=True, check=False)
    assert as_argument.returncode == 1
    assert b"character 5 of the text" in as_argument.stderr


def test_a_text_that_cannot_be_read_is_named(model: Path, tmp_path: Path) -> None:
    good, bad, wide = (tmp_path / name for name in ("good.txt", "bad.txt", "wide.txt"))
    good.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    bad.write_bytes(b"It wo\0rks.\n")
    result = headwise("parse", good, bad, "-m", model, "-o", tmp_path / "out.conllu")
    assert result.returncode == 1
    assert f"{bad}: character 6 of the text is a NUL character".encode() in result.stderr
    for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
        wide.write_bytes(("\ufeff" + TEXT).encode(encoding))
        result = headwise("parse", wide, "-m", model)
        assert result.returncode == 1
        name = encoding[:6]
        told = f"{wide}:1: the file is {name.upper()} text; convert it to UTF-8: iconv -f {name} -t utf-8"
        assert told.encode() in result.stderr


def test_wrong_models_are_named(model: Path) -> None:
    unknown = headwise("parse", TEXT, "-m", "klingon")
    assert unknown.returncode == 1
    assert b"klingon" in unknown.stderr
    files_only = headwise("parse", TEXT, "-m", model, "--from", "conllu")
    assert files_only.returncode == 2


def test_trees_are_drawn_on_a_terminal(model: Path) -> None:
    reading, writing = pty.openpty()
    process = subprocess.Popen([*COMMAND, "parse", TEXT, "-m", str(model)], stdout=writing)
    assert process.wait(60) == 0
    os.close(writing)
    drawn = os.read(reading, 1 << 16).decode()
    os.close(reading)
    assert "●" in drawn
    assert "\x1b[" in drawn  # in colour
    plain = headwise("parse", TEXT, "-m", model, "--to", "tree").stdout.decode()
    assert "\x1b[" not in plain
    assert [line.split()[-3] for line in plain.splitlines()] == TEXT.split()
    assert headwise("parse", TEXT, TEXT, "-m", model, "--to", "tree").stdout.decode() == f"{plain}\n{plain}"


def test_show_parses_text(model: Path, tmp_path: Path) -> None:
    shown = headwise("show", TEXT, "-m", model).stdout.decode()
    assert shown.startswith(f"# 1: {TEXT}\n")
    assert shown.count("●") == 1
    sure = headwise("show", TEXT, "-m", model, "--alternatives").stdout.decode()
    assert sure.count("%") >= len(TEXT.split())
    page = tmp_path / "page.html"
    assert headwise("show", TEXT, "-m", model, "--alternatives", "-o", page).returncode == 0
    assert "<svg" in page.read_text()
    piped = headwise("show", "-m", model, stdin=TEXT.encode()).stdout.decode()
    assert piped == shown


def test_show_parses_a_treebank_anew_only_when_a_model_is_named(model: Path, tmp_path: Path) -> None:
    treebank = tmp_path / "wrong.conllu"
    (sentence,) = toy_treebank(1, seed=9)
    flat = sentence.with_tree([0] + [1] * (len(sentence) - 1))
    write([flat], treebank)
    as_it_is = headwise("show", treebank).stdout
    anew = headwise("show", treebank, "-m", model).stdout
    assert as_it_is != anew
    for wrong in (("--alternatives",), ("-m", model, "--against", treebank)):
        assert headwise("show", treebank, *wrong).returncode == 2


def test_k_best_trees_side_by_side(model: Path) -> None:
    shown = headwise("show", "dog tree dog", "-m", model, "--k-best", 2).stdout.decode()
    assert shown.startswith("# 1 tree 1 (")
    assert any(line.count("tree") == 2 for line in shown.splitlines()[1:])
    assert shown.count("●") == 2


def test_confidence_is_drawn(model: Path) -> None:
    drawn = headwise("parse", TEXT, "-m", model, "--confidence", "--to", "tree").stdout.decode()
    assert drawn.count("%") == len(TEXT.split())


def test_a_pipeline_tags(model: Path, tmp_path: Path) -> None:
    write([Sentence.from_words(TEXT.split())], tmp_path / "in.conllu")
    (tagged,) = read(headwise("tag", tmp_path / "in.conllu", "-m", model).stdout)
    assert tagged.upos[:4] == ["DET", "ADJ", "NOUN", "VERB"]
