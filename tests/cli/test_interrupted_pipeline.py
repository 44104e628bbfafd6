"""Ctrl-C while a pipeline trains, whatever it is at: there is a usable model at the end."""

from __future__ import annotations

from typing import Any

import pytest

from headwise import Pipeline
from headwise.evaluation import evaluate
from headwise.learning import Listener
from headwise.learning.loop import DivergedError
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank

TRAIN, DEV = toy_treebank(80, seed=1), toy_treebank(10, seed=2)
NETWORK = {"use": True, "width": 32, "epochs": 3}
WITH_NETWORK: dict[str, Any] = {**SMALL, "preset": "second", "network": NETWORK}


def interrupted_when(stage: str, epoch: int, **settings: Any) -> tuple[Pipeline, list[str]]:
    """By Ctrl-C in an epoch behind a message; 0: in any."""
    heard: list[str] = []
    waiting = [True]

    def progress(number: int, fraction: float) -> None:
        if waiting and epoch in (0, number) and any(line.startswith(stage) for line in heard):
            waiting.clear()
            raise KeyboardInterrupt

    listener = Listener(progress=progress, message=heard.append)
    pipeline = Pipeline.train(TRAIN, DEV, jackknife=2, listener=listener, **settings)
    assert not waiting, heard
    assert any(line.startswith("interrupted") for line in heard)
    return pipeline, heard


@pytest.mark.parametrize(
    "stage",
    ["training the tokenizer", "training the tagger", "tagging the training data", "training the parser"],
)
def test_an_interrupted_pipeline_is_usable(stage: str) -> None:
    pipeline, heard = interrupted_when(stage, 0, **SMALL)
    sentences: list[Sentence] = [parse.to_sentence() for parse in pipeline("the old dog sees a tree .")]
    assert [len(sentence) for sentence in sentences] == [7]
    assert (sentences[0].heads == 0).sum() == 1
    if stage != "training the parser":
        assert pipeline.parser.config.factorization == "arc"
        assert any("small parser" in line for line in heard)


@pytest.mark.parametrize(
    ("stage", "epoch"), [("training the network", 1), ("training the network", 3), ("training the parser", 1)]
)
def test_a_network_that_is_half_done_has_features_beside_it(stage: str, epoch: int) -> None:
    pipeline, _ = interrupted_when(stage, epoch, **WITH_NETWORK)
    assert pipeline.parser.config.arc_templates
    assert pipeline.parser.config.network is not None
    tagged = list(pipeline.tag(DEV))
    parsed = [parse.to_sentence() for parse in pipeline.parser.pipe(tagged)]
    assert evaluate(DEV, parsed).uas.f1 > 0.5


def test_an_interruption_while_the_tagger_is_fitted_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("headwise.training.pipeline_steps.tags.with_network_opinion", interrupt)
    pipeline = Pipeline.train(TRAIN, DEV, jackknife=2, **WITH_NETWORK)
    assert pipeline.parser.config.network is not None
    assert pipeline.tagger.config.network_weight is None


def test_a_network_that_diverges_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def diverge(*_: object, **__: object) -> None:
        raise DivergedError("training diverged")

    monkeypatch.setattr("headwise.components.network.training.train_network", diverge)
    heard: list[str] = []
    pipeline = Pipeline.train(
        TRAIN, DEV, jackknife=2, listener=Listener(message=heard.append), **WITH_NETWORK
    )
    assert pipeline.parser.config.network is None
    assert pipeline.parser.config.factorization == "carreras"
    assert "the network diverged, and is left out" in heard
    with pytest.raises(DivergedError):
        Pipeline.train(TRAIN, DEV, preset="network", network=NETWORK, jackknife=2)
