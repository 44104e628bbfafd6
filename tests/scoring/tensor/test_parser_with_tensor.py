"""A parser with a low-rank tensor: any factorization and learner, files, the same bytes, the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from command_runner import CliRunner
from headwise import HeadwiseError, Parser
from headwise.cli.app import app
from headwise.components.scoring.template_file import load_template_file
from headwise.components.tensor.neighbours import Occurrences
from headwise.model.compression import compress_model
from headwise.model.file import ModelError
from headwise.training import TrainingSettings, train_parser
from headwise.treebank import Sentence, writer
from toy_language import SMALL, WORDS, toy_treebank
from vector_widths import outputs_at_every_width

SENTENCES = toy_treebank(40, seed=1)
NEW = toy_treebank(15, seed=2)
SETTINGS = TrainingSettings.preset(**SMALL, calibrate=False, tensor=6)


@pytest.fixture(scope="module")
def parser() -> Parser:
    return train_parser(SENTENCES, None, SETTINGS)


def accuracy(parser: Parser, sentences: list[Sentence] = NEW) -> float:
    parses = parser.pipe(sentences)
    right = sum(int(np.count_nonzero(p.heads == s.heads)) for p, s in zip(parses, sentences, strict=True))
    return right / sum(map(len, sentences))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"tensor__start": "random"},
        {"tensor__share": 0.0},
        {"learner": "log-linear"},
        {"learner": "max-margin"},
        {"labels": "joint"},
        {"trees": "nonprojective"},
        {"factorization": "sibling"},
        {"factorization": "model1"},
        {"factorization": "model2", "trees": "nonprojective"},
        {"factorization": "sibling", "rival": "relaxed"},
        {"factorization": "sibling", "learner": "samplerank", "trees": "nonprojective"},
        {"factorization": "sibling", "runs": 2},
        {
            "factorization": "sibling",
            "whole_tree": {"families": ("valency",), "fold_epochs": 1, "epochs": 1, "bits": 12},
        },
        {
            "factorization": "sibling",
            "whole_tree": {"families": ("valency",), "learning": "joint", "bits": 12},
        },
    ],
    ids=str,
)
def test_it_learns_with_all_that_a_parser_can_be(changes: dict[str, object]) -> None:
    parser = train_parser(SENTENCES, None, SETTINGS.changed(**{"epochs": 4, **changes}))
    assert accuracy(parser) > 0.9
    assert np.isfinite(parser.weights["tensor_heads"]).all()
    assert np.abs(parser.weights["tensor_heads"]).max() > 0


def test_it_learns_beside_a_network() -> None:
    settings = SETTINGS.changed(factorization="sibling", network={"use": True, "width": 16})
    parser = train_parser(SENTENCES[:20], None, settings)
    assert parser.config.network is not None
    assert parser.config.tensor is not None
    assert accuracy(parser) > 0.8


def test_all_the_share_to_features_is_a_parser_without() -> None:
    with_tensor = train_parser(
        SENTENCES, None, SETTINGS.changed(tensor={"share": 1.0, "aggressiveness": 0.01})
    )
    without = train_parser(SENTENCES, None, SETTINGS.changed(tensor=False))
    assert np.array_equal(with_tensor.weights["arcs"], without.weights["arcs"])
    assert without.config.tensor is None


def test_the_tensor_alone_leaves_features_at_zero() -> None:
    parser = train_parser(SENTENCES, None, SETTINGS.changed(tensor__share=0.0))
    assert not parser.weights["arcs"].any()


def test_the_same_bytes_again(parser: Parser) -> None:
    again = train_parser(SENTENCES, None, replace(SETTINGS, threads=2))
    for name, table in parser.weights.items():
        assert np.array_equal(table, again.weights[name]), name
    one, two = (
        [(p.heads.tolist(), p.score) for p in parser.pipe(NEW, threads=threads, batch_size=size)]
        for threads, size in ((1, 15), (2, 3))
    )
    assert one == two


def test_every_width_gives_the_same_bytes(parser: Parser, tmp_path: Path) -> None:
    model, text = tmp_path / "model.hw", tmp_path / "new.conllu"
    parser.save(model)
    with writer(text) as file:
        for sentence in NEW:
            file.write(sentence)
    program = (
        "import sys; from headwise import Parser; from headwise.treebank import read\n"
        "parser = Parser.load(sys.argv[1])\n"
        "for s in read(sys.argv[2]): print(parser.arc_scores(s).tobytes().hex())\n"
        "from headwise.training import TrainingSettings, train_parser\n"
        "settings = TrainingSettings.preset('first', epochs=1, arc_bits=14, labels='none', calibrate=False,\n"
        "    tensor={'rank': 11, 'start': 'random'})\n"
        "again = train_parser(list(read(sys.argv[2])), None, settings)\n"
        "print(again.weights['tensor_heads'].tobytes().hex())"
    )
    assert len(outputs_at_every_width(program, str(model), str(text))) == 1


def test_a_resumed_run_ends_with_the_same_bytes(parser: Parser, tmp_path: Path) -> None:
    from headwise.learning.loop import EpochReport, Listener

    def stop(report: EpochReport) -> None:
        if report.epoch == 2:
            raise SystemExit

    path = tmp_path / "model.hw"
    with pytest.raises(SystemExit):
        train_parser(SENTENCES, None, SETTINGS, listener=Listener(epoch=stop), model_path=path)
    resumed = train_parser(SENTENCES, None, SETTINGS, model_path=path, resume=True)
    for name, table in parser.weights.items():
        assert np.array_equal(table, resumed.weights[name]), name


def test_it_survives_the_file(parser: Parser, tmp_path: Path) -> None:
    path, small = tmp_path / "model.hw", tmp_path / "small.hw"
    parser.save(path)
    loaded = Parser.load(path)
    assert loaded.config.tensor == parser.config.tensor
    for sentence in NEW:
        assert np.array_equal(loaded.arc_scores(sentence), parser.arc_scores(sentence))
    compress_model(path, small, coarseness=0.1)
    assert small.stat().st_size < path.stat().st_size / 2
    assert accuracy(Parser.load(small)) > 0.9


def test_probabilities_are_fitted() -> None:
    parser = train_parser(toy_treebank(150, seed=5), NEW, replace(SETTINGS, calibrate=True))
    parse = next(parser.pipe(NEW[:1], confidence=True))
    assert parse.confidence is not None
    assert ((parse.confidence > 0) & (parse.confidence <= 1)).all()


def test_damaged_files_are_refused(parser: Parser, tmp_path: Path) -> None:
    path = tmp_path / "model.hw"

    def load_with(**changes: object) -> None:
        Parser.load(path)

    for name, damage in {
        "tensor_heads": lambda t: t[:-1],
        "tensor_arcs": lambda t: np.full_like(t, np.nan),
        "tensor_vocabulary": lambda t: np.concatenate([t[:-1], t[:1]]),
    }.items():
        broken = object.__new__(Parser)
        broken.config, broken.weights = parser.config, {**parser.weights, name: damage(parser.weights[name])}
        broken.save(path)
        with pytest.raises(ModelError, match="not a usable parser"):
            load_with()
    missing = object.__new__(Parser)
    missing.config = parser.config
    missing.weights = {k: v for k, v in parser.weights.items() if k != "tensor_vocabulary"}
    missing.save(path)
    with pytest.raises(ModelError, match="tensor_"):
        load_with()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"tensor": 2000}, r"tensor\.rank"),
        ({"tensor": {"rank": 5, "share": 1.5}}, r"tensor\.share"),
        ({"tensor": {"rank": 5, "start": "zero"}}, r"tensor\.start"),
        ({"tensor": {"rank": 5, "at_least": 0}}, r"tensor\.at_least"),
        ({"tensor": {"rank": 5, "aggressiveness": 0.0}}, r"tensor\.aggressiveness"),
        ({"words": {"vectors": "some.vec"}}, "a network or a tensor"),
        ({"tensor": 5, "learner": "perceptron"}, "perceptron"),
        ({"tensor": 5, "learner": "log-linear", "optimizer": "l-bfgs"}, "online"),
        ({"tensor": 5, "learner": "log-linear", "optimizer": "eg"}, "online"),
    ],
)
def test_impossible_settings_are_refused(changes: dict[str, object], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        TrainingSettings.preset("first", **changes)


def test_settings_by_order() -> None:
    assert TrainingSettings.preset("first").tensor_share == 1.0
    assert TrainingSettings.preset("first", tensor=True).tensor.rank == 50
    assert TrainingSettings.preset("first", tensor=7, tensor__share=0.2).tensor_share == 0.2
    assert TrainingSettings.preset("first").longest_step == TrainingSettings().aggressiveness


def test_vectors_that_are_not_there() -> None:
    with pytest.raises(HeadwiseError, match=r"nowhere\.vec"):
        train_parser(SENTENCES, None, SETTINGS.changed(words__vectors="nowhere.vec"))


def test_words_with_like_vectors_are_parsed_alike(tmp_path: Path) -> None:
    """Without tags, and features of little else, the kinds of words are known from their vectors."""
    path = tmp_path / "toy.vec"
    lines = [
        f"{word} {' '.join(str(float(kind == other)) for other in WORDS)}"
        for kind in WORDS
        for word in WORDS[kind]
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    train, new = (
        [Sentence.from_words(s.forms, heads=s.heads, labels=s.labels) for s in part]
        for part in (SENTENCES, NEW)
    )
    templates = {"arc": ("h.shape",), "tensor": ("w.shape",)}
    settings = SETTINGS.changed(templates=templates, labels="none", epochs=6)
    blind = train_parser(train, None, settings)
    seeing = train_parser(train, None, settings.changed(words__vectors=str(path)))
    assert accuracy(seeing, new) > accuracy(blind, new) + 0.1


def test_neighbours_are_of_a_kind(parser: Parser) -> None:
    assert parser.config.tensor is not None
    occurrences = Occurrences.read(parser.config.tensor, parser.weights, SENTENCES)
    found = occurrences.neighbours(["dog"], count=3)
    assert found is not None
    nouns = {"tree", "дом", "猫", "parser"}
    assert {word for word, _ in found} <= nouns
    assert all(-1 <= cosine <= 1.0001 for _, cosine in found)
    assert occurrences.neighbours(["walrus"]) is None
    phrase = next(words for words in occurrences.words if len(words) > 2)[:3]
    in_context = occurrences.mean(phrase)
    assert in_context is not None
    assert not np.array_equal(in_context, occurrences.mean(phrase[1:2]))


def test_the_command_line(tmp_path: Path) -> None:
    treebank, model, vectors = tmp_path / "toy.conllu", tmp_path / "model.hw", tmp_path / "toy.vec"
    with writer(treebank) as file:
        for sentence in SENTENCES:
            file.write(sentence)
    vectors.write_text("dog 1 0\ntree 0 1\n")
    runner = CliRunner()
    base = [
        "train",
        str(treebank),
        "-o",
        str(model),
        "--factorization",
        "arc",
        "--epochs",
        "2",
        "--arc-bits",
        "14",
    ]
    options = ["--no-calibration", "--templates", "mcdonald", "--vectors", str(vectors), "-q"]
    assert runner.invoke(app, [*base, *options]).exit_code == 2  # vectors without a tensor
    result = runner.invoke(app, [*base, *options, "--tensor-rank", "4"])
    assert result.exit_code == 0, result.output
    assert "rank 4" in runner.invoke(app, ["info", str(model)]).output
    near = ["info", str(model), "--neighbours", "dog", "--neighbours", "walrus", "--json"]
    assert runner.invoke(app, near).exit_code == 2  # among what?
    result = runner.invoke(app, [*near, "--among", str(treebank)])
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert len(found["dog"]) == 5
    assert found["walrus"] is None


def test_a_pipeline_with_a_tensor(parser: Parser, tmp_path: Path) -> None:
    treebank, model = tmp_path / "toy.conllu", tmp_path / "pipeline.hw"
    with writer(treebank) as file:
        for sentence in SENTENCES:
            file.write(sentence)
    options = [
        "--factorization",
        "arc",
        "--epochs",
        "1",
        "--arc-bits",
        "14",
        "--no-calibration",
        "--jackknife",
        "2",
    ]
    runner = CliRunner()
    command = ["train", str(treebank), "-o", str(model), "--pipeline", *options, "--tensor-rank", "4", "-q"]
    result = runner.invoke(app, command)
    assert result.exit_code == 0, result.output
    assert "rank 4" in runner.invoke(app, ["info", str(model)]).output
    near = ["info", str(model), "--neighbours", "dog", "--among", str(treebank)]
    assert "dog: " in runner.invoke(app, near).output
    plain = tmp_path / "plain.hw"
    train_parser(SENTENCES, None, SETTINGS.changed(tensor=False)).save(plain)
    refused = runner.invoke(app, ["info", str(plain), *near[2:]])
    assert refused.exit_code == 1
    assert "no tensor" in str(refused.exception)


def test_mcdonalds_features_come_with_the_package() -> None:
    tables = load_template_file("mcdonald")
    assert set(tables) == {"arc"}
    pairs = {line for line in tables["arc"] if "h.form" in line or "m.form" in line}
    for three in ("h.pos m.form m.pos", "h.form m.form m.pos", "h.form h.pos m.pos", "h.form h.pos m.form"):
        assert three in pairs
        assert three.replace("form", "prefix5") in tables["arc"]
    parser = train_parser(SENTENCES, None, SETTINGS.changed(tensor=False, templates=tables))
    assert accuracy(parser) > 0.9
