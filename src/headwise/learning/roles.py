"""Learning to guess roles, and guesses for the training data by models that have not seen the sentence.

A parser that saw the true roles while learning, or guesses of a model that knows the sentence by heart, would
trust them more than they deserve in new text.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from headwise._native import parsing as native

FOLDS = 5
RUN = 20
"""Sentences that stand together are often of one text, and go into the same fold."""
EPOCHS = 6
AGGRESSIVENESS = 0.02


def guess_roles(
    shape: native.RoleShape,
    examples: Sequence[native.TrainingExample],
    roles: Sequence[npt.NDArray[np.int32]],
    *,
    seed: int,
    threads: int,
) -> tuple[npt.NDArray[np.float32], float]:
    """Give every example the roles that a model of other examples guesses.

    Returns the weights of a model of all examples, and how many of the guesses were right.
    """
    run = RUN if len(examples) >= RUN * FOLDS else 1
    fold = np.arange(len(examples)) // run % FOLDS

    def train(indices: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        trainer = native.RoleTrainer(shape, aggressiveness=AGGRESSIVENESS)
        for i in indices.tolist():
            trainer.add(examples[i], roles[i])
        for epoch in range(EPOCHS):
            trainer.train(np.random.default_rng([seed, epoch]).permutation(len(indices)))
        return trainer.averaged()

    everything = np.arange(len(examples))
    # With fewer examples than folds there is too little to hold out.
    subsets = [np.flatnonzero(fold != f) for f in range(FOLDS)] if len(examples) >= FOLDS else []
    with ThreadPoolExecutor(threads) as pool:
        whole, *parts = pool.map(train, [everything, *subsets])
    models = [native.Roles(shape, weights) for weights in parts or [whole] * FOLDS]
    right = known = 0
    for example, own, f in zip(examples, roles, fold.tolist(), strict=True):
        guesses = models[f].guess(example)
        example.set_roles(guesses)
        right += int(np.count_nonzero(guesses == own))
        known += int(np.count_nonzero(own >= 0))
    return whole, right / max(1, known)
