"""What a server refuses so that it is never out of memory or time, and that it recovers."""

import asyncio
import threading
import time

import pytest

pytest.importorskip("httpx2", reason="the extra serve, or Starlette's test client, is not installed")

from starlette.testclient import TestClient

from headwise.treebank import Sentence
from headwise.web.serve.app import serving_app
from headwise.web.serve.engine import Engine, OutOfTimeError, StoppingError
from headwise.web.serve.jobs import Steps, run_steps
from headwise.web.serve.limits import Limits

SENTENCE = Sentence.from_words(["She", "reads"])


def test_size(models):
    with TestClient(
        serving_app(models, limits=Limits(request_bytes=100)), base_url="http://localhost"
    ) as client:
        answer = client.post("/process", data={"data": "x" * 200})
        assert answer.status_code == 413
        assert (
            client.post("/api/parse", json={"text": "x" * 200}).json()["error"].startswith("The request is")
        )
        assert client.post("/api/parse", json={"text": "x"}).status_code == 200


class Gate:
    """Work that waits until it is let through."""

    def __init__(self):
        self.open, self.entered = threading.Event(), threading.Semaphore(0)

    def __call__(self, steps, tasks):
        self.entered.release()
        assert self.open.wait(60)
        return run_steps(steps, tasks)


def test_a_full_queue(models, monkeypatch):
    gate = Gate()
    monkeypatch.setattr(
        "headwise.web.serve.engine.Engine.__init__.__kwdefaults__",
        {**Engine.__init__.__kwdefaults__, "work": gate},
    )
    limits = Limits(queue=3, queue_bytes=200)
    with TestClient(serving_app(models, limits=limits, threads=1), base_url="http://localhost") as client:
        answers = []

        def ask(text):
            answers.append(client.post("/api/parse", json={"text": text}).status_code)

        threads = [threading.Thread(target=ask, args=("She reads.",)) for _ in range(3)]
        for thread in threads:
            thread.start()
        assert gate.entered.acquire(timeout=60)
        while "headwise_requests_in_progress 4" not in client.get("/metrics").text:  # and this one
            time.sleep(0.01)
        refused = client.post("/api/parse", json={"text": "She reads."})
        assert refused.status_code == 429
        assert refused.headers["retry-after"] == "1"
        assert "Too many requests" in refused.json()["error"]
        assert client.post("/process", data={"data": "x", "tokenizer": ""}).status_code == 429
        assert client.get("/health").status_code == 200  # is still answered
        gate.open.set()
        for thread in threads:
            thread.join()
        assert answers == [200] * 3
        assert client.post("/api/parse", json={"text": "She reads."}).status_code == 200  # it has recovered


def test_bytes_that_wait(models, monkeypatch):
    gate = Gate()
    monkeypatch.setattr(
        "headwise.web.serve.engine.Engine.__init__.__kwdefaults__",
        {**Engine.__init__.__kwdefaults__, "work": gate},
    )
    limits = Limits(queue=100, queue_bytes=50)
    with TestClient(serving_app(models, limits=limits, threads=1), base_url="http://localhost") as client:
        answers = []
        text = {"text": "She reads. " * 10}  # more than the limit: taken where there is nothing else
        thread = threading.Thread(
            target=lambda: answers.append(client.post("/api/parse", json=text).status_code)
        )
        thread.start()
        assert gate.entered.acquire(timeout=60)
        assert client.post("/api/parse", json={"text": "She reads."}).status_code == 429
        gate.open.set()
        thread.join()
        assert answers == [200]
        assert client.post("/api/parse", json={"text": "She reads."}).status_code == 200


def test_time(models):
    """Between two slices of a long text its time is over."""
    text = "She reads.\n" * 2000
    with TestClient(serving_app(models, limits=Limits(seconds=0.001)), base_url="http://localhost") as client:
        answer = client.post("/process", data={"data": text, "tokenizer": "", "tagger": "", "parser": ""})
        assert answer.status_code in (408, 503)
    with TestClient(serving_app(models), base_url="http://localhost") as client:
        answer = client.post("/process", data={"data": text, "tokenizer": "", "tagger": "", "parser": ""})
        assert answer.json()["result"].count("# text = She reads.") == 2000


