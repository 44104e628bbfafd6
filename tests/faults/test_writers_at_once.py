"""Several processes that write one file while others read it: what is there is always whole."""

from __future__ import annotations

import multiprocessing
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path

import pytest

from headwise import Parser
from headwise.treebank import Sentence
from tally import Tally
from toy_language import SMALL

pytestmark = pytest.mark.slow

ROUNDS = 1000
WRITERS = 4


def write_rounds(model: Path, out: Path, barrier: Barrier) -> None:
    parser = Parser.load(model)
    for _ in range(ROUNDS):
        barrier.wait()
        parser.save(out)
        barrier.wait()
        barrier.wait()  # until the file has been looked at


def read_always(out: Path, contents: list[bytes], done: Event, reads: multiprocessing.Queue[int]) -> None:
    times = 0
    while not done.is_set():
        if out.read_bytes() not in contents:
            reads.put(-1)
            return
        Parser.load(out)
        times += 1
    reads.put(times)


def test_writers_and_readers(train_sentences: list[Sentence], tmp_path: Path, tally: Tally) -> None:
    out, models = tmp_path / "out.hw", [tmp_path / f"{number}.hw" for number in range(WRITERS)]
    for number, model in enumerate(models):
        Parser.train(train_sentences[: 30 + 20 * number], **SMALL).save(model)
    contents = [model.read_bytes() for model in models]
    assert len(set(contents)) == WRITERS
    out.write_bytes(contents[0])
    context = multiprocessing.get_context("spawn")
    barrier, done, reads = context.Barrier(WRITERS + 1), context.Event(), context.Queue()
    writers = [context.Process(target=write_rounds, args=(model, out, barrier)) for model in models]
    reader = context.Process(target=read_always, args=(out, contents, done, reads))
    for process in (*writers, reader):
        process.start()
    winners = set()
    for _ in range(ROUNDS):
        barrier.wait()
        barrier.wait()
        winners.add(contents.index(out.read_bytes()))  # an error where it is none of them
        assert not list(tmp_path.glob(".*"))
        barrier.wait()
    done.set()
    times = reads.get(timeout=60)
    for process in (*writers, reader):
        process.join()
    assert times > 0, "a reader met a file that nobody had written"
    assert len(winners) > 1
    tally("rounds of writers at once", ROUNDS)
    tally("reads in between", times)
