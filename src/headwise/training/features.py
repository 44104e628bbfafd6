"""Learning features, and what is learned together with them: the step that makes a parser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise._native import learning as native
from headwise._native.parsing import ParserShape
from headwise.components.parser.parser import Parser
from headwise.learning.batch import METHODS, Objective, run_batch
from headwise.learning.choices import EG_OPTIMIZERS
from headwise.learning.exponentiated_gradient import EgTraining
from headwise.learning.loop import DevScores, Outcome, TrainedWeights, Trainer, run_epochs
from headwise.model import Tensors
from headwise.training.learners import eg_trainer, likelihood_learner, native_learner
from headwise.training.run import Run
from headwise.training.settings import TrainingSettings

Tables = dict[str, npt.NDArray[Any]]


def learn_features(run: Run) -> Run:
    """The run with a parser; one that has no features (a network alone) gets tables of none."""
    prepared = make_trainer(run)
    outcome = _outcome(run, prepared)
    run.config.training.update(best_epoch=outcome.best_epoch, history=outcome.history)
    return replace(
        run,
        weights=outcome.weights,
        parser=parser_of(run, prepared.shape, outcome.weights),
        interrupted=outcome.interrupted,
    )


def _outcome(run: Run, prepared: Prepared) -> Outcome[TrainedWeights]:
    settings, trainer = run.settings, prepared.trainer

    def evaluate(trained: TrainedWeights) -> DevScores:
        return run.score(parser_of(run, prepared.shape, trained))

    common: dict[str, Any] = {
        "evaluate": evaluate if run.is_judged else None,
        "listener": run.listener,
        "checkpoint": run.checkpoint,
    }
    if settings.network.alone:
        return Outcome(trainer.averaged(), 0)
    if settings.optimizer in METHODS:
        return run_batch(
            Objective.of(trainer, likelihood_learner(settings), settings.regularization_constant),
            method=settings.optimizer,
            iterations=settings.epochs,
            words=sum(map(len, run.learned.sentences)),
            **common,
        )
    return run_epochs(
        trainer,
        len(run.data.examples),
        epochs=settings.epochs,
        seed=settings.seed,
        threads=settings.threads,
        after_epoch=prepared.after_epoch,
        **common,
    )


def parser_of(run: Run, shape: ParserShape, trained: TrainedWeights) -> Parser:
    """What is learned together with arcs lies behind them in one table, and so with labels."""
    arcs, labels = trained
    tables = _taken_apart(arcs, shape.learned_tables) | _taken_apart(labels, shape.learned_label_tables)
    return Parser(run.config, {**tables, **run.tables})


def _taken_apart(weights: npt.NDArray[np.float32], tables: list[tuple[str, int]]) -> Tables:
    names, sizes = zip(*tables, strict=True)
    return dict(zip(names, np.split(weights, np.cumsum(sizes[:-1])), strict=True))


@dataclass(frozen=True)
class Prepared:
    """A trainer with all examples."""

    trainer: Trainer[TrainedWeights]
    shape: ParserShape
    after_epoch: Callable[[], Mapping[str, float]] | None = None
    """What the trainer wants to do and to show after an epoch."""


def make_trainer(run: Run) -> Prepared:
    """A learner as the settings want it, and all examples in it."""
    settings, shape = run.settings, run.config.shape(run.tables)
    by_eg = settings.optimizer in EG_OPTIMIZERS
    trainer = eg_trainer(shape, settings) if by_eg else run.learner(shape)
    survived, gold = run.data.add_to(trainer)
    if run.config.pruner is not None:
        words = max(1, sum(map(len, run.learned.sentences)))
        known = max(1, sum(int(np.count_nonzero(heads >= 0)) for heads in run.learned.heads))
        run.listener.message(
            f"pruning keeps {survived / words:.2f} heads a word and {100 * gold / known:.2f} % of the gold"
            " arcs (jackknifed)"
        )
    if isinstance(trainer, native.EgTrainer):
        training = EgTraining(trainer, online=settings.optimizer == "eg")
        return Prepared(training, shape, training.after_epoch)
    if run.config.label_mode == "latent":
        start_from_noise(trainer, settings)
    return Prepared(trainer if settings.averaged else LastWeights(trainer), shape)


@dataclass(frozen=True)
class LastWeights:
    """A trainer whose weights are not averaged."""

    trainer: native.Trainer

    def train(self, order: npt.NDArray[np.int64], threads: int = 1) -> native.TrainingCounts:
        return self.trainer.train(order, threads)

    def averaged(self) -> TrainedWeights:
        state = self.trainer.state()
        return state["arcs.weights"], state["labels.weights"]

    def state(self) -> Tensors:
        return self.trainer.state()

    def restore(self, state: Tensors) -> None:
        self.trainer.restore(state)


def start_from_noise(trainer: native.Trainer, settings: TrainingSettings) -> None:
    """Smith and Smith (2007), section 5: equal starts would keep all latent labels equal.

    Only weights that some example touches are moved: noise on the others would be all that a sentence with
    unseen features gets.
    """
    _, touched = trainer.touched_weights(native_learner(settings))
    _, labels = trainer.averaged()
    latent = settings.latent
    rng = np.random.default_rng([settings.seed, latent.clusters])
    start = np.zeros(len(labels), np.float32)
    start[touched] = rng.normal(scale=latent.noise, size=len(touched))
    trainer.start("labels", start)
