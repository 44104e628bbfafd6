"""Coarse-to-fine pruning: training the first-order model that says which arcs are worth scoring in full.

Koo's thesis, 5.7.3. The pruner of the training data is jackknifed: each part of the data is pruned by a model
that has not seen it, so that training meets the same mistakes of pruning as parsing does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headwise._native import learning as native
from headwise._native.parsing import Pruner, PrunerShape
from headwise.learning.folds import Folds, Indices, jackknifed

if TYPE_CHECKING:
    from headwise.training.run import Run

FOLDS = 2


def learn_pruner(run: Run) -> Run:
    """The run with a pruner, where there are larger parts than arcs."""
    if run.config.pruner is None:
        return run
    shape = run.config.pruner_shape(run.config.word_view(run.tables))
    chosen = run.settings
    pruner = train_pruner(
        shape,
        run.data.examples,
        epochs=chosen.pruning.epochs,
        seed=chosen.seed,
        threads=chosen.threads,
    )
    data = replace(run.data, pruners=pruner.of_example)
    return replace(run.with_component({"pruner": pruner.weights}), data=data)


@dataclass(frozen=True)
class TrainedPruner:
    """A pruner for new sentences, and one for each training example that has not seen it."""

    weights: npt.NDArray[np.float32]
    of_example: list[Pruner]


def train_pruner(
    shape: PrunerShape,
    examples: Sequence[native.TrainingExample],
    *,
    epochs: int,
    seed: int,
    threads: int,
) -> TrainedPruner:
    """Train on everything, and on everything but each fold; folds are interleaved. Threads do not matter."""

    # The likelihood, by quick steps; a pruner is not sensitive to their size.
    learner = native.Learner("log-linear", step=0.1, damping=1e-6, negligible=1e-3, at_once=True)

    def train(indices: Indices) -> npt.NDArray[np.float32]:
        trainer = native.Trainer(shape.model, learner)
        for i in indices:
            trainer.add(examples[i])
        for epoch in range(epochs):
            trainer.train(np.random.default_rng([seed, epoch]).permutation(len(indices)))
        return trainer.averaged()[0]

    folds = Folds.interleaved(len(examples), FOLDS)
    whole, parts = jackknifed(train, folds, threads=threads)
    pruners = [Pruner(shape, weights) for weights in parts]
    return TrainedPruner(whole, [pruners[f] for f in folds.of_example])
