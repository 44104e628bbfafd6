"""What is trained or made can be pickled and copied, so that process pools work."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from headwise import Parser, Pipeline
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from headwise.trees import ProjectiveTrees, SpanningTrees

COPIES: list[Callable[[Any], Any]] = [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy, copy.copy]


@pytest.mark.parametrize("again", COPIES, ids=["pickle", "deepcopy", "copy"])
def test_parsers(again: Callable[[Any], Any], parser: Parser, test_sentences: list[Sentence]) -> None:
    other = again(parser)
    for a, b in zip(parser.pipe(test_sentences), other.pipe(test_sentences), strict=True):
        assert a.heads.tolist() == b.heads.tolist()
        assert a.labels == b.labels


@pytest.mark.parametrize("again", COPIES, ids=["pickle", "deepcopy", "copy"])
def test_pipelines_and_their_parts(again: Callable[[Any], Any], train_sentences: list[Sentence]) -> None:
    settings = TrainingSettings.preset("first", epochs=2, calibrate=False)
    pipeline = Pipeline.train(train_sentences, settings=settings, jackknife=2)
    text = "the dog sees a cat. the cat"
    assert [p.to_conllu() for p in again(pipeline)(text)] == [p.to_conllu() for p in pipeline(text)]
    assert again(pipeline.tagger)(["the", "dog"]).upos == pipeline.tagger(["the", "dog"]).upos
    assert [s.forms for s in again(pipeline.tokenizer)(text)] == [s.forms for s in pipeline.tokenizer(text)]


@pytest.mark.parametrize("again", COPIES, ids=["pickle", "deepcopy", "copy"])
@pytest.mark.parametrize("kind", [ProjectiveTrees, SpanningTrees])
def test_distributions(again: Callable[[Any], Any], kind: Any) -> None:
    scores = np.random.default_rng(1).normal(size=(5, 5))
    trees = kind(scores, single_root=True)
    other = again(trees)
    assert other.log_partition() == trees.log_partition()
    assert other.argmax().tree.heads.tolist() == trees.argmax().tree.heads.tolist()
