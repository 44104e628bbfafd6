"""Fixtures of the tests of the tagger: a toy treebank and a tagger trained on it."""

from __future__ import annotations

import pytest

from headwise.components.tagging import Tagger
from headwise.treebank import Sentence
from toy_tags import SMALL, toy_tagged


@pytest.fixture(scope="session")
def train_sentences() -> list[Sentence]:
    return toy_tagged(150, seed=1)


@pytest.fixture(scope="session")
def test_sentences() -> list[Sentence]:
    return toy_tagged(40, seed=2)


@pytest.fixture(scope="session")
def tagger(train_sentences: list[Sentence]) -> Tagger:
    return Tagger.train(train_sentences, **SMALL)
