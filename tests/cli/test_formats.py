"""Formats of output are one registry: whoever writes asks it, and a format is a file and a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command_runner import CliRunner, Result
from headwise import HeadwiseError, Parser
from headwise.cli.app import app
from headwise.pipeline.formats import registry
from headwise.pipeline.formats.output_file import OutputFile
from headwise.pipeline.formats.registry import FORMATS, Format, format_by_name, format_of_file
from headwise.treebank import Sentence, read, write


def headwise(*arguments: object) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None and not str(result.exception):
        raise result.exception
    return result


@pytest.fixture
def folder(parser: Parser, test_sentences: list[Sentence], tmp_path: Path) -> Path:
    parser.save(tmp_path / "model.hw")
    write(test_sentences[:5], tmp_path / "five.conllu")
    write(test_sentences[:1], tmp_path / "one.conllu")
    return tmp_path


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_every_format_is_written_by_parse_and_convert(format: Format, folder: Path) -> None:
    if not format.is_text:
        pytest.importorskip("pyarrow", reason="Parquet needs pyarrow, which is not installed")
    source = folder / ("one.conllu" if format.is_single else "five.conllu")
    converted = headwise("convert", source, "--to", format.name, "-o", folder / "converted")
    assert converted.exit_code == 0, converted.output
    assert (folder / "converted").stat().st_size > 100
    call = ("parse", source, "-m", folder / "model.hw", "--to", format.name, "-o", folder / "parsed")
    parsed = headwise(*call)
    assert parsed.exit_code == (0 if format.holds_trees else 2), parsed.output
    asked = headwise(*call, "--confidence")
    assert asked.exit_code == (0 if format.holds_trees and format.holds_comments else 2), asked.output


def test_a_format_that_is_added_is_offered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Lengths(OutputFile):
        def put(self, sentence: Sentence, place: Any) -> None:
            self.output.write(f"{len(sentence)}\n".encode())

    lengths = Format("lengths", "lengths:Lengths", (".lengths",))
    monkeypatch.setattr(Format, "start", lambda self, output, **_: Lengths(output))
    monkeypatch.setitem(registry._BY_NAME, "lengths", lengths)
    with format_by_name("lengths").opened(folder / "a.lengths") as file:
        for sentence in read(folder / "five.conllu"):
            file.write(sentence)
    expected = [len(sentence) for sentence in read(folder / "five.conllu")]
    assert [int(line) for line in (folder / "a.lengths").read_text().split()] == expected


def test_names_promise_formats() -> None:
    found = {name: format_of_file(Path(name)) for name in ("a.conllu.gz", "a.JSONL", "a.svg", "a.htm", "a.x")}
    names = {name: format and format.name for name, format in found.items()}
    assert names == {"a.conllu.gz": "conllu", "a.JSONL": "json", "a.svg": "svg", "a.htm": "html", "a.x": None}
    with pytest.raises(HeadwiseError, match="There are: same, conllu"):
        format_by_name("matxin")


def test_what_is_compressed_already(folder: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet needs pyarrow, which is not installed")
    result = headwise("convert", folder / "five.conllu", "--to", "parquet", "-o", folder / "a.gz")
    assert "compressed already" in str(result.exception)


def test_parses_in_parquet_come_back(folder: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet needs pyarrow, which is not installed")
    call = ("parse", folder / "five.conllu", "-m", folder / "model.hw", "--confidence")
    headwise(*call, "-o", folder / "a.conllu")
    headwise(*call, "--to", "parquet", "-o", folder / "a.parquet")
    headwise("convert", folder / "a.parquet", "-o", folder / "back.conllu")
    back = [(s.heads.tolist(), s.labels, s.misc) for s in read(folder / "back.conllu")]
    assert back == [(s.heads.tolist(), s.labels, s.misc) for s in read(folder / "a.conllu")]


def test_a_page_of_parses(folder: Path) -> None:
    result = headwise("parse", folder / "five.conllu", "-m", folder / "model.hw", "--to", "html")
    assert result.exit_code == 0
    assert result.stdout.startswith("<!DOCTYPE html>")
    assert result.stdout.count("<figure>") == 5


def test_one_tree_in_a_drawing(folder: Path) -> None:
    for source, found in (("five.conllu", "several"), ("one.conllu", "")):
        result = headwise("show", folder / source, "--format", "svg")
        assert (found in str(result.exception)) if found else result.stdout.startswith("<svg")


def test_json_of_corpora_says_where(folder: Path) -> None:
    out = folder / "out"
    assert headwise("corpus", folder / "five.conllu", "-m", folder / "model.hw", "--to", "json", "-o", out)
    (shard,) = out.glob("*.jsonl")
    assert [json.loads(line)["document"] for line in shard.read_text().splitlines()] == ["five.conllu"] * 5
