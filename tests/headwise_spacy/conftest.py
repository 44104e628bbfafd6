"""Tests of headwise.spacy. Without spaCy, test_without_spacy.py alone is left."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

import headwise
from headwise import Pipeline

if importlib.util.find_spec("spacy") is None:
    collect_ignore_glob = ["test_spacy_*.py"]


@pytest.fixture(scope="session")
def english() -> Pipeline:
    model = headwise.load("en")
    assert isinstance(model, Pipeline)
    return model


@pytest.fixture(scope="session")
def nlp() -> Any:
    """spaCy's English tokenizer, and our component."""
    import spacy

    import headwise.spacy

    nlp = spacy.blank("en")
    nlp.add_pipe(headwise.spacy.COMPONENT)
    return nlp


@pytest.fixture(scope="session")
def whole() -> Any:
    """All ours, from text to trees, with probabilities."""
    import headwise.spacy

    return headwise.spacy.load("en", confidence=True, k_best=3)
