"""The training loop shared by all online learners: epochs, the development set, interruption, resumption."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from headwise._native.trees import NoTreeError
from headwise.base.errors import HeadwiseError
from headwise.learning.checkpoint import Checkpoint, Progress
from headwise.model import Tensors

CHUNK = 256
"""Sentences between two looks at the clock and at Ctrl-C."""
WORSE_THAN_GUESSING = 10.0
"""A run whose loss is so many times that of guessing has diverged; others are below 1 within an epoch."""
NEXT_SEED = 1_000_003
"""What the seeds of two runs differ by: far enough that nobody gives both."""
INTERRUPTED = "interrupted: keeping what was learned so far"

Weights = tuple[npt.NDArray[np.float32], ...]
"""The weight tables of a model; how many there are is the trainer's business."""
TrainedWeights = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]
"""Those of a parser: of arcs (and larger parts) and of labels."""
W = TypeVar("W", bound=Weights)
W_co = TypeVar("W_co", bound=Weights, covariant=True)


class Trainer(Protocol[W_co]):
    """What the loop needs of a learner: a native object that holds the examples and the weights.

    ``train`` returns counts with the fields ``words``, ``mistakes``, ``loss`` and, where losses are
    log-probabilities, ``guessing``, at most the loss of guessing.
    """

    def train(self, order: npt.NDArray[np.int64], threads: int = 1) -> Any: ...
    def averaged(self) -> W_co: ...
    def state(self) -> Tensors: ...
    def restore(self, state: Tensors) -> None: ...


class Scores(Protocol):
    """How good a model is on the development set. ``selection`` is what the best epoch is chosen by."""

    @property
    def selection(self) -> float: ...
    def measures(self) -> dict[str, float]: ...


@dataclass(frozen=True)
class DevScores:
    """Attachment scores on the development set over all words, full labels (protocol ``all``)."""

    uas: float
    las: float | None
    """None for a parser without labels."""
    tags: float | None = None
    """The share of words whose tags are all right, of a network that finds them."""

    @property
    def selection(self) -> float:
        return self.uas if self.las is None else self.las

    def measures(self) -> dict[str, float]:
        found = {"uas": self.uas, "las": self.las, "tags": self.tags}
        return {name: share for name, share in found.items() if share is not None}

    def __str__(self) -> str:
        shown = " ".join(
            f"{'all tags' if name == 'tags' else name.upper()} {100 * share:.2f}"
            for name, share in self.measures().items()
        )
        return f"dev {shown} (all words)"


@dataclass(frozen=True)
class EpochReport:
    """What one pass over the training data did."""

    epoch: int
    epochs: int
    sentences_per_second: float
    loss: float
    """Loss a word."""
    train_errors: float | None
    """Share of words whose head (or tag) was wrong when the example was met; None where not counted."""
    dev: Scores | None
    is_best: bool
    seconds: float
    seconds_left: float
    measures: Mapping[str, float] = field(default_factory=dict)
    """What the learner shows of its own: objectives, a duality gap, the norm of the gradient."""


@dataclass
class Listener:
    """Who is told about progress. The defaults are silent."""

    progress: Callable[[int, float], None] = lambda epoch, fraction: None
    epoch: Callable[[EpochReport], None] = lambda report: None
    message: Callable[[str], None] = lambda text: None


@dataclass(frozen=True)
class Outcome(Generic[W]):
    """The weights a run ends with and how it went."""

    weights: W
    best_epoch: int
    history: list[dict[str, Any]] = field(default_factory=list)
    interrupted: bool = False


