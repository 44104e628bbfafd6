"""The engine of one machine: a process that reads, and worker processes that share one model.

Workers are forked from a process that has loaded the model, so its tables are in memory once, whatever the
number of workers. The process that forks has no threads and never runs anything but this file. A process that
dies is replaced, and its shard is given to another; nothing that a process leaves behind counts until it is
renamed into place.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import time
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from headwise.base.errors import HeadwiseError
from headwise.corpus.events import (
    Event,
    FileUnreadable,
    ShardDone,
    ShardGivenUp,
    ToDo,
    WordsParsed,
    WorkerDied,
)
from headwise.corpus.inputs import Unit
from headwise.corpus.options import CorpusOptions
from headwise.corpus.output import Marker, OutputFolder
from headwise.corpus.reading import shards_to_do
from headwise.corpus.shard_work import do_shard
from headwise.corpus.shards import Shard
from headwise.corpus.tasks import Task

DEATHS = 3
"""So many workers may die on a shard before it is given up (for this run)."""
_TICK = 1.0
"""Seconds between reports of a worker."""


class EngineError(HeadwiseError):
    """A run that cannot go on."""


class _Child:
    """A process and the pipe to it."""

    def __init__(
        self,
        context: Any,
        name: str,
        target: Any,
        arguments: tuple[Any, ...],
        foreign: Sequence[int | Connection],
    ):
        self.name = name
        self.connection, theirs = context.Pipe()
        # A child must not hold ends of pipes that are not its own: nobody would see that they end.
        foreign = (*foreign, self.connection) if context.get_start_method() == "fork" else ()
        self.process: BaseProcess = context.Process(
            target=_begin, args=(foreign, target, theirs, *arguments), name=name, daemon=True
        )
        self.process.start()
        theirs.close()
        self.shard: Shard | None = None
        self.since = 0.0

    def end(self) -> None:
        with suppress(OSError):
            self.connection.close()
        self.process.kill()
        self.process.join()


def _begin(foreign: Sequence[int | Connection], target: Any, connection: Connection, *arguments: Any) -> None:
    """The life of a child: it ends when its parent does, by the end of the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for thing in foreign:
        with suppress(OSError):
            os.close(thing) if isinstance(thing, int) else thing.close()
    try:
        target(connection, *arguments)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass  # the parent is gone
    except HeadwiseError as error:
        _last_words(connection, EngineError(str(error)))
    except OSError as error:
        place = error.filename or "the output"
        remedy = "Make room or change permissions, and run the same command again: what is done stays done."
        _last_words(connection, EngineError(f"{place}: {error.strerror or error}. {remedy}"))
    except Exception:
        _last_words(
            connection,
            EngineError(f"this is a mistake in Headwise, please report it:\n{traceback.format_exc()}"),
        )
    os._exit(0)


def _last_words(connection: Connection, error: EngineError) -> None:
    with suppress(OSError):
        connection.send(error)


def _read(
    connection: Connection, units: Sequence[Unit], options: CorpusOptions, folder: OutputFolder
) -> None:
    for found in shards_to_do(units, options, folder):
        connection.send(found)
    connection.send(None)


def _work(connection: Connection, task: Task, folder: OutputFolder) -> None:
    gc.disable()  # parsing makes no cycles, and looking for them among a million objects takes time
    last, words = time.monotonic(), 0

    def tick(parsed: int) -> None:
        nonlocal last, words
        words += parsed
        if time.monotonic() - last >= _TICK:
            connection.send(WordsParsed(words))
            last, words = time.monotonic(), 0

    while True:
        shard: Shard = connection.recv()
        marker = do_shard(shard, task, folder, tick)
        words = 0
        del shard
        gc.collect()
        connection.send((marker, memory_of_process()))


def memory_of_process() -> int | None:
    """The proportional set size of this process in bytes, where the system tells."""
    try:
        lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration, ValueError):
        return None


