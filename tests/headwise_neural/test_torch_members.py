"""Several networks that PyTorch trains one after the other: seeds, resuming, pipelines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from small_networks import SMALL_TORCH

from headwise import Parser, Pipeline
from headwise.learning.loop import EpochReport, Listener
from headwise.training import TrainingSettings, train_parser
from headwise.training.members import member_seed
from toy_language import toy_treebank

SENTENCES, DEV = toy_treebank(30, seed=1), toy_treebank(10, seed=2)
NETWORK = {"bits": 32, "members": 2}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def settings(**changes: Any) -> TrainingSettings:
    chosen = {"torch": SMALL_TORCH, "network": NETWORK, "calibrate": False, **changes}
    return TrainingSettings.preset("network", **chosen)


def tables(parser: Parser) -> dict[str, bytes]:
    return {name: np.asarray(table).tobytes() for name, table in parser.weights.items()}


@pytest.fixture(scope="module")
def pair() -> Parser:
    torch.set_num_threads(1)
    return train_parser(SENTENCES, DEV, settings())


def test_each_has_a_seed_of_its_own(pair: Parser) -> None:
    assert pair.config.network is not None
    assert pair.config.network.members == 2
    for number, suffix in ((1, ""), (2, ".2")):
        alone = train_parser(SENTENCES, DEV, settings(network={"bits": 32}, seed=member_seed(1, number)))
        for name in ("network", "vectors"):
            assert tables(pair)[name + suffix] == tables(alone)[name]
        assert tables(pair)["vocabulary"] == tables(alone)["vocabulary"]


def test_a_run_killed_in_the_second_is_resumed(
    pair: Parser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwise.training.neural.training.CHECKPOINTS", 1)
    messages: list[str] = []

    class KilledError(Exception):
        pass

    def kill(report: EpochReport) -> None:
        if report.epoch == 3 and "network 2 of 2, with another seed" in messages:
            raise KilledError

    path = tmp_path / "m.hw"
    listener = Listener(epoch=kill, message=messages.append)
    with pytest.raises(KilledError):
        train_parser(SENTENCES, DEV, settings(), listener=listener, model_path=path)
    states = ["m.hw.network.2.state", "m.hw.network.state"]
    assert sorted(file.name for file in tmp_path.iterdir()) == states
    listener = Listener(message=messages.append)
    resumed = train_parser(SENTENCES, DEV, settings(), listener=listener, model_path=path, resume=True)
    assert "resuming after epoch 2" in messages
    assert tables(resumed) == tables(pair)
    assert not list(tmp_path.iterdir())


def test_a_pipeline_hears_them(tmp_path: Path) -> None:
    pipeline = Pipeline.train(
        SENTENCES,
        DEV,
        preset="second",
        jackknife=2,
        torch={**SMALL_TORCH, "epochs": 1, "tags": 16},
        network={"members": 2},
        arc_bits=12,
        label_bits=12,
        epochs=1,
        calibrate=False,
    )
    network = pipeline.parser.config.network
    assert network is not None
    assert network.members == 2
    assert network.tags == 16
    heard = Pipeline(pipeline.tokenizer, pipeline.tagger.with_network(pipeline.parser, 0.5), pipeline.parser)
    heard.save(tmp_path / "p.hw")
    words = [sentence.forms for sentence in DEV]
    expected = [parse.to_sentence().to_bytes() for parse in heard.pipe_sentences(words)]
    loaded = Pipeline.load(tmp_path / "p.hw")
    assert [parse.to_sentence().to_bytes() for parse in loaded.pipe_sentences(words, threads=2)] == expected