def run_epochs(
    trainer: Trainer[W],
    examples: int,
    *,
    epochs: int,
    seed: int,
    threads: int,
    evaluate: Callable[[W], Scores] | None,
    listener: Listener,
    checkpoint: Checkpoint | None = None,
    after_epoch: Callable[[], Mapping[str, float]] | None = None,
    chunk: int = CHUNK,
    checkpoint_every: int = 1,
) -> Outcome[W]:
    """Train, keep the epoch that is best on the development set (the last one without such a set).

    The order of examples in epoch e depends on (seed, e) alone, so that a resumed run ends with the same
    bytes as one that was never interrupted. Ctrl-C ends the run with the weights learned so far. The
    trainer gets ``chunk`` sentences at a time; its state is kept in ``checkpoint`` every
    ``checkpoint_every`` epochs, and one that is found there is gone on from.
    """
    first, best_epoch, best_score, history = 1, 0, -1.0, list[dict[str, Any]]()
    best: W | None = None
    if checkpoint and (saved := checkpoint.read()):
        progress, tensors = saved
        first, best_epoch, best_score = progress.epoch + 1, progress.best_epoch, progress.best_score
        history = progress.history
        with checkpoint.damaged():
            trainer.restore(tensors)
            best = _saved_best(tensors)
        listener.message(f"resuming after epoch {progress.epoch}")
    started, trained = time.perf_counter(), 0.0
    interrupted = False
    try:
        for epoch in range(first, epochs + 1):
            began = time.perf_counter()
            words, wrong, loss = _one_epoch(trainer, examples, epoch, seed, threads, listener, chunk)
            measures = after_epoch() if after_epoch else {}
            trained += time.perf_counter() - began
            weights = trainer.averaged()
            scores = evaluate(weights) if evaluate else None
            is_best = scores is None or scores.selection > best_score
            if is_best:
                best_epoch, best = epoch, weights if scores else None
                best_score = scores.selection if scores else -1.0
            seconds, done = time.perf_counter() - started, epoch - first + 1
            report = EpochReport(
                epoch=epoch,
                epochs=epochs,
                sentences_per_second=examples * done / trained,
                loss=loss / max(1, words),
                train_errors=None if measures else wrong / max(1, words),
                dev=scores,
                is_best=is_best,
                seconds=seconds,
                seconds_left=seconds / done * (epochs - epoch),
                measures=measures,
            )
            dev = scores.measures() if scores else None
            history.append({"epoch": epoch, "loss": report.loss, "dev": dev, **measures})
            listener.epoch(report)
            if checkpoint and epoch < epochs and epoch % checkpoint_every == 0:
                kept = {f"best.{i}": table for i, table in enumerate(best or ())}
                progress = Progress(epoch, best_epoch, best_score, history)
                checkpoint.keep(progress, lambda kept=kept: trainer.state() | kept, listener)  # type: ignore[misc]
    except KeyboardInterrupt:
        interrupted = True
        listener.message(INTERRUPTED)
    return Outcome(best or trainer.averaged(), best_epoch, history, interrupted)


def _saved_best(tensors: Tensors) -> Any:
    """The weight tables of the best epoch in a saved state, as the trainer gave them; None without any."""
    tables: list[npt.NDArray[np.float32]] = []
    while (name := f"best.{len(tables)}") in tensors:
        tables.append(np.array(tensors[name]))
    return tuple(tables) or None


def _one_epoch(
    trainer: Trainer[Any], examples: int, epoch: int, seed: int, threads: int, listener: Listener, chunk: int
) -> tuple[int, int, float]:
    order = np.random.default_rng([seed, epoch]).permutation(examples)
    words, wrong, loss, guessing = 0, 0, 0.0, 0.0
    for begin in range(0, examples, chunk):
        try:
            counts = trainer.train(order[begin : begin + chunk], threads)
        except (ArithmeticError, NoTreeError) as error:
            # Every example has a tree: where none is left, scores are no longer numbers.
            raise _diverged(epoch) from error
        words, wrong, loss = words + counts.words, wrong + counts.mistakes, loss + counts.loss
        guessing += getattr(counts, "guessing", 0.0)
        listener.progress(epoch, min(1.0, (begin + chunk) / examples))
    if guessing and loss > WORSE_THAN_GUESSING * guessing:
        raise _diverged(epoch)
    return words, wrong, loss


class DivergedError(HeadwiseError):
    """A run whose weights are no longer numbers, or as good as none."""


def _diverged(epoch: int) -> DivergedError:
    return DivergedError(
        f"training diverged in epoch {epoch}: the loss is far worse than that of guessing. "
        "Take smaller steps (--step)."
    )