class LocalEngine:
    """Runs the shards of a corpus on the cores of this machine."""

    def __init__(
        self,
        units: Sequence[Unit],
        task: Task,
        folder: OutputFolder,
        workers: int,
        keep_out: Sequence[int] = (),
    ) -> None:
        self._units, self._task, self._folder = units, task, folder
        self._count, self._keep_out = workers, tuple(keep_out)
        forks = "fork" in multiprocessing.get_all_start_methods()  # elsewhere, every worker loads the model
        self._context = multiprocessing.get_context("fork" if forks else "spawn")
        self._workers: list[_Child] = []
        self._reader: _Child | None = None
        self._waiting: deque[Shard] = deque()
        self._seen: set[str] = set()
        self._deaths: dict[str, int] = {}
        self._started = 0

    def events(self) -> Iterator[Event]:
        """Do all the work; what happens comes out as it happens."""
        gc.collect()
        gc.freeze()  # the objects of the model stay on the pages that children share
        try:
            self._reader = self._new_reader()
            for _ in range(self._count):
                self._workers.append(self._new_worker())
            while self._reader is not None or self._waiting or any(w.shard for w in self._workers):
                yield from self._turn()
        finally:
            for child in [*self._workers, *([self._reader] if self._reader else [])]:
                child.end()
            gc.unfreeze()

    def _new_reader(self) -> _Child:
        return self._child("reader", _read, (self._units, self._task.options, self._folder))

    def _new_worker(self) -> _Child:
        self._started += 1
        return self._child(f"worker {self._started}", _work, (self._task, self._folder))

    def _child(self, name: str, target: Any, arguments: tuple[Any, ...]) -> _Child:
        others = [child.connection for child in self._children()]
        return _Child(self._context, name, target, arguments, [*self._keep_out, *others])

    def _children(self) -> list[_Child]:
        return [*self._workers, *([self._reader] if self._reader else [])]

    def _turn(self) -> Iterator[Event]:
        """Wait until something happens, and deal with it."""
        for worker in self._workers:
            if worker.shard is None and self._waiting:
                self._give(worker, self._waiting.popleft())
        # The reader is listened to only while there is something to do, so it is never far ahead.
        listening = [child for child in self._children() if child is not self._reader or self._has_room()]
        by_connection = {child.connection: child for child in listening}
        for connection in wait(list(by_connection), timeout=_TICK):
            child = by_connection[connection]
            try:
                message = child.connection.recv()
            except (EOFError, OSError):
                yield from self._replace(child)
            else:
                yield from self._received(child, message)

    def _has_room(self) -> bool:
        return len(self._waiting) < self._count

    def _give(self, worker: _Child, shard: Shard) -> None:
        worker.shard, worker.since = shard, time.monotonic()
        with suppress(OSError):  # a worker that has died is noticed in a moment
            worker.connection.send(shard)

    def _received(self, child: _Child, message: Any) -> Iterator[Event]:
        if isinstance(message, EngineError):
            raise message
        if child is self._reader:
            yield from self._read(message)
        elif isinstance(message, WordsParsed):
            yield message
        else:
            marker, memory = message
            yield self._done(child, marker, memory)

    def _read(self, message: ToDo | FileUnreadable | None) -> Iterator[Event]:
        if message is None:
            assert self._reader is not None
            self._reader.end()
            self._reader = None
        elif isinstance(message, FileUnreadable):
            yield message
        elif message.shard.name not in self._seen:  # a reader that was replaced begins anew
            self._seen.add(message.shard.name)
            if message.marker is not None:
                yield ShardDone(message.marker, message.shard.disk_bytes)
            else:
                self._waiting.append(message.shard)

    def _done(self, worker: _Child, marker: Marker, memory: int | None) -> ShardDone:
        assert worker.shard is not None
        disk_bytes, worker.shard = worker.shard.disk_bytes, None
        return ShardDone(marker, disk_bytes, time.monotonic() - worker.since, worker.name, memory)

    def _replace(self, child: _Child) -> Iterator[Event]:
        """A child has died: start another, and let it do what this one was doing."""
        child.process.join()
        shard = child.shard
        yield WorkerDied(child.name, shard.name if shard else None, child.process.exitcode)
        child.end()
        if child is self._reader:
            self._count_death("reader")
            if self._deaths["reader"] >= 10 * DEATHS:
                raise EngineError("the process that reads the input dies again and again; is memory short?")
            self._reader = None
            self._reader = self._new_reader()
            return
        self._workers.remove(child)
        self._workers.append(self._new_worker())
        if shard is None:
            self._count_death("idle worker")
            if self._deaths["idle worker"] >= 10 * DEATHS:
                raise EngineError("workers die before they get anything to do; is memory short?")
            return
        if self._count_death(shard.name) < DEATHS:
            self._waiting.appendleft(shard)
        else:
            yield ShardGivenUp(shard.name, DEATHS, shard.spans[0].file)

    def _count_death(self, name: str) -> int:
        self._deaths[name] = self._deaths.get(name, 0) + 1
        return self._deaths[name]
