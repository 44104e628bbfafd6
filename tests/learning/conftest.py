"""Fixtures shared by the tests of the parser: a toy treebank and a parser trained on it."""

from __future__ import annotations

import pytest

from headwise import Parser
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank


@pytest.fixture(scope="session")
def train_sentences() -> list[Sentence]:
    return toy_treebank(120, seed=1)


@pytest.fixture(scope="session")
def test_sentences() -> list[Sentence]:
    return toy_treebank(40, seed=2)


@pytest.fixture(scope="session")
def parser(train_sentences: list[Sentence]) -> Parser:
    return Parser.train(train_sentences, **SMALL)
