"""From settings to the native objects that learn."""

from __future__ import annotations

from headwise._native import learning as native
from headwise._native.parsing import ParserShape
from headwise.training.settings import TrainingSettings

EG_RATES = {"log-linear": 0.5, "max-margin": 8.0}
EG_NEGLIGIBLE = {"log-linear": 1e-5, "max-margin": 1e-9}
"""The weights are the sum of all that the duals say. What is left out of it is missing, of log-linear models
until the end of an epoch: many small probabilities of wrong arcs, and not the large one of a right arc."""


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
