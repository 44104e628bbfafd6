"""Streams that fail, and streams that are gone on with in another process."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from headwise import Parser
from headwise.base.errors import TreebankError
from headwise.treebank import Sentence, read, write
from headwise.treebank.streaming import in_batches
from toy_language import toy_treebank


def failing(count: int) -> Iterator[int]:
    yield from range(count)
    raise OSError("the source went away")


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 25])
def test_what_was_read_comes_before_the_error(count: int, ahead: bool) -> None:
    results = in_batches(failing(count), lambda batch: [2 * x for x in batch], batch_size=10, ahead=ahead)
    given: list[int] = []
    with pytest.raises(OSError, match="went away"):
        given.extend(results)
    assert given == [2 * x for x in range(count)]


@pytest.mark.parametrize("threads", [1, 2])
def test_sentences_before_a_broken_one_are_parsed(threads: int, parser: Parser, tmp_path: Path) -> None:
    write(toy_treebank(7, seed=1), tmp_path / "broken.conllu")
    with (tmp_path / "broken.conllu").open("a") as file:
        file.write("1\tcut off\n")
    parses: list[Sentence] = []
    with pytest.raises(TreebankError):
        parses.extend(
            parse.sentence for parse in parser.pipe(read(tmp_path / "broken.conllu"), threads=threads)
        )
    assert len(parses) == 7


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_does_not_wait_for_threads_of_its_parent() -> None:
    results = in_batches(range(100), lambda batch: batch, batch_size=10, ahead=True)
    assert next(results) == 0
    child = os.fork()
    if child == 0:  # nothing of pytest may go on in here
        signal.alarm(20)
        try:
            list(results)
            os._exit(1)
        except RuntimeError as error:
            os._exit(0 if "fork" in str(error) else 2)
        except BaseException:
            os._exit(3)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert list(results) == list(range(1, 100))
    sys.stdout.flush()
