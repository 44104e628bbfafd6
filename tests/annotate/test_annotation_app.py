"""The addresses behind the annotator's page."""

from __future__ import annotations

import errno
import json
import os
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
    answer = client.post("/api/undo", json={"history": answer["history"]}).json()
    assert answer["state"]["words"] == [{**word} for word in state_of(client, place["sentence"])["words"]]
    answer = client.post("/api/undo", json={"history": answer["history"]}).json()
    assert answer["progress"]["decided"] == 0
    refused = client.post("/api/undo", json={"history": answer["history"]})
    assert refused.status_code == 400
    assert "nothing to undo" in refused.json()["error"]


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


def test_a_window_does_not_take_back_what_another_has_decided(
    client: TestClient, session: Session, bare_file: Path
) -> None:
    seen = client.get("/api/overview").json()["history"]  # by one window
    version = state_of(client)["version"]
    client.post("/api/accept", json={"sentence": 0, "words": [1], "version": version})  # in another
    decided = bare_file.read_bytes()
    for what in ("undo", "redo"):
        refused = client.post(f"/api/{what}", json={"history": seen})
        assert refused.status_code == 409
        assert "in another window" in refused.json()["error"]
    assert client.post("/api/undo", json={}).status_code == 400  # it must say what it has seen
    assert bare_file.read_bytes() == decided
    assert client.post("/api/undo", json={"history": session.history}).status_code == 200


def test_a_disk_that_is_full(client: TestClient, bare_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, version = bare_file.read_bytes(), state_of(client)["version"]

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        refused = client.post("/api/accept", json={"sentence": 0, "words": [1], "version": version})
    assert refused.status_code == 507
    assert "No space left on device" in refused.json()["error"]
    assert "not kept" in refused.json()["error"]
    assert refused.headers["x-frame-options"] == "DENY"
    assert bare_file.read_bytes() == before
    assert state_of(client)["version"] == version  # what is shown is what is in the file
    accepted = client.post("/api/accept", json={"sentence": 0, "words": [1], "version": version})
    assert accepted.status_code == 200
    assert bare_file.read_bytes() != before


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
        body["history"] = session.history if rng.random() < 0.7 else rng.choice(values)
        answer = client.post(f"/api/{rng.choice(paths)}", content=json.dumps(body))
        assert answer.status_code in (200, 400, 404, 409), (body, answer.text)


def test_only_this_machine_and_this_page(client: TestClient) -> None:
    assert client.get("/api/overview", headers={"Host": "evil.example"}).status_code == 400
    assert client.post("/api/undo", json={}, headers={"Origin": "https://evil.example"}).status_code == 403
    assert client.post("/api/undo", content=b"x" * 100_000).status_code == 413


@pytest.mark.parametrize(
    "path", ["9" * 5000, "9" * 5000 + "/words/1", "0/words/" + "9" * 5000, "-1", "\u0663", "x"]
)
def test_addresses_of_no_sentence(client: TestClient, path: str) -> None:
    answer = client.get(f"/api/sentences/{path}")
    assert answer.status_code == 404
    assert answer.headers["x-frame-options"] == "DENY"


def test_a_token(session: Session) -> None:
    with TestClient(annotation_app(session, "secret"), base_url="http://localhost") as client:
        assert client.get("/api/overview").status_code == 403
        assert client.post("/api/accept", json={"sentence": 0}).status_code == 403
        assert client.get("/?token=secret").status_code == 200
        assert client.get("/api/overview").status_code == 200
