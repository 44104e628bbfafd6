"""How much a network counts is found on sentences that nothing was learned from."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_runner import CliRunner
from headwise import Parser
from headwise.cli.app import app
from headwise.components.network.weight import FARTHEST, OCTAVES, best_weight, with_best_weight
from headwise.learning import DevScores, Listener
from headwise.training.calibrating import Judge, weighed
from headwise.training.train import dev_scores
from headwise.treebank import Sentence, write
from toy_language import SMALL, toy_treebank

SETTINGS: dict[str, Any] = {**SMALL, "preset": "second", "network": {"use": True, "width": 16, "epochs": 4}}
HELD_OUT = toy_treebank(40, seed=8)


def asking(**changes: Any) -> Parser:
    return Parser.train(toy_treebank(120, seed=1), **{**SETTINGS, "calibrate": False, **changes})


@pytest.fixture(scope="module")
def learned() -> Parser:
    """A network that has learned much beside features of noise."""
    parser = asking(network={"use": True, "width": 32, "epochs": 30}, pruning={"threshold": 1e-9, "bits": 12})
    silent = {
        name: table if name in ("pruner", *_tables(parser)) else 20 * _noise(table)
        for name, table in parser.weights.items()
    }
    return Parser(parser.config, silent)


@pytest.fixture(scope="module")
def confused() -> Parser:
    """A network of noise beside features that have learned much."""
    parser = asking()
    floats = parser.with_network_bits(32)
    table = np.asarray(floats.weights["network"])
    return Parser(floats.config, {**floats.weights, "network": 20 * _noise(table)})


def _noise(table: Any) -> Any:
    return (0.1 * np.random.default_rng(1).normal(size=len(table))).astype(np.float32)


def _tables(parser: Parser) -> tuple[str, ...]:
    assert parser.config.network is not None
    return parser.config.network.table_names


def evaluate(parser: Parser, sentences: list[Sentence] = HELD_OUT) -> DevScores:
    return dev_scores(parser, sentences, threads=1)


@given(
    top=st.floats(-FARTHEST, FARTHEST),
    start=st.floats(0.01, 10),
    steep=st.floats(0.001, 10),
    noise=st.floats(0, 1),
)
def test_the_top_of_a_hill_is_found(top: float, start: float, steep: float, noise: float) -> None:
    def score(weight: float) -> float:
        x = math.log2(weight / start)
        return -steep * ((x - top) ** 2 + 0.1 * noise * math.sin(50 * x))

    found = best_weight(start, score)
    assert score(found) >= score(start)
    assert found == start or abs(math.log2(found / start) - top) < 0.01 + 0.2 * noise


@pytest.mark.parametrize("level", [0.0, 0.9])
def test_where_all_weights_are_as_good_the_default_stays(level: float) -> None:
    assert best_weight(0.3, lambda _: level) == 0.3


@pytest.mark.parametrize("sign", [1, -1])
def test_a_slope_without_end_is_climbed_to_the_limit(sign: int) -> None:
    calls: list[float] = []

    def score(weight: float) -> float:
        calls.append(weight)
        return sign * math.log2(weight)

    assert best_weight(1.0, score) == 2.0 ** (sign * (FARTHEST + OCTAVES[-1]))
    assert len(set(calls)) < 20


def test_a_network_that_knows_counts_more_than_features_that_do_not(learned: Parser) -> None:
    before = evaluate(learned)
    found, weight = with_best_weight(learned, evaluate, Listener())
    assert learned.config.network is not None
    assert weight > 2 * learned.config.network.weight
    assert evaluate(found).selection > before.selection + 0.02


def test_a_network_of_noise_is_hardly_heard(confused: Parser) -> None:
    before = evaluate(confused)
    found, weight = with_best_weight(confused, evaluate, Listener())
    assert confused.config.network is not None
    assert weight < 0.7 * confused.config.network.weight
    assert evaluate(found).selection > before.selection + 0.02


def test_a_judge_chooses_for_the_parser_of_all_sentences(learned: Parser) -> None:
    parser, judges = weighed(asking(), [Judge(learned, [], HELD_OUT)], 1, Listener())
    chosen = judges[0].parser.config.network
    assert chosen is not None
    assert learned.config.network is not None
    assert chosen.weight > learned.config.network.weight
    assert parser.config.network is not None
    assert parser.config.network.weight == chosen.weight


@pytest.mark.parametrize("learner", ["mira", "log-linear", "perceptron"])
@pytest.mark.parametrize("with_dev", [False, True])
def test_training_chooses_and_gives_the_same_bytes(learner: str, with_dev: bool, tmp_path: Path) -> None:
    heard: list[str] = []
    dev = HELD_OUT if with_dev else None
    noisy = [s.with_tree(s.heads, ["dep", *s.labels[1:]]) if i % 3 else s for i, s in enumerate(HELD_OUT)]
    sentences = [*toy_treebank(40, seed=1), *noisy]
    for name, threads in (("one", 1), ("two", 2)):
        listener = Listener(message=heard.append)
        parser = Parser.train(
            sentences, dev, listener=listener, **{**SETTINGS, "learner": learner, "threads": threads}
        )
        parser.save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert sum(line.startswith("the network counts") for line in heard) == 2
    if parser.config.network is not None:
        assert f"the network counts {parser.config.network.weight:.3g}" in "\n".join(heard)


@pytest.mark.parametrize("dev", [[], ["--dev", "toy.conllu"]])
def test_a_weight_that_is_given_stays(
    dev: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(toy_treebank(20, seed=1), tmp_path / "toy.conllu")
    few = ["--epochs", "1", "--arc-bits", "12", "--preset", "fast", "--network", "--network-weight", "0.7"]
    few += ["--network-width", "16"]
    result = CliRunner().invoke(app, ["train", "toy.conllu", "-o", "m.hw", *few, *dev])
    assert result.exit_code == 0, result.output
    assert "the network counts" not in result.stderr
    network = Parser.load("m.hw").config.network
    assert network is None or network.weight == 0.7


def test_a_network_alone_has_nothing_to_be_weighed_against() -> None:
    heard: list[str] = []
    small = {**SETTINGS, "preset": "network", "network": {"width": 16, "epochs": 1}}
    parser = Parser.train(toy_treebank(60, seed=1), listener=Listener(message=heard.append), **small)
    assert parser.config.network is not None
    assert parser.config.network.weight == 1.0
    assert not any(line.startswith("the network counts") for line in heard)
