"""`headwise cluster`, `headwise vectors`, `headwise info` of clusters, and training with them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from command_runner import CliRunner
from headwise.base.errors import HeadwiseError
from headwise.cli.app import app
from headwise.treebank import write
from toy_language import toy_treebank


def headwise(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def said(result: Any) -> str:
    """What was printed, without frames and line breaks."""
    return " ".join(result.output.replace("│", " ").split())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(toy_treebank(60, seed=1), "toy.conllu")
    Path("toy.txt").write_text("".join(" ".join(s.forms) + "\n" for s in toy_treebank(300, seed=2)))
    return tmp_path


def test_from_text_to_a_parser(folder: Path) -> None:
    result = headwise("cluster", "toy.txt", "--clusters", "8", "-o", "c.txt")
    assert result.exit_code == 0, result.output
    assert "8 clusters" in said(result)
    assert headwise("cluster", "toy.txt", "--clusters", "8", "-o", "d.txt", "--threads", "2").exit_code == 0
    assert Path("c.txt").read_bytes() == Path("d.txt").read_bytes()
    trained = headwise(
        *(
            "train",
            "toy.conllu",
            "-o",
            "m.hw",
            "--factorization",
            "arc",
            "--epochs",
            "2",
            "-q",
            "--no-calibration",
        ),
        *("--word-clusters", "c.txt", "--without-column", "upos", "--without-column", "LEMMA"),
        *("--frequent-words", "5", "--cutoff", "2"),
    )
    assert trained.exit_code == 0, trained.output
    Path("c.txt").unlink()
    parsed = headwise("parse", "toy.conllu", "-m", "m.hw", "-o", "parsed.conllu")
    assert parsed.exit_code == 0, parsed.output


def test_clusters_are_shown(folder: Path) -> None:
    headwise("cluster", "toy.txt", "--clusters", "8", "-o", "c.txt", "-q")
    assert "word clusters" in said(headwise("info", "c.txt"))
    near = headwise("info", "c.txt", "--near", "dog")
    assert near.exit_code == 0
    assert near.output.startswith("dog\t")
    known = json.loads(headwise("info", "c.txt", "--json", "--near", "dog").output)
    assert known["clusters"] == 8
    assert sum(known["depths"].values()) == 8
    assert "dog" not in known["near"]["dog"]
    missing = headwise("info", "c.txt", "--near", "brillig")
    assert isinstance(missing.exception, HeadwiseError)
    assert "--near is for files of word clusters" in said(headwise("info", "toy.conllu", "--near", "dog"))


def test_reassigned_words_and_lines_as_one_text(folder: Path) -> None:
    options = ("cluster", "toy.txt", "--clusters", "6", "-o", "c.txt")
    merged, reassigned = (said(headwise(*options, *more)) for more in ([], ["--reassign"]))
    assert bits_of(reassigned) >= bits_of(merged)
    assert headwise(*options, "--across-lines", "-q").exit_code == 0
    for refused in (
        ["--reassign", "--method", "exchange"],
        ["--across-lines", "--method", "hmm"],
        ["--across-lines", "--context", "heads"],
    ):
        assert headwise(*options, *refused).exit_code == 2


def bits_of(message: str) -> float:
    return float(re.search(r"([\d.]+) bits", message)[1])  # type: ignore[index]


@pytest.mark.parametrize("method", ["exchange", "hmm"])
def test_other_methods(folder: Path, method: str) -> None:
    result = headwise("cluster", "toy.txt", "--clusters", "6", "--method", method, "-o", "c.txt", "-q")
    assert result.exit_code == 0, (result.output, result.exception)
    assert json.loads(headwise("info", "c.txt", "--json").output)["clusters"] in range(2, 7)


def test_syntactic_clusters(folder: Path) -> None:
    result = headwise("cluster", "toy.conllu", "--context", "heads", "--clusters", "5", "-o", "c.txt", "-q")
    assert result.exit_code == 0, result.output
    refused = headwise("cluster", "toy.txt", "--context", "heads", "--input", "text", "-o", "c.txt")
    assert refused.exit_code == 2


def test_from_text_to_vectors_to_a_parser(folder: Path) -> None:
    pytest.importorskip("scipy")
    result = headwise("vectors", "toy.txt", "--width", "4", "--min-count", "1", "-o", "v.txt.gz")
    assert result.exit_code == 0, result.output
    assert "vectors of 4 numbers" in said(result)
    trained = headwise(
        *(
            "train",
            "toy.conllu",
            "-o",
            "m.hw",
            "--epochs",
            "1",
            "-q",
            "--no-calibration",
            "--factorization",
            "arc",
        ),
        *("--tensor-rank", "3", "--vectors", "v.txt.gz"),
    )
    assert trained.exit_code == 0, trained.output


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["cluster", "one.txt", "-o", "o.txt"], "fewer than two"),
        (["cluster", "empty.txt", "-o", "o.txt"], "no words"),
        (["cluster", "binary", "-o", "o.txt"], "not UTF-8"),
        (["cluster", "toy.txt", "-o", "o.txt", "--clusters", "5000"], "fewer than 5000 clusters"),
        (["cluster", "nothing.txt", "-o", "o.txt"], "No such file"),
        (["cluster", "toy.txt", "-o", "o.txt", "-m", "brillig"], "no such file"),
        (["vectors", "one.txt", "-o", "o.txt"], "too few for vectors"),
        (["train", "toy.conllu", "-o", "o.txt", "-q", "--word-clusters", "broken.txt"], "broken.txt:2"),
        (["train", "toy.conllu", "-o", "o.txt", "-q", "--vectors", "uneven.txt"], "uneven.txt:2: 3 numbers"),
    ],
)
def test_bad_input_is_explained(folder: Path, arguments: list[str], problem: str) -> None:
    pytest.importorskip("scipy")
    Path("one.txt").write_text("one\n")
    Path("empty.txt").write_text("")
    Path("binary").write_bytes(bytes(range(128, 256)))
    Path("broken.txt").write_text("00\ta\t1\n0x\tb\t1\n")
    Path("uneven.txt").write_text("a 1 2\nb 1 2 3\n")
    result = headwise(*arguments)
    assert isinstance(result.exception, HeadwiseError)
    assert problem in str(result.exception)
    assert not Path("o.txt").exists()
