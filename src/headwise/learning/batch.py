"""Conditional likelihood over all sentences at once, by SciPy: L-BFGS or conjugate gradient.

Sha and Pereira (2003); Koo's thesis, section 4.4.1. The objective is C/2·|w|² − Σ log p(gold), over the
weights that some sentence touches; weights are rounded to float32 where they are used, so that convergence is
to about six digits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise._native import learning as native
from headwise.base.errors import HeadwiseError
from headwise.learning.checkpoint import Checkpoint, Progress
from headwise.learning.loop import INTERRUPTED, EpochReport, Listener, Outcome, Scores, TrainedWeights

Floats = npt.NDArray[np.float64]
METHODS = {"l-bfgs": "L-BFGS-B", "cg": "CG"}


@dataclass(frozen=True)
class Objective:
    """The regularized loss of a training set as a function of the weights that matter."""

    trainer: Any
    learner: native.Learner
    regularization: float
    arcs: npt.NDArray[np.uint32]
    labels: npt.NDArray[np.uint32]

    @classmethod
    def of(cls, trainer: Any, learner: native.Learner, regularization: float) -> Objective:
        return cls(trainer, learner, regularization, *trainer.touched_weights(learner))

    @property
    def size(self) -> int:
        return len(self.arcs) + len(self.labels)

    def __call__(self, weights: Floats) -> tuple[float, Floats]:
        arcs, labels = np.split(weights, [len(self.arcs)])
        loss, *gradients = self.trainer.objective(self.learner, self.arcs, arcs, self.labels, labels)
        return (
            loss + self.regularization / 2 * float(weights @ weights),
            np.concatenate(gradients) + self.regularization * weights,
        )

    def tables(self, weights: Floats) -> TrainedWeights:
        """The weight tables of the parser."""
        empty_arcs, empty_labels = self.trainer.averaged()
        arcs, labels = np.zeros_like(empty_arcs), np.zeros_like(empty_labels)
        arcs[self.arcs], labels[self.labels] = np.split(weights, [len(self.arcs)])
        return arcs, labels


class _Done(Exception):
    """Enough iterations."""


def run_batch(
    objective: Objective,
    *,
    method: str,
    iterations: int,
    words: int,
    evaluate: Callable[[TrainedWeights], Scores] | None,
    listener: Listener,
    checkpoint: Checkpoint | None = None,
    tolerance: float = 1e-5,
) -> Outcome[TrainedWeights]:
    """Minimize, an iteration an epoch: at most so many, fewer where the gradient vanishes.

    A resumed run goes on from the weights of its last iteration; the curvature that L-BFGS had gathered is
    gathered anew, so that it ends at the same optimum, but not with the same bytes.
    """
    try:
        from scipy.optimize import minimize  # type: ignore[import-untyped]
    except ImportError as error:
        raise HeadwiseError(
            f"the optimizer {method} needs SciPy (pip install 'headwise[batch]'); online does not."
        ) from error
    state = _State(np.zeros(objective.size))
    if checkpoint and (saved := checkpoint.read()):
        progress, tensors = saved
        state = _State(np.array(tensors["weights"]), progress.epoch, progress.best_epoch, progress.best_score)
        state.history, state.best = progress.history, np.array(tensors["best"])
        listener.message(f"resuming after iteration {progress.epoch}")
    started = time.perf_counter()
    last: dict[str, Floats | float] = {}

    def value(weights: Floats) -> tuple[float, Floats]:
        try:
            total, gradient = objective(weights)
        except ArithmeticError as error:
            raise HeadwiseError("training diverged: the loss is no longer a number.") from error
        last.update(total=total, norm=float(np.linalg.norm(gradient)))
        return total, gradient

    def after_iteration(weights: Floats) -> None:
        state.iteration += 1
        state.weights = np.array(weights)
        scores = evaluate(objective.tables(weights)) if evaluate else None
        is_best = scores is None or scores.selection > state.best_score
        if is_best:
            state.best, state.best_epoch = state.weights, state.iteration
            state.best_score = scores.selection if scores else -1.0
        seconds = time.perf_counter() - started
        report = EpochReport(
            epoch=state.iteration,
            epochs=iterations,
            sentences_per_second=0.0,
            loss=float(last["total"]) / max(1, words),
            train_errors=None,
            dev=scores,
            is_best=is_best,
            seconds=seconds,
            seconds_left=seconds / state.iteration * (iterations - state.iteration),
            measures={"objective": float(last["total"]), "gradient norm": float(last["norm"])},
        )
        state.history.append(
            {"epoch": state.iteration, "loss": report.loss, "dev": scores.measures() if scores else None}
        )
        listener.epoch(report)
        if checkpoint:
            progress = Progress(state.iteration, state.best_epoch, state.best_score, state.history)
            checkpoint.keep(progress, lambda: {"weights": state.weights, "best": state.best}, listener)
        if state.iteration >= iterations:
            raise _Done

    interrupted = False
    try:
        options = {"maxiter": iterations, "gtol": tolerance * max(1.0, np.sqrt(objective.size))}
        result = minimize(
            value, state.weights, jac=True, method=METHODS[method], callback=after_iteration, options=options
        )
        listener.message(f"{method} ended after {state.iteration} iterations: {result.message}")
    except _Done:
        listener.message(f"{method} stopped after {iterations} iterations, before convergence")
    except KeyboardInterrupt:
        interrupted = True
        listener.message(INTERRUPTED)
    return Outcome(objective.tables(state.best), state.best_epoch, state.history, interrupted)


class _State:
    """Where a run stands."""

    def __init__(
        self, weights: Floats, iteration: int = 0, best_epoch: int = 0, best_score: float = -1.0
    ) -> None:
        self.weights = self.best = weights
        self.iteration, self.best_epoch, self.best_score = iteration, best_epoch, best_score
        self.history: list[dict[str, Any]] = []
