"""Fixtures of the tests of the tokenizer."""

from __future__ import annotations

import pytest

from headwise.components.text import Tokenizer
from toy_text import toy_text


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return Tokenizer.train(toy_text(400, seed=1), bits=16, epochs=5)
