"""Learning to guess roles, and guesses for the training data by models that have not seen the sentence.

A parser that saw the true roles while learning, or guesses of a model that knows the sentence by heart, would
trust them more than they deserve in new text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headwise._native import learning as native
from headwise._native.scoring import RoleShape
from headwise.components.roles.config import RolesConfig
from headwise.learning.folds import Folds, Indices, jackknifed

if TYPE_CHECKING:
    from headwise.training.run import Run

FOLDS = 5
RUN = 20
"""Sentences that stand together are often of one text, and go into the same fold."""
EPOCHS = 6
AGGRESSIVENESS = 0.02


def learn_roles(run: Run) -> Run:
    """The run with guesses of roles, which templates then ask for."""
    if not run.settings.guesses_roles:
        return run
    config = RolesConfig.collect(*run.read, run.config.tags, run.templates("role"))
    weights, accuracy = guess_roles(
        config.shape(run.config.tags, run.config.arc_limits),
        run.data.examples,
        [config.ids(sentence, heads) for sentence, heads in zip(*run.learned, strict=True)],
        seed=run.settings.seed,
        threads=run.settings.threads,
    )
    run.listener.message(f"{len(config.names)} roles, {accuracy:.1%} of them guessed (jackknifed)")
    return run.with_component({"roles": weights}, roles=config)


def guess_roles(
    shape: RoleShape,
    examples: Sequence[native.TrainingExample],
    roles: Sequence[npt.NDArray[np.int32]],
    *,
    seed: int,
    threads: int,
) -> tuple[npt.NDArray[np.float32], float]:
    """Give every example the roles that a model of other examples guesses.

    Returns the weights of a model of all examples, and how many of the guesses were right.
    """

    def train(indices: Indices) -> npt.NDArray[np.float32]:
        trainer = native.RoleTrainer(shape, aggressiveness=AGGRESSIVENESS)
        for i in indices.tolist():
            trainer.add(examples[i], roles[i])
        for epoch in range(EPOCHS):
            trainer.train(np.random.default_rng([seed, epoch]).permutation(len(indices)))
        return trainer.averaged()

    folds = Folds.interleaved(len(examples), FOLDS, RUN if len(examples) >= RUN * FOLDS else 1)
    whole, parts = jackknifed(train, folds, threads=threads)
    models = [native.Roles(shape, weights) for weights in parts]
    right = known = 0
    for example, own, f in zip(examples, roles, folds.of_example, strict=True):
        guesses = models[f].guess(example)
        example.set_roles(guesses)
        right += int(np.count_nonzero(guesses == own))
        known += int(np.count_nonzero(own >= 0))
    return whole, right / max(1, known)
