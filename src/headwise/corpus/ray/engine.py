"""The engine of a cluster: Ray Data reads, maps over a pool of actors, and each actor writes its shards.

Units of the input flow through two steps: tasks that cut them into shards, and actors that parse a shard and
put its file and marker into the output folder, which all machines must see. Ray starts again what dies with a
worker or a machine, and as doing a shard twice gives the same bytes, that is harmless.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import pickle
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from importlib import import_module
from typing import Any

from headwise.base.errors import HeadwiseError
from headwise.corpus.events import Event, FileUnreadable, ShardDone, ShardGivenUp
from headwise.corpus.inputs import Unit
from headwise.corpus.local import EngineError, memory_of_process
from headwise.corpus.options import CorpusOptions
from headwise.corpus.output import Marker, OutputFolder
from headwise.corpus.reading import shards_to_do
from headwise.corpus.shard_work import do_shard
from headwise.corpus.tasks import Task

_DEATHS = 10
"""So many workers may die on a shard before it is given up. More than on one machine, as machines die too."""
_TASKS = 8
"""Reading tasks for each worker: enough to go round, and few to look after."""


class RayError(HeadwiseError):
    """Ray is not there, or cannot be reached."""


def _ray() -> Any:
    try:
        import_module("ray.data")
        return import_module("ray")
    except ImportError as error:
        raise RayError("Ray is needed for this; install it with: pip install 'headwise[ray]'") from error


def ray_events(
    units: Sequence[Unit],
    task: Task,
    folder: OutputFolder,
    workers: int,
    address: str,
) -> Iterator[Event]:
    """Do all the work on a Ray cluster; what happens comes out as it happens."""
    ray = _ray()
    started_here = not ray.is_initialized()
    if started_here:
        try:
            ray.init(address=address, log_to_driver=False, logging_level="warning")
        except Exception as error:  # Ray raises many kinds, some of no kind at all
            raise RayError(
                f"no Ray cluster at {address} ({error}). Start one with: ray start --head"
            ) from error
    try:
        yield from _events(ray, units, task, folder, workers)
    finally:
        if started_here:
            ray.shutdown()


def _events(
    ray: Any,
    units: Sequence[Unit],
    task: Task,
    folder: OutputFolder,
    workers: int,
) -> Iterator[Event]:
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)  # there is progress of our own
    context.target_max_block_size = max(1, task.options.shard_bytes // 2)  # a shard is a block
    context.target_min_block_size = 1
    count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    here = OutputFolder(folder.root.resolve(), task.options, folder.run)
    rows = [{"unit": pickle.dumps(_absolute(unit))} for unit in units]
    results = (
        ray.data.from_items(rows, override_num_blocks=min(len(rows), _TASKS * count))
        .map_batches(
            _Cut(task.options, here),
            batch_size=1,
            batch_format="pyarrow",
            num_cpus=0,  # reading takes a thousandth of the time, and must not wait for parsing to end
        )
        .map_batches(
            _ShardWorker,
            fn_constructor_args=(task, task.digest(), here),
            batch_size=1,
            batch_format="pyarrow",
            num_cpus=1,
            compute=ray.data.ActorPoolStrategy(size=count, max_tasks_in_flight_per_actor=2),
        )
    )
    seen: set[str] = set()
    try:
        for row in results.iter_rows():
            event = _event(json.loads(row["result"]))
            name = event.marker.shard if isinstance(event, ShardDone) else None
            if name is None or name not in seen:  # what Ray did again is counted once
                yield event
            if name is not None:
                seen.add(name)
    except ray.exceptions.RayError as error:
        raise EngineError(f"Ray gave up ({_first_line(error)}). Run the same command again.") from error


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _absolute(unit: Unit) -> Unit:
    return Unit(unit.number, tuple(replace(file, path=file.path.resolve()) for file in unit.files))


def _event(result: dict[str, Any]) -> ShardDone | ShardGivenUp | FileUnreadable:
    if "error" in result:
        raise EngineError(result["error"])
    if "given_up" in result:
        return ShardGivenUp(result["given_up"], _DEATHS, result["file"])
    if "unreadable" in result:
        return FileUnreadable(result["unreadable"])
    marker = Marker(**result["marker"])
    return ShardDone(
        marker, result["disk_bytes"], result.get("seconds"), result["worker"], result.get("memory")
    )


class _Cut:
    """Cuts units into shards: a row for each, with its data, or with its marker where it is done."""

    def __init__(self, options: CorpusOptions, folder: OutputFolder) -> None:
        self._options, self._folder = options, folder

    def __call__(self, batch: Any) -> Iterator[dict[str, list[bytes]]]:
        for pickled in batch["unit"].to_pylist():
            try:
                for found in shards_to_do([pickle.loads(pickled)], self._options, self._folder):
                    yield {"todo": [pickle.dumps(found)]}
            except HeadwiseError as error:
                yield {"todo": [pickle.dumps(EngineError(str(error)))]}


class _ShardWorker:
    """An actor with a model of its own: does shards, writes them, and says what it did."""

    def __init__(self, task: Task, digest: str, folder: OutputFolder) -> None:
        self._task, self._folder = task, folder
        gc.disable()  # as the workers of one machine do
        self._problem = ""
        if task.digest() != digest:
            self._problem = f"the model {task.model} on {socket.gethostname()} is not the one that was named"

    def __call__(self, batch: Any) -> dict[str, list[str]]:
        return {
            "result": [json.dumps(self._result(pickle.loads(todo))) for todo in batch["todo"].to_pylist()]
        }

    def _result(self, todo: Any) -> dict[str, Any]:
        if isinstance(todo, EngineError) or self._problem:
            return {"error": str(todo) if isinstance(todo, EngineError) else self._problem}
        if isinstance(todo, FileUnreadable):
            return {"unreadable": todo.message}
        name = f"{socket.gethostname()} {os.getpid()}"
        known = {"disk_bytes": todo.shard.disk_bytes, "worker": name}
        if todo.marker is not None:
            return {"marker": asdict(todo.marker), **known}
        if self._folder.unfinished(todo.shard.name) >= _DEATHS:  # Ray itself would go on for ever
            return {"given_up": todo.shard.name, "file": todo.shard.spans[0].file}
        begun = time.monotonic()
        try:
            marker = do_shard(todo.shard, self._task, self._folder, lambda words: None)
        except OSError as error:
            place = f"{error.filename or self._folder.root} on {socket.gethostname()}"
            return {
                "error": f"{place}: {error.strerror or error}. Mend that, and run the same command again."
            }
        gc.collect()
        seconds = time.monotonic() - begun
        return {"marker": asdict(marker), "seconds": seconds, "memory": memory_of_process(), **known}
