"""What the tests of several rooms need: a toy treebank, a parser trained on it, interrupts, and counting."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

from headwise import Parser
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank

pytest_plugins = ["tally"]

# No test is about time: a machine that does much else is slow, and nothing is wrong with that.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture(scope="session", autouse=True)
def _interrupts_arrive() -> None:
    """A shell starts background jobs with Ctrl-C ignored, and processes inherit that: tests send it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def train_sentences() -> list[Sentence]:
    return toy_treebank(120, seed=1)


@pytest.fixture(scope="session")
def test_sentences() -> list[Sentence]:
    return toy_treebank(40, seed=2)


@pytest.fixture(scope="session")
def parser(train_sentences: list[Sentence]) -> Parser:
    return Parser.train(train_sentences, **SMALL)
