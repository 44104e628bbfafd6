"""A parser that asks a network: training, files, probabilities, long sentences, the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from command_runner import CliRunner
from headwise import Parser
from headwise.cli.app import app
from headwise.learning.loop import DivergedError, Listener
from headwise.model import ModelError, read_model, write_model
from headwise.training import TrainingSettings, train_parser
from headwise.treebank import Sentence, write
from toy_language import SMALL, toy_treebank

SETTINGS = TrainingSettings.preset(**{**SMALL, "preset": "second"}, network=True, network__width=16)


@pytest.fixture(scope="module")
def asking() -> Parser:
    return train_parser(toy_treebank(60, seed=1), None, SETTINGS)


def test_it_is_the_same_after_saving(asking: Parser, tmp_path: Path) -> None:
    assert asking.config.network is not None
    asking.save(tmp_path / "model.hw")
    loaded = Parser.load(tmp_path / "model.hw")
    assert loaded.config == asking.config
    sentences = toy_treebank(20, seed=2)
    for ours, theirs in zip(asking.pipe(sentences), loaded.pipe(sentences, threads=2), strict=True):
        assert ours.heads.tolist() == theirs.heads.tolist()
        assert ours.labels == theirs.labels
        assert ours.score == theirs.score


def test_the_opinion_counts_as_much_as_its_weight(asking: Parser) -> None:
    network = asking.config.network
    assert network is not None
    sentence = toy_treebank(1, seed=3)[0]
    scores = [
        Parser(replace(asking.config, network=replace(network, weight=weight)), asking.weights).arc_scores(
            sentence
        )
        for weight in (0.0, 0.25, 0.5)
    ]
    kept = np.isfinite(scores[0])
    once, twice = scores[1][kept] - scores[0][kept], scores[2][kept] - scores[0][kept]
    assert np.abs(once).max() > 0.01
    np.testing.assert_allclose(twice, 2 * once, atol=1e-9)


def test_the_score_of_a_parse_is_that_of_its_tree(asking: Parser) -> None:
    for parse in asking.pipe(toy_treebank(20, seed=4)):
        best = asking.distribution(parse.sentence).argmax()
        assert best.tree.heads.tolist() == parse.heads.tolist()
        assert best.score == pytest.approx(parse.score)


def test_probabilities_hear_the_network(asking: Parser) -> None:
    """Of words with unknown tags any label may be right: the network alone makes one of them likely."""
    network = asking.config.network
    assert network is not None
    silent = {**asking.weights, "labels": np.zeros_like(asking.weights["labels"])}
    sentence = Sentence.from_words(["the", "dog", "sees", "a", "tree"], upos=["?"] * 5)
    means = []
    for weight in (0.0, 1.0, 10.0):
        parser = Parser(replace(asking.config, network=replace(network, weight=weight)), silent)
        (parse,) = parser.pipe([sentence], confidence=True)
        assert parse.label_confidence is not None
        means.append(parse.label_confidence[parse.heads > 0].mean())
    assert means[0] < means[1] < means[2]


def test_a_tree_found_elsewhere_gets_the_same_labels(asking: Parser) -> None:
    for parse in asking.pipe(toy_treebank(10, seed=5)):
        labels = asking.native.label_tree(parse.sentence, parse.heads)
        assert labels.tolist() == asking.label_ids(parse.labels).tolist()


def test_a_sentence_parsed_in_stretches(asking: Parser) -> None:
    words = ["the", "dog", "sees", "a", "tree"] * 500
    parse = asking(Sentence.from_words(words, upos=["DET", "NOUN", "VERB", "DET", "NOUN"] * 500))
    assert len(parse.heads) == 2500
    assert all(label in asking.config.labels for label in parse.labels)


def test_heads_out_of_range_are_refused(asking: Parser) -> None:
    sentence = toy_treebank(1, seed=5)[0]
    with pytest.raises(ValueError, match="out of range"):
        asking.native.label_tree(sentence, np.full(len(sentence), len(sentence) + 1, np.int32))


def test_a_treebank_of_one_sentence() -> None:
    sentence = Sentence.from_words(["Go"], upos=["VERB"], heads=[0], labels=["root"])
    parser = train_parser([sentence], None, SETTINGS)
    assert parser.config.network is not None
    assert parser(sentence).heads.tolist() == [0]


def test_without_labels() -> None:
    parser = train_parser(toy_treebank(20, seed=1), None, replace(SETTINGS, labels="none"))
    assert parser.config.network is not None
    assert parser(toy_treebank(1, seed=2)[0]).labels[0] == "_"


def test_without_help_on_the_development_set_it_is_left_out() -> None:
    """The features know these sentences by heart; a network that drowns them would only disturb."""
    messages: list[str] = []
    treebank = toy_treebank(40, seed=6)
    parser = train_parser(
        treebank,
        treebank,
        SETTINGS.changed(network__weight=1000.0),
        listener=Listener(message=messages.append),
    )
    assert parser.config.network is None
    assert "vectors" not in parser.weights
    assert any("a network: no help" in m for m in messages)


def test_an_interruption_while_the_network_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was learned before is kept."""
    treebank = toy_treebank(40, seed=6)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("headwise.training.run.Run.better", stop)
    parser = train_parser(treebank, treebank, SETTINGS)
    assert parser.config.network is None
    assert parser.config.training["interrupted"]


