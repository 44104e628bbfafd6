"""Treebanks that do not say where spaces are: what is learned from them nevertheless."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from headwise import Pipeline
from headwise.components.text import Tokenizer
from headwise.components.text.accuracy import split_scores
from headwise.components.text.raw_text import sentence_text, surface_tokens
from headwise.components.text.spacing import Spacing, says_spacing
from headwise.learning import Listener
from headwise.pipeline.formats.registry import format_by_name
from headwise.treebank import Sentence, read
from toy_language import SMALL, toy_treebank


def sentence(text: str) -> Sentence:
    return Sentence.from_words(text.split())


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("Hello , world !", "Hello, world!"),
        ("She ( the cook ) left .", "She (the cook) left."),
        ('He said : " go home " .', 'He said: "go home".'),
        ("¿ Quién es ?", "¿Quién es?"),
        ("他 读 书 。", "他读书。"),
        ("彼 は 本 を 読む 。", "彼は本を読む。"),
    ],
)
def test_the_usual_rules(tokens: str, text: str) -> None:
    one = sentence(tokens)
    (respaced,) = Spacing.usual([one]).respaced([one])
    assert sentence_text(respaced)[0] == text
    assert respaced.forms == one.forms


def test_raw_text_knows_better() -> None:
    raw = ["Il dit : « oui » ; elle rit !\n"] * 10 + ["l'eau d'ici\n"] * 10
    spacing = Spacing.of_text(raw)
    (respaced,) = spacing.respaced([sentence("Elle dit : « l ' eau » !")])
    assert sentence_text(respaced)[0] == "Elle dit : « l'eau » !"
    assert (
        sentence_text(Spacing.of_text(["他读书。他听音乐。\n"] * 9).respaced([sentence("他 读")])[0])[0]
        == "他读"
    )


def test_what_says_where_spaces_are() -> None:
    plain = sentence("a b .")
    assert not says_spacing([plain])
    assert says_spacing([plain, plain.with_added_comments(["# text = a b."])])
    assert says_spacing([Sentence.from_words(["a", "."], misc=["SpaceAfter=No", "_"])])
    assert not says_spacing([plain.to_conllx()])


def test_a_pipeline_splits_off_punctuation_that_it_never_saw_attached() -> None:
    treebank = toy_treebank(150, seed=1)
    assert not says_spacing(treebank)
    heard: list[str] = []
    pipeline = Pipeline.train(treebank, jackknife=2, listener=Listener(message=heard.append), **SMALL)
    assert any("does not say where spaces are" in line and "--text" in line for line in heard)
    (parse,) = pipeline("the old dog sees a tree.")
    assert parse.sentence.forms == ["the", "old", "dog", "sees", "a", "tree", "."]


def test_a_pipeline_learns_spacing_from_text(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("the dog sleeps . a tree , too .\n" * 20, encoding="utf-8")
    heard: list[str] = []
    pipeline = Pipeline.train(
        toy_treebank(60, seed=1), jackknife=2, text=text, listener=Listener(message=heard.append), **SMALL
    )
    assert any("learns that from the raw text" in line for line in heard)
    assert [w.form for w in pipeline("the dog sees a tree .").words][-2:] == ["tree", "."]


def test_accuracy_of_splitting() -> None:
    gold = Spacing().respaced([sentence("the dog sleeps ."), sentence("a tree , too .")] * 20)
    tokenizer = Tokenizer.train(gold)
    scores = split_scores(gold, tokenizer)
    assert scores.tokens > 0.95
    assert str(scores).startswith("dev tokens ")
    wrong = split_scores([sentence("thedog sleeps")], tokenizer)
    assert wrong.sentences == 1.0


def test_text_of_scripts_without_spaces_has_no_line_breaks_in_it() -> None:
    output = io.BytesIO()
    with format_by_name("text").opened(output) as opened:
        for tokens in ["他 读 书 。", "他 听 音乐 。"] * 26:
            opened.write(sentence(tokens))
    text = output.getvalue().decode()
    assert text == "他读书。他听音乐。" * 25 + "\n\n" + "他读书。他听音乐。\n"
    assert opened.guessed == 52


def test_a_text_with_spaces_around_every_mark_is_written_anew() -> None:
    lines = ["# text = Yes , please ."]
    lines += [
        f"{i}\t{form}\t_\t_\t_\t_\t{i - 1}\tx\t_\t_" for i, form in enumerate(("Yes", ",", "please", "."), 1)
    ]
    (sentence,) = read(("\n".join(lines) + "\n\n").encode())
    (respaced,) = Spacing.usual([sentence]).respaced([sentence])
    assert respaced.text == "Yes, please."
    assert respaced.comments == ["# text = Yes, please."]
    assert [token.space_after for token in surface_tokens(respaced)][:-1] == [False, True, False]
