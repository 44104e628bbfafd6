"""Doubts about text, half-annotated files and files of headwise annotate; as a page, and for other tools."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from command_runner import CliRunner, Result
from headwise import Parser
from headwise.cli.app import app
from headwise.components.parser.constraints import Constraints
from headwise.evaluation.doubt import doubts_of
from headwise.treebank import Sentence, read, write
from toy_language import SMALL, toy_treebank


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.train(toy_treebank(30, seed=1), **SMALL)


@pytest.fixture
def model(parser: Parser, tmp_path: Path) -> str:
    parser.save(tmp_path / "model.hw")
    return str(tmp_path / "model.hw")


def half(sentence: Sentence) -> Sentence:
    """Every other head."""
    heads = [h if m % 2 else -1 for m, h in enumerate(sentence.heads.tolist(), 1)]
    return sentence.with_tree(
        heads, [x if h >= 0 else "_" for h, x in zip(heads, sentence.labels, strict=True)]
    )


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(app, ["doubt", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result


def test_words_without_a_head_are_judged_around_the_others(parser: Parser) -> None:
    whole, other, *_ = toy_treebank(5, seed=9)
    partial, bare = half(whole), other.with_tree([-1] * len(other), ["_"] * len(other))
    first, second, third = doubts_of(parser, [partial, bare, whole])
    around = next(parser.pipe([partial], constraints=Constraints.of_annotation, confidence=True))
    arcs = parser.arc_probabilities(partial)
    for m, head in enumerate(partial.heads.tolist(), 1):
        expected = around.entropy[m - 1] if head < 0 else -np.log(arcs[head, m])
        assert first.words[m - 1] == pytest.approx(expected)
        assert (first.annotated_arc(m) is None) == (head < 0)
    assert np.array_equal(second.words, next(parser.pipe([bare], confidence=True)).entropy)
    assert np.array_equal(third.words, next(doubts_of(parser, [whole])).words)


def test_only_marks_count_where_there_are_some(tmp_path: Path, model: str) -> None:
    sentence = toy_treebank(1, seed=9)[0]
    marked = sentence.with_tree(sentence.heads, misc=["Annotated=Yes", *["_"] * (len(sentence) - 1)])
    write([marked], tmp_path / "marked.conllu")
    rows = run(tmp_path / "marked.conllu", "-m", model, "--to", "json").output.splitlines()
    assert {json.loads(row)["word"]: "annotated" in json.loads(row) for row in rows} == {
        m: m == 1 for m in range(1, len(sentence) + 1)
    }


def test_text(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Time flies like an arrow. She sleeps.\n")
    rows = run(tmp_path / "text.txt", "-m", "en", "--to", "json").output.splitlines()
    assert {json.loads(row)["form"] for row in rows} >= {"Time", "flies", "arrow", "sleeps"}
    refused = CliRunner().invoke(app, ["doubt", str(tmp_path / "text.txt")])
    assert refused.exit_code != 0
    assert "Give a --model" in str(refused.exception)


def test_bugs_for_other_tools(tmp_path: Path, model: str) -> None:
    sentences = toy_treebank(6, seed=9)
    last = len(sentences[0])
    heads = sentences[0].heads.copy()
    heads[last - 1] = 1  # the full stop
    misc = ["_"] * (last - 1) + ["Bug=other"]
    write([sentences[0].with_tree(heads, misc=misc), *sentences[1:]], tmp_path / "spoiled.conllu")
    run(
        tmp_path / "spoiled.conllu",
        "-m",
        model,
        "--to",
        "conllu",
        "--top",
        "1",
        "-o",
        tmp_path / "out.conllu",
    )
    (found,) = read(tmp_path / "out.conllu")
    assert "Bug=other,doubtful-head" in found.misc[last - 1].split("|")
    assert sum("Bug=" in field for field in found.misc) == 1


@pytest.mark.parametrize("by", ["words", "sentences"])
@pytest.mark.parametrize("annotated", [True, False])
def test_a_page(tmp_path: Path, model: str, by: str, annotated: bool) -> None:
    sentences = toy_treebank(6, seed=9)
    if not annotated:
        sentences = [half(sentences[0]), *(s.with_tree([-1] * len(s), ["_"] * len(s)) for s in sentences[1:])]
    write(sentences, tmp_path / "a&b.conllu")
    run(tmp_path / "a&b.conllu", "-m", model, "--by", by, "--top", "4", "-o", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    document = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))  # well-formed
    name = "{http://www.w3.org/1999/xhtml}"
    assert len(document.findall(f".//{name}figure")) == 4
    links = {link.attrib["href"][1:] for link in document.iter(f"{name}a")}
    assert links == {heading.attrib["id"] for heading in document.iter(f"{name}h2")}
    assert page.count("is-suspect") == (5 if by == "words" else 1)  # and once in the style
    assert not re.search(r"<script|https?://(?!www\.w3\.org)", page)