def test_sentences_are_read_together_and_give_the_same(asking: Parser) -> None:
    """In blocks, whatever the number of threads; among them a long one, and some that are there twice."""
    others = toy_treebank(40, seed=9)
    long = Sentence.from_words(["the", "dog", "sees"] * 70, upos=["DET", "NOUN", "VERB"] * 70)
    sentences = [*others, long, *others[:5], Sentence.from_words(["dog"], upos=["NOUN"]), *others[::-1]]
    alone = [asking(sentence) for sentence in sentences]
    for threads, size in ((1, 512), (2, 512), (1, 7)):
        together = list(asking.pipe(sentences, threads=threads, batch_size=size))
        assert [parse.score for parse in together] == [parse.score for parse in alone]
        assert [parse.heads.tolist() for parse in together] == [parse.heads.tolist() for parse in alone]
        assert [parse.labels for parse in together] == [parse.labels for parse in alone]


def test_a_network_that_diverges_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def diverge(*_: object, **__: object) -> None:
        raise DivergedError("training diverged")

    monkeypatch.setattr("headwise.components.network.training.train_network", diverge)
    messages: list[str] = []
    listener = Listener(message=messages.append)
    parser = train_parser(toy_treebank(40, seed=6), None, SETTINGS, listener=listener)
    assert parser.config.network is None
    assert "the network diverged, and is left out" in messages


def test_an_interrupted_network_is_left_out_and_nothing_else_begins() -> None:
    messages: list[str] = []

    def stop(epoch: int, fraction: float) -> None:
        if messages and messages[-1].startswith("training a network"):
            raise KeyboardInterrupt

    parser = train_parser(
        toy_treebank(40, seed=6),
        None,
        replace(SETTINGS, calibrate=True),
        listener=Listener(message=messages.append, progress=stop),
    )
    assert parser.config.network is None
    assert parser.config.training["interrupted"]
    assert messages[-1] == "interrupted: keeping what was learned so far"


@pytest.mark.parametrize("name", ["network", "vectors", "vocabulary"])
def test_a_damaged_file_is_refused(asking: Parser, tmp_path: Path, name: str) -> None:
    path = tmp_path / "model.hw"
    asking.save(path)
    config, tensors = read_model(path, Parser.KIND)
    damaged = {n: np.array(tensor) for n, tensor in tensors.items()}
    damaged[name] = damaged[name][:-16]
    write_model(path, Parser.KIND, config, damaged)
    with pytest.raises(ModelError):
        Parser.load(path)
    del damaged[name]
    write_model(path, Parser.KIND, config, damaged)
    with pytest.raises(ModelError):
        Parser.load(path)


@pytest.mark.parametrize(
    "change", [{"weight": float("nan")}, {"weight": -1.0}, {"layers": 2**31 - 1}, {"lstm": 2**30}]
)
def test_damaged_numbers_are_refused(asking: Parser, tmp_path: Path, change: dict[str, float]) -> None:
    path = tmp_path / "model.hw"
    asking.save(path)
    config, tensors = read_model(path, Parser.KIND)
    write_model(path, Parser.KIND, {**config, "network": {**config["network"], **change}}, tensors)
    with pytest.raises(ModelError):
        Parser.load(path)


def test_on_the_command_line(tmp_path: Path) -> None:
    write(toy_treebank(30, seed=7), tmp_path / "train.conllu")
    run = CliRunner().invoke(
        app,
        [
            *("train", str(tmp_path / "train.conllu"), "-o", str(tmp_path / "m.hw"), "--preset", "fast"),
            *("--network", "--network-width", "32", "--epochs", "1", "--no-calibration"),
        ],
    )
    assert run.exit_code == 0, run.output
    assert "network" in run.output
    assert Parser.load(tmp_path / "m.hw").config.network is not None
