"""The commands with bracketed trees, and what they say of bad input."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from test_model1_forest import random_tree
from typer.testing import CliRunner, Result

from headwise.cli import app
from headwise.constituency import Tree, read_brackets
from headwise.constituency.parser import PhraseParser
from headwise.errors import HeadwiseError

SENTENCE = "(S (NP (DT the) (NN man)) (VP (VBD saw) (NP (DT a) (NN dog))) (. .))"


def english(count: int = 40) -> list[Tree]:
    """A little language: noun phrases with and without prepositional phrases."""
    chance = random.Random(2)

    def noun_phrase(depth: int = 0) -> str:
        base = f"(NP (DT {chance.choice(['the', 'a'])}) (NN {chance.choice(['man', 'dog', 'park', 'cat'])}))"
        if depth < 2 and chance.random() < 0.3:
            return f"(NP {base} (PP (IN {chance.choice(['in', 'with'])}) {noun_phrase(depth + 1)}))"
        return base

    return [
        Tree.parse(
            f"(ROOT (S {noun_phrase()} (VP (VBD {chance.choice(['saw', 'met'])}) {noun_phrase()}) (. .)))"
        )
        for _ in range(count)
    ]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("phrases")
    text = "".join(f"{tree}\n" for tree in english())
    (folder / "train.ptb").write_text(text, encoding="utf-8")
    (folder / "unnamed").write_text(text, encoding="utf-8")
    result = run("train", folder / "train.ptb", "-o", folder / "model.hw", "-q")
    assert result.exit_code == 0, result.output
    return folder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_train_parse_and_evaluate(files: Path) -> None:
    out = files / "parsed.ptb"
    assert run("parse", files / "train.ptb", "-m", files / "model.hw", "-o", out).exit_code == 0
    assert len(list(read_brackets(out))) == 40
    result = run("evaluate", files / "train.ptb", out)
    assert "Bracketing F1" in result.output
    report = json.loads(run("evaluate", files / "unnamed", out, "--compare", out, "--json").output)
    assert report["scores"]["f1"] > 0.8
    assert report["scores"]["tag_accuracy"] == 1.0
    assert report["permutation_test"]["p_value"] == 1.0


def test_parses_as_json_conllu_and_drawings(files: Path) -> None:
    words = "the man saw a dog ."
    document = json.loads(run("parse", words, "-m", files / "model.hw", "--to", "json").output)
    assert document["words"] == words.split()
    assert document["heads"] == [2, 3, 0, 5, 3, 3]
    assert document["exact"] is True
    assert document["threshold"] > 0
    assert "\t3\t" in run("parse", words, "-m", files / "model.hw", "--to", "conllu").output
    assert "── dog" in run("parse", words, "-m", files / "model.hw", "--to", "tree").output
    assert run("parse", words, "-m", files / "model.hw").output.startswith("(ROOT (S (NP (DT the)")
    assert run("parse", words, "-m", files / "model.hw", "--to", "conllx").exit_code == 2


def test_show_and_convert(files: Path, tmp_path: Path) -> None:
    assert "── " in run("show", files / "unnamed", "-s", "1").output
    svg = run("show", files / "train.ptb", "-s", "2", "--format", "svg").output
    assert svg.startswith("<svg")
    page = run("show", files / "train.ptb", "-s", "1-3", "--format", "html").output
    assert page.count("<svg") == 3
    assert run("show", files / "train.ptb", "--format", "svg").exit_code == 2
    out = tmp_path / "same.ptb"
    assert run("convert", files / "train.ptb", "-o", out).exit_code == 0
    assert out.read_bytes() == (files / "train.ptb").read_bytes()
    conllu = run("convert", files / "train.ptb", "--to", "conllu").output
    assert "\tROOT\t" in conllu


def test_a_model_comes_back_from_its_file(files: Path, tmp_path: Path) -> None:
    loaded = PhraseParser.load(files / "model.hw")
    words = ["a", "dog", "with", "the", "cat", "met", "a", "man", "in", "a", "park", "."]
    before = loaded(words)
    loaded.save(tmp_path / "again.hw")
    after = PhraseParser.load(tmp_path / "again.hw")(words)
    assert after == before
    assert (tmp_path / "again.hw").read_bytes() == (files / "model.hw").read_bytes()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("unbalanced.ptb", "(S (NP (A b))\n", "not closed"),
        ("empty.ptb", "(S (NP ) (A b))", "no words"),
        ("conllu.ptb", "1\tShe\tshe\tPRON\t_\t_\t0\troot\t_\t_\n\n", "CoNLL-U"),
        ("nothing.ptb", "", "no trees"),
        ("traces.ptb", "(S (NP *T*-1))", "no trees"),
    ],
)
def test_bad_input_is_named(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    result = run("train", path, "-o", tmp_path / "model.hw", "-q")
    assert isinstance(result.exception, HeadwiseError)
    assert said in str(result.exception)


def test_odd_sentences_have_trees(files: Path) -> None:
    parser = PhraseParser.load(files / "model.hw")
    for words in (["x" * 10_000], ["dog", "dog", "dog"], [".", ".", "the"], ["(", "\u200b"], ["saw"]):
        parse = parser(words)
        assert parse.tree.words == words
        assert parse.tree.label == "ROOT"
    with pytest.raises(HeadwiseError, match="without words"):
        parser([])
    with pytest.raises(HeadwiseError, match="too long"):
        parser(["dog"] * 1000)


def test_labels_unseen_in_training_count_as_wrong(files: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ptb"
    other.write_text(
        (files / "train.ptb").read_text(encoding="utf-8").replace("(VP", "(NEW"), encoding="utf-8"
    )
    report = json.loads(run("evaluate", other, files / "train.ptb", "--json").output)
    assert 0 < report["scores"]["f1"] < 1
    assert run("parse", other, "-m", files / "model.hw").exit_code == 0


def test_joined_with_a_tagger_and_with_dependencies(tmp_path: Path) -> None:
    trees = english()
    for join in ("tagger", "dependencies"):
        parser = PhraseParser.train(trees, join=join)  # type: ignore[arg-type]
        parser.save(tmp_path / f"{join}.hw")
        loaded = PhraseParser.load(tmp_path / f"{join}.hw")
        for tree in trees[:5]:
            parse = loaded(tree.words)
            assert parse.exact
            assert parse.tree.words == tree.words
            assert parse == parser(tree.words)


def test_learned_head_rules_make_a_parser_too() -> None:
    chance = random.Random(3)
    parser = PhraseParser.train([random_tree(chance, chance.randint(1, 5)) for _ in range(30)])
    assert parser(["x", "y", "z", "x"]).tree.words == ["x", "y", "z", "x"]
