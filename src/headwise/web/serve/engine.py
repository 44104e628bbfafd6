"""Threads that work on jobs in turn: a slice of each, and slices of the same steps together."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from headwise.components.parser.constraints import Task
from headwise.components.parser.flow import Row
from headwise.web.serve.jobs import Finish, Job, Steps, run_steps

SLICE_WORDS = 256
"""Words of one job that are worked on before the next job's turn comes …"""
BATCH_WORDS = 512
"""… and words of all jobs that go to the core together."""
BATCH_JOBS = 32

Result = TypeVar("Result")
Work = Callable[[Steps, list[Task]], list[Row]]


class OutOfTimeError(Exception):
    """A request could not be finished within its time."""


class StoppingError(Exception):
    """The server is about to stop and takes no more requests."""


class Engine:
    """The queue and the threads that work on it."""

    def __init__(
        self,
        threads: int,
        *,
        work: Work = run_steps,
        observe: Callable[[int, int, int], None] = lambda jobs, sentences, words: None,
    ) -> None:
        """``observe`` is told of each batch: its jobs, sentences and words."""
        self._work, self._observe = work, observe
        self._waiting: deque[Job[Any]] = deque()
        self._changed = threading.Condition()
        self._stopping = False
        self._threads = [
            threading.Thread(target=self._run, name=f"headwise-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def __len__(self) -> int:
        """Jobs that wait for their turn."""
        return len(self._waiting)

    async def do(
        self,
        steps: Steps,
        tasks: Iterable[Task],
        finish: Finish[Result],
        *,
        seconds: float,
    ) -> list[Result]:
        """The results for all sentences, in their order."""
        future: asyncio.Future[list[Result]] = asyncio.get_running_loop().create_future()
        job = Job(steps, tasks, finish, deadline=time.monotonic() + seconds, future=future)
        with self._changed:
            if self._stopping:
                raise StoppingError
            self._waiting.append(job)
            self._changed.notify()
        return await future

    def stop(self) -> None:
        """Finishes the jobs that wait, takes no more, and ends the threads."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    if self._stopping:
                        return
                    self._changed.wait()
                jobs = self._take()
            finished, unfinished = self._one_turn(jobs)
            if unfinished:
                with self._changed:
                    self._waiting.extend(unfinished)
                    self._changed.notify()
            if finished:
                finished[0].future.get_loop().call_soon_threadsafe(_deliver, finished)

    def _take(self) -> list[Job[Any]]:
        """Jobs of the same steps as the first one's."""
        steps = self._waiting[0].steps
        taken, left = list[Job[Any]](), list[Job[Any]]()
        while self._waiting and len(taken) < BATCH_JOBS:
            job = self._waiting.popleft()
            (taken if job.steps == steps else left).append(job)
        self._waiting.extendleft(reversed(left))
        return taken

    def _one_turn(self, jobs: list[Job[Any]]) -> tuple[list[Job[Any]], list[Job[Any]]]:
        """Works on a slice of each. Returns the jobs that are finished and those that are not."""
        slices: list[tuple[Job[Any], list[Task]]] = []
        finished, unfinished, words = [], [], 0
        now = time.monotonic()
        for job in jobs:
            if job.future.cancelled():
                continue
            if words >= BATCH_WORDS:
                unfinished.append(job)
                continue
            if now > job.deadline:
                job.failure = OutOfTimeError()
                finished.append(job)
                continue
            try:
                tasks = job.slice(SLICE_WORDS)
            except Exception as error:  # what is wrong with a request is that request's own affair
                job.failure = error
                finished.append(job)
                continue
            words += sum(len(sentence) for sentence, _ in tasks)
            slices.append((job, tasks))
        self._parse(slices)
        for job, _ in slices:
            (finished if job.is_over or job.failure else unfinished).append(job)
        self._observe(len(slices), sum(len(tasks) for _, tasks in slices), words)
        return finished, unfinished

    def _parse(self, slices: list[tuple[Job[Any], list[Task]]]) -> None:
        together = [task for _, tasks in slices for task in tasks]
        if not together:
            return
        try:
            parses = self._work(slices[0][0].steps, together)
        except Exception as error:
            if len(slices) == 1:
                slices[0][0].failure = error
            else:  # one of them is at fault; each alone, so that the others do not suffer
                for one in slices:
                    self._parse([one])
            return
        begin = 0
        for job, tasks in slices:
            own = parses[begin : begin + len(tasks)]
            begin += len(tasks)
            try:
                for task, found in zip(tasks, own, strict=True):
                    job.add(task, found)
            except Exception as error:
                job.failure = error


def _deliver(jobs: list[Job[Any]]) -> None:
    for job in jobs:
        if job.future.done():
            continue
        if job.failure is not None:
            job.future.set_exception(job.failure)
        else:
            job.future.set_result(job.results)
