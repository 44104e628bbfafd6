"""Text as it comes: whatever it is, valid CoNLL-U with all of its characters, or an error that says where."""

from __future__ import annotations

import random

import pytest

from headwise import Pipeline
from headwise.components.text import TextError
from headwise.training import TrainingSettings
from headwise.treebank import check_tree, read
from toy_language import toy_treebank

RANDOM = random.Random(1)
TEXTS = {
    "empty": "",
    "blank": " \n\t \r\n\n\u3000\n",
    "one letter": "a",
    "no spaces": "wherethewildthingsare" * 200,
    "one long word": "x" * 70_000,
    "emoji": "👩‍👩‍👧‍👦 I ❤️ 🇫🇷 😂😂😂!!! ok 👍🏽",
    "control characters": "a\x07bell\x1b[31mred\x1b[0m\x7f\x85next\u2028line\u2029 \x0b\x0c\r\nx\ry",
    "tabs": "a\tb\tc\n1\tThe\tthe\n",
    "right to left": "هذا كتاب. اقرأ! שלום עולם.",
    "byte order mark": "\ufeffHello there.",
    "other spaces": "a\u00a0b\u2003c\u3000d 10\u00a0000",
    "combining accents": "e\u0301" * 2000,
    "invisible characters": "\u200b\u200d\u200e\u202e abc \u202c",
    "punctuation": "." * 2000 + " " + "!?" * 1000,
    "comment lines": "# text = x\n# sent_id = 1\nNormal.",
    "underscores": "_ _ _ __ _",
    "no full stop": "the dog sees a tree and " * 150,
    "other scripts": "我喜欢学习。你呢?" * 50,
    "not characters": "\ufffe\uffff\U0010ffff x",
    "anything": "".join(
        chr(RANDOM.choice([RANDOM.randrange(32, 0xD7FF), RANDOM.randrange(0x10000, 0x10FFFF)]))
        for _ in range(3000)
    ),
}


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    settings = TrainingSettings.preset("second", arc_bits=14, label_bits=14, pruning__bits=14, epochs=1)
    return Pipeline.train(toy_treebank(100, seed=1), settings=settings, jackknife=2)


def without_spaces(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("name", TEXTS)
def test_any_text_becomes_trees(pipeline: Pipeline, name: str) -> None:
    text = TEXTS[name]
    parses = pipeline(text)
    written = "".join(parse.to_conllu() for parse in parses)
    sentences = list(read(written.encode(), format="conllu"))
    assert len(sentences) == len(parses)
    for sentence in sentences:
        assert check_tree(sentence.heads, single_root=True) == []
    assert without_spaces("".join(sentence.text or "" for sentence in sentences)) == without_spaces(text)


@pytest.mark.parametrize(("text", "position"), [("one\ntwo\0", "8"), ("\ud800", "1"), ("ab \udcff", "4")])
@pytest.mark.parametrize("input", ["text", "lines", "tokens"])
def test_what_conllu_cannot_hold_is_named(pipeline: Pipeline, text: str, position: str, input: str) -> None:
    with pytest.raises(TextError, match=f"^character {position} of the text"):
        list(pipeline.pipe_lines(text.splitlines(keepends=True), input=input))  # type: ignore[arg-type]


def test_a_sentence_without_end_is_cut(pipeline: Pipeline) -> None:
    parses = pipeline("the dog sees a tree and " * 110)
    assert [len(parse) for parse in parses] == [300, 300, 60]
    assert not any(parse.limited for parse in parses)


def test_given_sentences_are_never_cut(pipeline: Pipeline) -> None:
    (parse,) = pipeline.pipe_lines(["the dog sees a tree and " * 60 + "\n"], input="lines")
    assert len(parse) == 360
    assert parse.limited