def steps_of(models):
    return Steps(models.default)


def run_engine(engine, *coroutines):
    async def gathered():
        return await asyncio.gather(*coroutines, return_exceptions=True)

    try:
        return asyncio.run(gathered())
    finally:
        engine.stop()


def test_jobs_take_turns(models):
    """A short request that comes after a long one is finished before it."""
    done = []
    engine = Engine(1)

    async def job(name, count):
        await engine.do(steps_of(models), [(SENTENCE, None)] * count, lambda parses, _: None, seconds=60)
        done.append(name)

    run_engine(engine, job("long", 3000), job("short", 1))
    assert done == ["short", "long"]


def test_many_jobs_share_calls(models):
    calls = []
    gate = Gate()
    engine = Engine(
        1, work=gate, observe=lambda jobs, sentences, words: calls.append((jobs, sentences, words))
    )

    async def job():
        return await engine.do(
            steps_of(models), [(SENTENCE, None)], lambda parses, _: parses[0].heads.tolist(), seconds=60
        )

    async def opener():
        await asyncio.sleep(0.05)
        gate.open.set()

    found = run_engine(engine, *(job() for _ in range(20)), opener())
    assert found[:20] == [[[2, 0]]] * 20
    assert len(calls) <= 4
    assert sum(jobs for jobs, _, _ in calls) == 20


def test_late_jobs_and_stopping(models):
    engine = Engine(1)

    async def job(seconds):
        return await engine.do(steps_of(models), [(SENTENCE, None)] * 2, lambda p, _: 1, seconds=seconds)

    late, fine = run_engine(engine, job(-1), job(60))
    assert isinstance(late, OutOfTimeError)
    assert fine == [1, 1]
    with pytest.raises(StoppingError):
        asyncio.run(job(60))


def test_errors_belong_to_their_job(models):
    engine = Engine(1)

    def broken(parses, _):
        raise KeyError("surprise")

    def unreadable():
        yield SENTENCE, None
        raise OSError("no more")

    async def job(tasks, finish):
        return await engine.do(steps_of(models), tasks, finish, seconds=60)

    one = [(SENTENCE, None)]
    found = run_engine(
        engine, job(one, lambda p, _: 1), job(one, broken), job(unreadable(), broken), job([], broken)
    )
    assert found[0] == [1]
    assert isinstance(found[1], KeyError)
    assert isinstance(found[2], OSError | KeyError)
    assert found[3] == []


def test_the_same_answer_alone_and_in_company(client):
    texts = ["She reads.", "They saw the man with the telescope.", "No.", "It doesn't rain, does it?"] * 5
    asked = {"tokenizer": "", "tagger": "", "parser": ""}
    alone = [client.post("/process", data={"data": text, **asked}).content for text in texts]
    together = [b""] * len(texts)

    def ask(number):
        together[number] = client.post("/process", data={"data": texts[number], **asked}).content

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_answers_have_a_limit_too(models):
    limits = Limits(answer_words=50)
    with TestClient(serving_app(models, limits=limits), base_url="http://localhost") as client:
        assert client.post("/api/parse", json={"sentences": [["a"] * 50]}).status_code == 200
        assert client.post("/api/parse", json={"sentences": [["a", "b"]] * 5, "k": 5}).status_code == 200
        for request in ({"sentences": [["a"] * 51]}, {"sentences": [["a", "b"]] * 6, "k": 5}):
            answer = client.post("/api/parse", json=request)
            assert answer.status_code == 413
            assert "over 50 words together" in answer.json()["error"]
        assert client.post("/process", data={"data": "a " * 60, "input": "horizontal"}).status_code == 200
