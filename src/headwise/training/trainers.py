"""From settings and a treebank to the object that trains: examples, a pruner, a learner."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise._native import learning as native
from headwise._native.parsing import ParserShape
from headwise.components.parser.config import ParserConfig
from headwise.learning.choices import EG_OPTIMIZERS
from headwise.learning.exponentiated_gradient import EgTraining
from headwise.learning.loop import Listener, TrainedWeights, Trainer
from headwise.model import Tensors
from headwise.training.examples import LabelInventory
from headwise.training.pruning import train_pruner
from headwise.training.roles import guess_roles
from headwise.training.settings import TrainingSettings
from headwise.training.stacking import Examples
from headwise.training.tensor import TensorStarts, tensor_inputs
from headwise.treebank import Sentence

EG_RATES = {"log-linear": 0.5, "max-margin": 8.0}
EG_NEGLIGIBLE = {"log-linear": 1e-5, "max-margin": 1e-9}
"""The weights are the sum of all that the duals say. What is left out of it is missing, of log-linear models
until the end of an epoch: many small probabilities of wrong arcs, and not the large one of a right arc."""

Tables = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Prepared:
    """A trainer with all examples."""

    trainer: Trainer[TrainedWeights]
    data: Examples
    shape: ParserShape
    fixed: Tables = field(default_factory=dict)
    """The tables that are there already: the pruner's weights, those of roles, the clusters of words."""
    after_epoch: Callable[[], Mapping[str, float]] | None = None
    """What the trainer wants to do and to show after an epoch."""

    def tables(self, trained: TrainedWeights) -> Tables:
        """By name; what is learned together with arcs lies behind them in one table, and so with labels."""
        arcs, labels = trained
        return {
            **_taken_apart(arcs, self.shape.learned_tables),
            **_taken_apart(labels, self.shape.learned_label_tables),
            **self.fixed,
        }


def _taken_apart(weights: npt.NDArray[np.float32], tables: list[tuple[str, int]]) -> Tables:
    names, sizes = zip(*tables, strict=True)
    return dict(zip(names, np.split(weights, np.cumsum(sizes[:-1])), strict=True))


def make_trainer(
    sentences: list[Sentence],
    trees: list[npt.NDArray[np.int32]],
    config: ParserConfig,
    settings: TrainingSettings,
    listener: Listener,
    word_tables: Mapping[str, npt.NDArray[Any]] | None = None,
) -> Prepared:
    fixed: Tables = dict(word_tables or {})
    labels, shape = LabelInventory(config.labels), replace(config, tensor=None).shape(fixed)
    examples = [
        native.TrainingExample(s, heads, labels.ids(s.labels), shape)
        for s, heads in zip(sentences, trees, strict=True)
    ]
    started = time.perf_counter()
    data = Examples(examples, [None] * len(examples), settings.cutoff)
    if config.pruner is not None:
        pruner = train_pruner(
            config.pruner_shape(config.word_view(fixed)),
            examples,
            epochs=settings.pruning.epochs,
            seed=settings.seed,
            threads=settings.threads,
        )
        fixed["pruner"] = pruner.weights
        data = replace(data, pruners=pruner.of_example)
    if config.roles is not None:
        roles = [config.roles.ids(s, heads) for s, heads in zip(sentences, trees, strict=True)]
        fixed["roles"], accuracy = guess_roles(
            config.role_shape(), examples, roles, seed=settings.seed, threads=settings.threads
        )
        listener.message(f"{len(config.roles.names)} roles, {accuracy:.1%} of them guessed (jackknifed)")
    if config.tensor is not None:
        fixed |= tensor_inputs(config.tensor, examples, settings)
        shape, tensor = config.shape(fixed), config.tensor.shape(fixed)
        data = replace(data, start=TensorStarts(tensor, config.arc_shape(), settings))
        listener.message(f"a tensor of rank {config.tensor.rank} over {tensor.rows:,} features of words")
    by_eg = settings.optimizer in EG_OPTIMIZERS
    trainer = eg_trainer(shape, settings) if by_eg else online_trainer(shape, settings)
    survived, gold = data.add_to(trainer)
    if config.pruner is not None:
        words = max(1, sum(map(len, sentences)))
        known = max(1, sum(int(np.count_nonzero(heads >= 0)) for heads in trees))
        listener.message(
            f"pruning keeps {survived / words:.2f} heads a word and {100 * gold / known:.2f} % of the gold"
            f" arcs (jackknifed, {time.perf_counter() - started:.1f} s)"
        )
    if isinstance(trainer, native.EgTrainer):
        training = EgTraining(trainer, online=settings.optimizer == "eg")
        return Prepared(training, data, shape, fixed, training.after_epoch)
    if config.label_mode == "latent":
        start_from_noise(trainer, settings)
    return Prepared(trainer if settings.averaged else LastWeights(trainer), data, shape, fixed)


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


def online_trainer(shape: ParserShape, settings: TrainingSettings) -> native.Trainer:
    sampling = settings.sampling
    return native.Trainer(
        shape,
        native_learner(settings),
        rival="samples" if settings.learner == "samplerank" else settings.rival,
        samples_a_word=sampling.samples_a_word,
        pairs=sampling.constraints != "gold",
        gold=sampling.constraints != "pairs",
        keeps_chains=sampling.keep_chains,
    )


def native_learner(settings: TrainingSettings) -> native.Learner:
    gradient = settings.gradient
    return native.Learner(
        "mira" if settings.learner == "samplerank" else settings.learner,
        aggressiveness=settings.longest_step,
        share=settings.tensor_share,
        step=gradient.step,
        damping=gradient.damping,
        label_step=gradient.label_step,
        label_damping=gradient.label_damping,
        row_step=settings.tensor.step,
        row_damping=settings.tensor.damping,
        l2=gradient.l2,
        cost=gradient.cost,
        negligible=gradient.negligible,
    )


def likelihood_learner(settings: TrainingSettings) -> native.Learner:
    """For optimizers that look for the optimum: the likelihood itself, and its whole gradient."""
    return native_learner(settings.changed(gradient={"cost": 0.0, "negligible": 0.0}))


def eg_trainer(shape: ParserShape, settings: TrainingSettings) -> native.EgTrainer:
    return native.EgTrainer(
        shape,
        objective=settings.learner,
        regularization=settings.regularization_constant,
        start=settings.eg.start,
        rate=settings.eg.rate or EG_RATES[settings.learner],
        negligible=min(settings.gradient.negligible, EG_NEGLIGIBLE[settings.learner]),
        labels=native_learner(settings),
    )


def start_from_noise(trainer: native.Trainer, settings: TrainingSettings) -> None:
    """Smith and Smith (2007), section 5: equal starts would keep all latent labels equal.

    Only weights that some example touches are moved: noise on the others would be all that a sentence with
    unseen features hears.
    """
    _, touched = trainer.touched_weights(native_learner(settings))
    _, labels = trainer.averaged()
    latent = settings.latent
    rng = np.random.default_rng([settings.seed, latent.clusters])
    start = np.zeros(len(labels), np.float32)
    start[touched] = rng.normal(scale=latent.noise, size=len(touched))
    trainer.start("labels", start)
