"""Several runs of a learner that differ in the order of the examples, averaged.

What an online learner ends with depends on the order in which it met the examples. The mean of the weights of
several runs depends on it less; for a linear model it is an ensemble that costs nothing when parsing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from headwise._native import learning as native
from headwise.learning.loop import Listener, TrainedWeights, run_epochs
from headwise.training.settings import TrainingSettings
from headwise.training.stacking import Examples

NEXT_SEED = 1_000_003
"""What the seeds of two runs differ by: far enough that nobody gives both."""


def averaged_runs(
    first: TrainedWeights,
    data: Examples,
    make_trainer: Callable[[], native.Trainer],
    settings: TrainingSettings,
    listener: Listener,
) -> tuple[TrainedWeights, bool]:
    """The mean of the first run and `settings.runs` − 1 others; and whether one was interrupted."""
    sums, complete, interrupted = [table.astype(np.float64) for table in first], 1, False
    for run in range(1, settings.runs):
        listener.message(f"run {run + 1} of {settings.runs}, in another order")
        trainer = make_trainer()
        data.add_to(trainer)
        outcome = run_epochs(
            trainer,
            len(data.examples),
            epochs=settings.epochs,
            seed=settings.seed + run * NEXT_SEED,
            threads=settings.threads,
            evaluate=None,
            listener=Listener(progress=listener.progress),
        )
        if interrupted := outcome.interrupted:
            break
        complete += 1
        for total, table in zip(sums, outcome.weights, strict=True):
            total += table
    arcs, labels = ((total / complete).astype(np.float32) for total in sums)
    return (arcs, labels), interrupted
