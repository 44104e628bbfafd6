"""Do what is to be done with one shard, and put the result in place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from headwise.corpus.options import CorpusOptions
from headwise.corpus.output import Marker, OutputFolder
from headwise.corpus.passages import Failure, Passage, TextPassage, passages_of
from headwise.corpus.shards import Shard
from headwise.corpus.tasks import Task
from headwise.corpus.writers import shard_writer
from headwise.treebank.parquet.columns import Place

Tick = Callable[[int], None]
"""Is told of words as they are parsed."""
Results = Iterator[tuple[Any, Place, Passage]]


def do_shard(shard: Shard, task: Task, folder: OutputFolder, tick: Tick) -> Marker:
    """Write the file of a shard, what was set aside, and last the marker that says that it is done."""
    passages: list[Passage] = []
    failures: list[Failure] = []
    for span in shard.spans:
        for item in passages_of(span, task.options):
            failures.append(item) if isinstance(item, Failure) else passages.append(item)
    documents = sum(not isinstance(p, TextPassage) or p.is_first for p in passages)
    try:
        results, words, size = _write(shard, task.results(passages), task.options, folder, tick)
    except OSError:
        raise  # of the disk, not of the text
    except Exception:
        # Which passage it was is not known, as sentences are parsed in batches: one by one, then.
        found = one_by_one(passages, task, failures)
        results, words, size = _write(shard, found, task.options, folder, tick)
    failures.sort(key=lambda failure: (failure.file, failure.line))
    lines = (json.dumps(failure.to_json(), ensure_ascii=False) + "\n" for failure in failures)
    folder.write_failures(shard.name, "".join(lines).encode(errors="backslashreplace"))
    marker = Marker(
        shard=shard.name,
        input=shard.digest,
        run=folder.run,
        bytes=shard.size + sum(span.lost for span in shard.spans),
        documents=documents,
        sentences=results if task.makes_sentences else 0,
        words=words,
        failures=len(failures),
        failed_bytes=sum(failure.size for failure in failures),
        output_bytes=size,
    )
    folder.mark(marker)
    return marker


def _write(
    shard: Shard, found: Results, options: CorpusOptions, folder: OutputFolder, tick: Tick
) -> tuple[int, int, int]:
    """Write the results of a shard; how many there were, how many words, and how many bytes."""
    results = words = 0
    with folder.new_file(shard.name + options.ending) as new, shard_writer(new.file, options) as writer:
        for result, place, _ in found:
            length = writer.write(result, place)
            results, words = results + 1, words + length
            tick(length)
    return results, words, new.size


def one_by_one(passages: Iterable[Passage], task: Task, failures: list[Failure]) -> Results:
    """A paragraph, document or sentence at a time; those that fail are set aside."""
    for passage in passages:
        for small in passage.smaller(task.options.layout):
            try:
                found = list(task.results([small]))
            except OSError:
                raise
            except Exception as error:
                failures.append(small.failure(error))
            else:
                yield from found
