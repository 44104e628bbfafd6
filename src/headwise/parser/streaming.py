"""Work on a stream of sentences: in batches, in order, the next batch ahead of its reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

from headwise.treebank import Sentence

BATCH_SENTENCES = 512

Input = Sentence | Sequence[str]
"""A sentence from a treebank, or just its words."""
Item = TypeVar("Item")
Result = TypeVar("Result")


def as_sentence(given: Input) -> Sentence:
    return given if isinstance(given, Sentence) else Sentence.from_words(given)


def in_batches(
    items: Iterable[Item],
    work: Callable[[list[Item]], list[Result]],
    *,
    batch_size: int = BATCH_SENTENCES,
    ahead: bool,
) -> Iterator[Result]:
    """The results of ``work``, which takes a batch, for a stream of items, in order.

    With ``ahead`` the next batch is worked on while the caller is busy with this one.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size is {batch_size}, must be at least 1")
    stream = iter(items)
    batches = iter(lambda: list(islice(stream, batch_size)), [])
    if not ahead:
        for batch in batches:
            yield from work(batch)
        return
    with ThreadPoolExecutor(1) as background:
        waiting: Future[list[Result]] | None = None
        failure: Exception | None = None
        while True:
            batch = []
            try:
                batch = next(batches, [])
            except Exception as error:  # what was read before comes out before it, as without threads
                failure = error
            done, waiting = waiting, background.submit(work, batch) if batch else None
            if done is not None:
                yield from done.result()
            if failure is not None:
                raise failure
            if waiting is None:
                return
