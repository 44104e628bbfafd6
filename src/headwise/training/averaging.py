"""Several runs of a learner that differ in the order of the examples, averaged.

What an online learner ends with depends on the order in which it met the examples. The mean of the weights of
several runs depends on it less; for a linear model it is an ensemble that costs nothing when parsing.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from headwise.learning.loop import NEXT_SEED, Listener, run_epochs
from headwise.training.features import parser_of
from headwise.training.run import Run


def average_runs(run: Run) -> Run:
    """The run with the mean of its parser and those of `settings.runs` − 1 others in other orders."""
    settings, listener = run.settings, run.listener
    if settings.runs == 1:
        return run
    assert run.weights is not None
    sums, complete = [table.astype(np.float64) for table in run.weights], 1
    shape = run.made.config.shape(run.made.weights)
    interrupted = False
    for number in range(1, settings.runs):
        listener.message(f"run {number + 1} of {settings.runs}, in another order")
        trainer = run.learner(shape)
        run.data.add_to(trainer)
        outcome = run_epochs(
            trainer,
            len(run.data.examples),
            epochs=settings.epochs,
            seed=settings.seed + number * NEXT_SEED,
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
    averaged = parser_of(run, shape, (arcs, labels))
    return replace(run.better(averaged, "other runs"), interrupted=interrupted)
