"""Ctrl-C while a pipeline trains, whatever it is at: there is a usable model at the end."""

from __future__ import annotations

import pytest

from headwise import Pipeline
from headwise.learning import Listener
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank


@pytest.mark.parametrize("stage", ["training the tagger", "tagging the training data", "training the parser"])
def test_an_interrupted_pipeline_is_usable(stage: str) -> None:
    heard: list[str] = []
    waiting = [True]

    def progress(epoch: int, fraction: float) -> None:
        if waiting and any(line.startswith(stage) for line in heard):
            waiting.clear()
            raise KeyboardInterrupt

    listener = Listener(progress=progress, message=heard.append)
    pipeline = Pipeline.train(
        toy_treebank(80, seed=1), toy_treebank(10, seed=2), jackknife=2, listener=listener, **SMALL
    )
    assert not waiting, heard
    assert any(line.startswith("interrupted") for line in heard)
    sentences: list[Sentence] = [parse.to_sentence() for parse in pipeline("the old dog sees a tree .")]
    assert [len(sentence) for sentence in sentences] == [7]
    assert (sentences[0].heads == 0).sum() == 1
    if stage != "training the parser":
        assert pipeline.parser.config.factorization == "arc"
        assert any("small parser" in line for line in heard)
