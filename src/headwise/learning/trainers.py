"""From settings and a treebank to the object that trains: examples, a pruner, a learner."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise._native import parsing as native
from headwise.learning.examples import LabelInventory
from headwise.learning.exponentiated_gradient import DualTraining
from headwise.learning.loop import Listener, TrainedWeights, Trainer
from headwise.learning.pruning import train_pruner
from headwise.learning.roles import guess_roles
from headwise.learning.settings import TrainingSettings
from headwise.learning.stacking import Examples
from headwise.parser.config import ParserConfig
from headwise.treebank import Sentence

DUAL_RATES = {"log-linear": 0.5, "max-margin": 8.0}
DUAL_NEGLIGIBLE = 1e-5
"""The weights are the sum of all that the duals say. What is left out of it is missing for good: many small
probabilities of wrong arcs, and not the large one of a right arc."""

Tables = dict[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Prepared:
    """A trainer with all examples."""

    trainer: Trainer[TrainedWeights]
    fixed: Tables = field(default_factory=dict)
    """The weight tables that are trained already: the pruner's, and those of roles."""
    data: Examples | None = None
    """Above first order: the examples and their pruners."""
    after_epoch: Callable[[], Mapping[str, float]] | None = None
    """What the trainer wants to do and to show after an epoch."""


def make_trainer(
    sentences: list[Sentence],
    trees: list[npt.NDArray[np.int32]],
    config: ParserConfig,
    settings: TrainingSettings,
    listener: Listener,
) -> Prepared:
    labels = LabelInventory(config.labels)
    shape = config.shape()
    examples = [
        native.TrainingExample(s, heads, labels.ids(s.labels), shape)
        for s, heads in zip(sentences, trees, strict=True)
    ]
    by_dual = settings.optimizer in ("eg", "eg-batch")
    if config.pruner is None:
        first_order = (
            dual_trainer(native.DualArcTrainer, shape, settings)
            if by_dual
            else native.OnlineTrainer(shape, native_learner(settings))
        )
        for example in examples:
            first_order.add(example)
        if config.label_mode == "latent":
            assert isinstance(first_order, native.OnlineTrainer)
            start_from_noise(first_order, settings)
        return prepared(first_order, settings)
    started = time.perf_counter()
    pruner = train_pruner(
        config.pruner_shape(),
        examples,
        epochs=settings.prune_epochs,
        seed=settings.seed,
        threads=settings.threads,
    )
    fixed: Tables = {"pruner": pruner.weights}
    if config.roles is not None:
        roles = [config.roles.ids(s, heads) for s, heads in zip(sentences, trees, strict=True)]
        fixed["roles"], accuracy = guess_roles(
            config.role_shape(), examples, roles, seed=settings.seed, threads=settings.threads
        )
        listener.message(f"{len(config.roles.names)} roles, {accuracy:.1%} of them guessed (jackknifed)")
    shape_of_parts = config.higher_order_shape()
    trainer = (
        dual_trainer(native.DualPartTrainer, shape_of_parts, settings)
        if by_dual
        else part_trainer(shape_of_parts, settings)
    )
    counts = [trainer.add(*pair) for pair in zip(examples, pruner.of_example, strict=True)]
    survived, gold = np.sum(counts, axis=0)
    words = max(1, sum(map(len, sentences)))
    known = max(1, sum(int(np.count_nonzero(heads >= 0)) for heads in trees))
    listener.message(
        f"pruning keeps {survived / words:.2f} heads a word and {100 * gold / known:.2f} % of the gold arcs"
        f" (jackknifed, {time.perf_counter() - started:.1f} s)"
    )
    data = Examples(examples, pruner.of_example)
    return replace(prepared(trainer, settings), fixed=fixed, data=data)


def part_trainer(shape: native.HigherOrderShape, settings: TrainingSettings) -> native.HigherOrderTrainer:
    return native.HigherOrderTrainer(
        shape,
        native_learner(settings),
        rival="samples" if settings.learner == "samplerank" else settings.rival,
        samples_a_word=settings.samples_a_word,
        pairs=settings.constraints != "gold",
        gold=settings.constraints != "pairs",
    )


def prepared(trainer: Any, settings: TrainingSettings) -> Prepared:
    if settings.optimizer not in ("eg", "eg-batch"):
        return Prepared(trainer)
    training = DualTraining(trainer, online=settings.optimizer == "eg")
    return Prepared(training, after_epoch=training.after_epoch)


def native_learner(settings: TrainingSettings) -> native.Learner:
    return native.Learner(
        "mira" if settings.learner == "samplerank" else settings.learner,
        aggressiveness=settings.aggressiveness,
        step=settings.step,
        damping=settings.damping,
        label_step=settings.label_step,
        label_damping=settings.label_damping,
        l2=settings.l2,
        cost=settings.cost,
        negligible=settings.negligible,
    )


def likelihood_learner(settings: TrainingSettings) -> native.Learner:
    """For optimizers that look for the optimum: the likelihood itself, and its whole gradient."""
    return native_learner(replace(settings, cost=0.0, negligible=0.0))


def dual_trainer(kind: Any, shape: Any, settings: TrainingSettings) -> Any:
    return kind(
        shape,
        objective=settings.learner,
        regularization=settings.regularization_constant,
        start=settings.dual_start,
        rate=settings.dual_rate or DUAL_RATES[settings.learner],
        negligible=min(settings.negligible, DUAL_NEGLIGIBLE),
        labels=native_learner(settings),
    )


def start_from_noise(trainer: native.OnlineTrainer, settings: TrainingSettings) -> None:
    """Smith and Smith (2007), section 5: equal starts would keep all latent labels equal.

    Only weights that some example touches are moved: noise on the others would be all that a sentence with
    unseen features hears.
    """
    _, touched = trainer.touched_weights(native_learner(settings))
    _, labels = trainer.averaged()
    rng = np.random.default_rng([settings.seed, settings.clusters])
    start = np.zeros(len(labels), np.float32)
    start[touched] = rng.normal(scale=settings.noise, size=len(touched))
    trainer.start_labels(start)
