"""A corpus run from beginning to end."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Unpack

from headwise.base.errors import HeadwiseError
from headwise.components.parser.search import Search, SearchOptions
from headwise.corpus.events import Event, FileUnreadable, ShardDone, ShardGivenUp, WordsParsed, WorkerDied
from headwise.corpus.inputs import find_inputs, units_of
from headwise.corpus.local import LocalEngine
from headwise.corpus.log import RunLog
from headwise.corpus.options import CorpusOptions
from headwise.corpus.output import OutputFolder, manifest_of
from headwise.corpus.progress import Progress, Totals
from headwise.corpus.tasks import task_of
from headwise.treebank.parquet.schema import require_pyarrow

MAX_FAILED = 0.01
"""The share of bytes that may be set aside."""
_JUDGED_FROM = 8
"""Shards that must be done before too many failures end a run; at its end they are judged in any case."""


class TooManyFailuresError(HeadwiseError):
    """More was set aside than was allowed."""


class IncompleteError(HeadwiseError):
    """Some shards are missing; the same call does them."""


def parse_corpus(
    inputs: Sequence[str | Path],
    output: str | Path,
    *,
    model: str | Path | None = None,
    options: CorpusOptions | None = None,
    workers: int = 1,
    ray: str | None = None,
    max_failed: float = MAX_FAILED,
    log: Path | None = None,
    search: Search | None = None,
    **wanted: Unpack[SearchOptions],
) -> Totals:
    """Parse files and folders into a folder of shards; run again, it does what is missing.

    With ``CorpusOptions(to="bigrams")`` words are counted instead, for clusters.

    Args:
        inputs: files and folders of text, JSON Lines, Parquet, CoNLL-U, plain, .gz or .xz.
        output: the folder; new, empty, or of an earlier run with the same model, options and inputs.
        model: by default "en" parses, and words that are counted are found by a plain rule.
        workers: processes; on Ray, actors (0: as many as the cluster has processors).
        ray: the address of a Ray cluster, "local" for one on this machine; None: no Ray.
        max_failed: the share of the input, in bytes, that may be set aside before the run ends.
        log: where to write what happens, a JSON object a line; by default in the folder.
        search: what is wanted of sentences, in place of ``options.search``; keywords stand for its fields.
    """
    options = options or CorpusOptions()
    options = replace(options, search=Search.of(search or options.search, wanted))
    started = time.monotonic()
    files, ignored = find_inputs(inputs, but_not=Path(output).resolve())
    if options.to == "parquet" or any(file.kind == "parquet" for file in files):
        require_pyarrow()
    task = task_of(None if model is None else str(model), options)
    task.check(files)
    folder = OutputFolder.open(Path(output), manifest_of(task, files), options)
    units = units_of(files, options.shard_bytes)
    totals, progress = Totals(), Progress(sum(file.size for file in files))
    with folder.locked() as lock:
        journal = RunLog(log or folder.log)
        journal.write(
            "start", files=len(files), ignored=len(ignored), workers=workers, ray=ray, run=folder.run
        )
        try:
            if ray is None:
                events = LocalEngine(units, task, folder, workers, keep_out=[lock]).events()
            else:
                from headwise.corpus.ray.engine import ray_events

                events = ray_events(units, task, folder, workers, ray)
            _follow(events, totals, progress, journal, max_failed)
            totals.seconds = time.monotonic() - started
            _judge(totals, max_failed)
            folder.end(
                shards=totals.shards,
                documents=totals.documents,
                sentences=totals.sentences,
                words=totals.words,
                failures=totals.failures,
            )
            journal.write("end", **asdict(totals))
        except BaseException as error:
            journal.write("stopped", error=str(error) or type(error).__name__, **asdict(totals))
            raise
        finally:
            progress.clear()
            journal.close()
    return totals


def _follow(
    events: Iterator[Event], totals: Totals, progress: Progress, journal: RunLog, max_failed: float
) -> None:
    try:
        for event in events:
            if isinstance(event, WordsParsed):
                progress.note(event)
            elif isinstance(event, ShardDone):
                totals.add(event)
                progress.note(event)
                if event.seconds is not None:
                    journal.write(
                        "shard",
                        **asdict(event.marker),
                        seconds=round(event.seconds, 3),
                        worker=event.worker,
                        memory=event.memory,
                    )
                if totals.shards >= _JUDGED_FROM:
                    _check_failures(totals, max_failed)
            elif isinstance(event, WorkerDied):
                totals.deaths += 1
                journal.write("worker-died", **asdict(event))
            elif isinstance(event, ShardGivenUp):
                totals.given_up.append(f"{event.shard} (of {event.first_file})")
                journal.write("given-up", **asdict(event))
            else:
                assert isinstance(event, FileUnreadable)
                totals.unreadable.append(event.message)
                journal.write("unreadable", message=event.message)
    finally:
        close = getattr(events, "close", None)
        if close is not None:
            close()  # no process outlives an error


def _check_failures(totals: Totals, max_failed: float) -> None:
    if totals.failed_share > max_failed:
        raise TooManyFailuresError(
            f"{totals.failures:,} passages, {totals.failed_share:.2%} of the bytes so far, could not be "
            f"parsed (allowed: {max_failed:.2%}). See set-aside/*.jsonl in the output; to go on all the "
            "same, run the same command with a larger --max-failures."
        )


def _judge(totals: Totals, max_failed: float) -> None:
    """Whether a run that came to its end did what it should."""
    if totals.given_up or totals.unreadable:
        problems = [f"{name}: its workers died again and again" for name in totals.given_up]
        shown = "; ".join([*totals.unreadable, *problems][:5])
        raise IncompleteError(
            f"the output is incomplete: {shown}. What is done stays done; run the same command again."
        )
    _check_failures(totals, max_failed)
