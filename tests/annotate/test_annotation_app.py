"""The addresses behind the annotator's page."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra serve is not installed")
pytest.importorskip("httpx2", reason="Starlette's test client is not installed")

from starlette.testclient import TestClient

from headwise.web.annotate import Session
from headwise.web.annotate.app import annotation_app


@pytest.fixture
def client(session: Session) -> Iterator[TestClient]:
    with TestClient(annotation_app(session), base_url="http://localhost") as client:
        yield client


def state_of(client: TestClient, sentence: int = 0) -> dict:
    return client.get(f"/api/sentences/{sentence}").json()


def test_a_change_comes_back_as_it_was_saved(client: TestClient, session: Session, bare_file: Path) -> None:
    overview = client.get("/api/overview").json()
    assert overview["file"] == str(bare_file)
    assert [item["doubt"] for item in overview["queue"]] == sorted(
        (item["doubt"] for item in overview["queue"]), reverse=True
    )
    place = overview["next"]
    state = state_of(client, place["sentence"])
    answer = client.post("/api/decide", json={**place, "head": 0, "version": state["version"]}).json()
    word = answer["state"]["words"][place["word"] - 1]
    assert (word["head"], word["decided"]) == (0, "Head")
    assert answer["can_undo"]
    answer = client.post(
        "/api/accept", json={"sentence": place["sentence"], "version": answer["state"]["version"]}
    ).json()
    assert answer["state"]["finished"]
    assert answer["progress"]["finished"] == 1
    assert client.post("/api/undo", json={}).json()["state"]["words"] == [
        {**word} for word in state_of(client, place["sentence"])["words"]
    ]
    assert client.post("/api/undo", json={}).json()["progress"]["decided"] == 0
    assert client.post("/api/undo", json={}).status_code == 400


def test_windows_and_other_programs(client: TestClient, bare_file: Path) -> None:
    version = state_of(client)["version"]
    change = {"sentence": 0, "words": [1], "version": version}
    assert client.post("/api/accept", json=change).status_code == 200
    refused = client.post("/api/accept", json=change)
    assert refused.status_code == 409
    assert "changed in another window" in refused.json()["error"]
    bare_file.write_bytes(bare_file.read_bytes() + b"\n")
    change["version"] = state_of(client)["version"]
    change["words"] = [2]
    refused = client.post("/api/accept", json=change)
    assert refused.status_code == 412
    assert client.post("/api/reload", json={}).status_code == 200
    change["version"] = state_of(client)["version"]
    assert client.post("/api/accept", json=change).status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("/api/decide", "[]", "not a JSON object"),
        ("/api/decide", "{", "not JSON"),
        ("/api/decide", "[" * 20_000, "not JSON"),
        ("/api/decide", '{"sentence": "0"}', "sentence must be a whole number"),
        (
            "/api/decide",
            '{"sentence": 0, "word": 1, "head": 2.5, "version": ""}',
            "head must be a whole number",
        ),
        ("/api/decide", '{"sentence": 0, "word": 1, "label": 7, "version": ""}', "label must be a string"),
        ("/api/decide", '{"sentence": 99, "word": 1, "version": ""}', "there is no sentence 100"),
        ("/api/accept", '{"sentence": 0, "words": 1, "version": ""}', "words must be a list"),
        ("/api/reopen", '{"sentence": 0, "words": [99], "version": ""}', "there is no word 99"),
    ],
)
def test_bad_requests(client: TestClient, path: str, body: str, message: str) -> None:
    answer = client.post(path, content=body)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


def test_requests_at_random_never_fail_otherwise(client: TestClient, session: Session) -> None:
    rng = random.Random(1)
    values = [0, 1, 2, 3, 7, -1, 10**12, None, "obj", "", [1], [], {}, True, 1.5, "\ud800"]
    paths = ["decide", "accept", "reopen", "undo", "redo", "nothing"]
    for _ in range(120):
        body = {key: rng.choice(values) for key in ("sentence", "word", "words", "head", "label")}
        body["version"] = session.version(0) if rng.random() < 0.7 else rng.choice(values)
        answer = client.post(f"/api/{rng.choice(paths)}", content=json.dumps(body))
        assert answer.status_code in (200, 400, 404, 409), (body, answer.text)


def test_only_this_machine_and_this_page(client: TestClient) -> None:
    assert client.get("/api/overview", headers={"Host": "evil.example"}).status_code == 400
    assert client.post("/api/undo", json={}, headers={"Origin": "https://evil.example"}).status_code == 403
    assert client.post("/api/undo", content=b"x" * 100_000).status_code == 413
