"""Work on a stream of sentences: in batches, in order, the next batch ahead of its reader."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar

from headwise.base.caller import warn_caller
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from concurrent.futures import Future

BATCH_SENTENCES = 512

Input = Sentence | Sequence[str]
"""A sentence from a treebank, or just its words."""
Item = TypeVar("Item")
Result = TypeVar("Result")


def as_sentence(given: Input) -> Sentence:
    """A sentence from what stands for one; TypeError, with what to do, for what does not."""
    if isinstance(given, Sentence):
        return given
    if isinstance(given, str):
        raise TypeError(
            f"{given!r:.40} is one text, and a sentence is a list of its words. For running text, load a "
            'pipeline: headwise.load("en")'
        )
    if not isinstance(given, Sequence):
        raise TypeError(f"a sentence is a list of words, not {type(given).__name__}: {given!r:.40}")
    for number, word in enumerate(given, 1):
        if not isinstance(word, str):
            raise TypeError(f"word {number} is {type(word).__name__}, must be a str: {word!r:.40}")
    return Sentence.from_words(given)


def each_sentence(given: Iterable[Input]) -> Iterator[Sentence]:
    """Those of a stream; a single text or sentence in its place is refused."""
    if isinstance(given, str | bytes | Sentence):
        raise TypeError("pipe takes many sentences; for one, call the model itself, or give a list of it")
    if not isinstance(given, Iterable):
        raise TypeError(f"pipe takes many sentences, not {type(given).__name__}: {given!r:.40}")
    return map(as_sentence, given)


def checked_sentences(
    given: Iterable[Input], missing_from: Callable[[Sentence], str | None]
) -> Iterator[Sentence]:
    """`each_sentence`; where the first lacks what a model was trained with, that is said."""
    return _checked(each_sentence(given), missing_from)


def _checked(
    stream: Iterator[Sentence], missing_from: Callable[[Sentence], str | None]
) -> Iterator[Sentence]:
    for sentence in islice(stream, 1):
        if missing := missing_from(sentence):
            warn_caller(f"{sentence.source}: {missing}")
        yield sentence
    yield from stream


def in_batches(
    items: Iterable[Item],
    work: Callable[[list[Item]], list[Result]],
    *,
    batch_size: int = BATCH_SENTENCES,
    ahead: bool,
) -> Iterator[Result]:
    """The results of ``work``, which takes a batch, for a stream of items, in order.

    With ``ahead`` the next batch is worked on while the caller is busy with this one. Where the stream raises
    an error, the results of what was read before come out before it.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size is {batch_size}, must be at least 1")
    batches = _Batches(items, batch_size)
    return _ahead(batches, work) if ahead else _one_by_one(batches, work)


class _Batches(Generic[Item]):
    """A stream in batches; the error that ends it, if one does, is kept for later."""

    def __init__(self, items: Iterable[Item], size: int) -> None:
        self._stream, self._size = iter(items), size
        self.failure: Exception | None = None

    def next(self) -> list[Item]:
        """The next batch, empty at the end."""
        batch: list[Item] = []
        if self.failure is None:
            try:
                # Not list(islice(…)), which would lose what it has when the stream fails.
                batch.extend(islice(self._stream, self._size))
            except Exception as error:
                self.failure = error
        return batch


def _one_by_one(batches: _Batches[Item], work: Callable[[list[Item]], list[Result]]) -> Iterator[Result]:
    while batch := batches.next():
        yield from work(batch)
    if batches.failure is not None:
        raise batches.failure


def _ahead(batches: _Batches[Item], work: Callable[[list[Item]], list[Result]]) -> Iterator[Result]:
    from concurrent.futures import ThreadPoolExecutor

    process = os.getpid()
    background = ThreadPoolExecutor(1)
    try:
        waiting: Future[list[Result]] | None = None
        while True:
            if os.getpid() != process:
                raise RuntimeError(
                    "results that were begun in another process cannot be gone on with after a fork: its "
                    "threads stayed there. Begin anew in each process, or parse with threads=1."
                )
            batch = batches.next()
            done, waiting = waiting, background.submit(work, batch) if batch else None
            if done is not None:
                yield from done.result()
            if waiting is None:
                break
        if batches.failure is not None:
            raise batches.failure
    finally:
        if os.getpid() == process:  # elsewhere there is no thread to wait for
            background.shutdown()
