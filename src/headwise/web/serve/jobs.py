"""What is to be done for a request: sentences that are read as they are needed, and what they become."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from headwise.components.parser.constraints import Constraints, Task
from headwise.components.parser.flow import Row
from headwise.components.parser.parse import Parse
from headwise.components.parser.search import PLAIN, Search
from headwise.web.serve.models import Model

if TYPE_CHECKING:
    from asyncio import Future

Result = TypeVar("Result")
Finish = Callable[[Row, Constraints | None], Result]


@dataclass(frozen=True)
class Steps:
    """What is done with each sentence. Jobs of the same steps are worked on together."""

    model: Model
    search: Search = PLAIN
    parse: bool = True
    """Without it, sentences are tagged and nothing else."""


class Job(Generic[Result]):
    """The sentences of a request, and the results so far.

    ``finish`` turns the parses of a sentence (one, or the k best), found under its constraints, into a
    result. It is called in the thread that has parsed it, so that of a long text only results wait in memory.
    """

    def __init__(
        self,
        steps: Steps,
        tasks: Iterable[Task],
        finish: Finish[Result],
        *,
        deadline: float,
        future: Future[list[Result]],
    ) -> None:
        self.steps, self.deadline, self.future = steps, deadline, future
        self.results: list[Result] = []
        self.is_over = False
        self.failure: Exception | None = None
        self._tasks: Iterator[Task] = iter(tasks)
        self._finish = finish

    def slice(self, words: int) -> list[Task]:
        """The next sentences, of about so many words; the last ones are followed by ``is_over``."""
        taken: list[Task] = []
        left = words
        while left > 0:
            task = next(self._tasks, None)
            if task is None:
                self.is_over = True
                break
            taken.append(task)
            left -= len(task[0])
        return taken

    def add(self, task: Task, parses: Row) -> None:
        self.results.append(self._finish(parses, task[1]))


def run_steps(steps: Steps, tasks: list[Task]) -> list[Row]:
    """The parses of each sentence. The core gives the same for a sentence, whoever it is parsed with."""
    flow = steps.model.model.flow(steps.search)
    if steps.parse:
        return flow.batch(tasks)
    return [
        [Parse(sentence, sentence.heads, sentence.labels, 0.0)]
        for sentence in flow.tagged(sentence for sentence, _ in tasks)
    ]
