"""The commands with bracketed trees, and what they say of bad input."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from test_model1_forest import random_tree

from command_runner import CliRunner, Result
from headwise.base.errors import HeadwiseError
from headwise.cli.app import app
from headwise.constituency import Tree, read_brackets
from headwise.constituency.parser import GRID, PhraseParser
from headwise.model import ModelFile, write_model
from headwise.model.compression import compress_model
from headwise.model.file import model_bytes

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
    """A command of `headwise phrases`."""
    return of_words("phrases", *arguments)


def of_words(*arguments: object) -> Result:
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
        ("binary.ptb", b"\x00\x01\xff\xfe(((", "not UTF-8"),
    ],
)
def test_bad_input_is_named(tmp_path: Path, name: str, text: str | bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    for command in (
        ("train", path, "-o", tmp_path / "model.hw", "-q"),
        ("evaluate", path, path),
        ("show", path),
        ("convert", path, "--to", "conllu"),
    ):
        result = run(*command)
        assert result.exception is None or isinstance(result.exception, HeadwiseError)
        if command[0] == "train":
            assert said in str(result.exception)


def test_options_that_mean_nothing_are_refused(files: Path, tmp_path: Path) -> None:
    train, out = files / "train.ptb", tmp_path / "model.hw"
    for command, said in (
        (("train", train, "--dev", train, "-o", out), "--dev tunes"),
        (("convert", train, "--head-rules", "collins"), "--head-rules are for dependencies"),
        (("show", "the man saw a dog ."), "name a model"),
    ):
        result = run(*command)
        assert result.exit_code == 2, command
        assert said in " ".join(result.output.replace("│", " ").split())


def test_other_commands_say_where_brackets_go(files: Path, tmp_path: Path) -> None:
    """Each of these was a call for bracketed trees before they had commands of their own."""
    train, model, out = files / "train.ptb", files / "model.hw", tmp_path / "out"
    conllu = tmp_path / "one.conllu"
    conllu.write_text("1\tgo\t_\t_\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    for command in (
        ("train", train, "-o", out),
        ("train", train, "--joined", "tagger", "-o", out),
        ("train", train, "--head-rules", "collins", "-o", out),
        ("parse", "the man saw a dog .", "-m", model),
        ("parse", train),
        ("show", train),
        ("show", "the man saw a dog .", "-m", model),
        ("evaluate", train, train),
        ("convert", train, "--to", "conllu"),
        ("convert", train, "--strip", "empty"),
        ("info", train),
        ("info", model),
    ):
        result = of_words(*command)
        assert result.exit_code == 2, command
        said = " ".join(result.stderr.replace("│", " ").split())
        assert f"headwise phrases {command[0]}" in said, said


def test_what_is_in_a_file(files: Path, tmp_path: Path) -> None:
    assert "Model 1" in run("info", files / "model.hw").output
    path = tmp_path / "two.ptb"
    path.write_text("(S (NP-SBJ (-NONE- *)) (VP (VB go)))\n(S (NP ))\n(S (A b))\n", encoding="utf-8")
    result = run("info", path)
    assert "2 bracketed trees, 2 words" in result.output
    assert result.exit_code == 1
    report = json.loads(run("info", files / "train.ptb", "--json").output)
    assert (report["trees"], report["phrases"]["S"], report["tags"]["."]) == (40, 40, 40)
    assert report["deepest"] > 4


def test_several_trees_of_a_sentence(files: Path) -> None:
    words = "the man met a dog with the cat in a park with the man ."
    trees = run("parse", words, "-m", files / "model.hw", "--k-best", "3").output.splitlines()
    assert len(set(trees)) == len(trees) == 3
    assert trees[0] == run("parse", words, "-m", files / "model.hw").output.strip()
    scores = [
        json.loads(line)["score"]
        for line in run(
            "parse", words, "-m", files / "model.hw", "--k-best", "3", "--to", "json"
        ).output.splitlines()
    ]
    assert scores == sorted(scores, reverse=True)


def test_sentences_are_read_from_text_and_conllu(files: Path, tmp_path: Path) -> None:
    model = files / "model.hw"
    text = tmp_path / "text.txt"
    text.write_text("the man saw a dog .\n\na cat met the dog.\n", encoding="utf-8")
    result = run("parse", text, "-m", model, "-o", tmp_path / "out.ptb")
    assert [tree.words for tree in read_brackets(tmp_path / "out.ptb")] == [
        ["the", "man", "saw", "a", "dog", "."],
        ["a", "cat", "met", "the", "dog."],
    ]
    assert "dog. is one word" in result.stderr
    conllu = tmp_path / "in.conllu"
    run("convert", files / "train.ptb", "--to", "conllu", "-o", conllu)
    run("parse", conllu, "-m", model, "-o", tmp_path / "out.ptb")
    assert len(list(read_brackets(tmp_path / "out.ptb"))) == 40
    assert "── dog" in run("show", "the man saw a dog .", "-m", model).output


def test_what_is_not_wanted_is_stripped(tmp_path: Path) -> None:
    path = tmp_path / "one.ptb"
    path.write_text("( (S (NP-SBJ (-NONE- *)) (VP (S (VP (VB go) (NP-TMP (NN today)))))))", encoding="utf-8")
    everything = ("--strip", "empty", "--strip", "functions", "--strip", "chains")
    assert run("convert", path, "--strip", "empty").output.startswith("((S (VP (S")
    assert run("convert", path, *everything).output == "((VB go) (NP (NN today)))\n"
    conllu = run("convert", path, "--to", "conllu", "--head-rules", "historical").output
    assert "\tgo\t" in conllu
    assert "TMP" in conllu


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
        parser = PhraseParser.train(trees, dev=trees[:3], join=join)  # type: ignore[arg-type]
        assert parser.weight in GRID
        parser.save(tmp_path / f"{join}.hw")
        loaded = PhraseParser.load(tmp_path / f"{join}.hw")
        for tree in trees[:5]:
            parse = loaded(tree.words)
            assert parse.exact
            assert parse.tree.words == tree.words
            assert parse == parser(tree.words)
        with pytest.raises(HeadwiseError, match="without --joined"):
            loaded.k_best(trees[0].words, 2)


def test_files_that_hold_whole_model_files_are_read(tmp_path: Path) -> None:
    """As they were written before parts had tables of their own."""
    trees = english()
    parser = PhraseParser.train(trees, join="dependencies")
    assert parser.tagger is not None
    assert parser.parser is not None
    config, tensors = parser.to_tensors()
    own = {name: table for name, table in tensors.items() if "." not in name}
    for part, model in (("tagger", parser.tagger), ("parser", parser.parser)):
        own[part] = np.frombuffer(model_bytes(model.KIND, *model.to_tensors()), np.uint8)
        del config[part]
    write_model(tmp_path / "old.hw", PhraseParser.KIND, config, own)
    loaded = PhraseParser.load(tmp_path / "old.hw")
    loaded.save(tmp_path / "new.hw")
    assert "parser.arcs" in ModelFile.open(tmp_path / "new.hw").shapes
    compress_model(tmp_path / "new.hw", tmp_path / "small.hw")
    for tree in trees[:3]:
        assert loaded(tree.words) == parser(tree.words)
        assert PhraseParser.load(tmp_path / "small.hw")(tree.words).tree == parser(tree.words).tree


def test_learned_head_rules_make_a_parser_too() -> None:
    chance = random.Random(3)
    parser = PhraseParser.train([random_tree(chance, chance.randint(1, 5)) for _ in range(30)])
    assert parser(["x", "y", "z", "x"]).tree.words == ["x", "y", "z", "x"]
