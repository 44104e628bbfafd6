"""Coarse-to-fine pruning: training the first-order model that says which arcs are worth scoring in full.

Koo's thesis, 5.7.3. The pruner of the training data is jackknifed: each part of the data is pruned by a model
that has not seen it, so that training meets the same mistakes of pruning as parsing does.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwise._native import parsing as native

FOLDS = 2
STEP = 0.1
"""AdaGrad's step; the pruner is not sensitive to it."""


@dataclass(frozen=True)
class TrainedPruner:
    """A pruner for new sentences, and one for each training example that has not seen it."""

    weights: npt.NDArray[np.float32]
    of_example: list[native.Pruner]


def train_pruner(
    shape: native.PrunerShape,
    examples: Sequence[native.TrainingExample],
    *,
    epochs: int,
    seed: int,
    threads: int,
) -> TrainedPruner:
    """Train on everything, and on everything but each fold; folds are interleaved. Threads do not matter."""
    fold = np.arange(len(examples)) % FOLDS

    def train(indices: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        trainer = native.LogLinearTrainer(shape, STEP)
        for epoch in range(epochs):
            order = np.random.default_rng([seed, epoch]).permutation(indices)
            trainer.train([examples[i] for i in order])
        return trainer.averaged()

    # With a single example there is nothing to hold out.
    subsets = [np.flatnonzero(fold != f) for f in range(FOLDS)] if len(examples) >= FOLDS else []
    with ThreadPoolExecutor(threads) as pool:
        whole, *parts = pool.map(train, [np.arange(len(examples)), *subsets])
    pruners = [native.Pruner(shape, weights) for weights in parts or [whole] * FOLDS]
    return TrainedPruner(whole, [pruners[f] for f in fold])
