"""A pipeline whose tagger has learned little, and sentences that it is unsure of."""

from __future__ import annotations

import random

import pytest

from headwise import Pipeline
from headwise.components.tagging import Tagger, TaggerSettings
from headwise.pipeline.pipeline import Tokenizer
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from toy_language import toy_treebank

SMALL = {"arc_bits": 14, "label_bits": 14, "epochs": 3, "calibrate": False}


def with_mistakes(sentences: list[Sentence], share: float, seed: int) -> list[Sentence]:
    """Tags of other words of the sentence for a share of its words."""
    rng = random.Random(seed)

    def changed(sentence: Sentence) -> Sentence:
        upos = [rng.choice(sentence.upos) if rng.random() < share else tag for tag in sentence.upos]
        return Sentence.from_words(sentence.forms, upos=upos)

    return [changed(sentence) for sentence in sentences]


@pytest.fixture(scope="session")
def weak_tagger() -> Tagger:
    """It has seen words with all kinds of tags."""
    noisy = with_mistakes(toy_treebank(30, seed=1), 0.6, seed=4)
    return Tagger.train(noisy, settings=TaggerSettings(bits=14, epochs=2, lemmas=False))


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(toy_treebank(20, seed=1))


@pytest.fixture(scope="session")
def pipeline(tokenizer: Tokenizer, weak_tagger: Tagger) -> Pipeline:
    from headwise import Parser

    settings = TrainingSettings.preset("second", pruning__bits=14, **SMALL)
    return Pipeline(tokenizer, weak_tagger, Parser.train(toy_treebank(150, seed=1), settings=settings))


@pytest.fixture(scope="session")
def unsure() -> list[Sentence]:
    return [Sentence.from_words(sentence.forms) for sentence in toy_treebank(12, seed=7)]
