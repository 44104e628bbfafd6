"""The English model, loaded once, and clients of servers that have it."""

from __future__ import annotations

import pytest

from headwise import Parser
from headwise.web.serve.app import serving_app
from headwise.web.serve.models import Model, Models, load_model


@pytest.fixture(scope="session")
def english() -> Model:
    return load_model("english-ewt:en=en")


@pytest.fixture(scope="session")
def models(english: Model, parser: Parser) -> Models:
    """A pipeline, and a parser alone."""
    return Models([english, Model(["toy"], parser)])


@pytest.fixture(scope="module")
def client(models: Models):
    pytest.importorskip("starlette", reason="the extra serve is not installed")
    pytest.importorskip("httpx2", reason="Starlette's test client needs httpx2")
    from starlette.testclient import TestClient

    with TestClient(serving_app(models), base_url="http://localhost:8001") as client:
        yield client
