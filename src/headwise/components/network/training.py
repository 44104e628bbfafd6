"""Learning a network beside a parser (`headwise.components.network.config`).

Both learn from the same trees, and neither knows of the other: what they have in common they have learned
twice, so their mistakes differ, and that is what adding them up lives on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from headwise._native import learning as native
from headwise.components.network.config import NetworkConfig
from headwise.components.network.size import NATIVE_BATCH, NATIVE_LAYERS, decided
from headwise.components.network.tag_pieces import numbered_pieces
from headwise.learning.checkpoint import Checkpoint
from headwise.learning.loop import Listener, run_epochs
from headwise.model import Tensors

if TYPE_CHECKING:
    from headwise.components.tagging.tag_task import TagTask
    from headwise.training.members import Train
    from headwise.training.run import Run
    from headwise.training.settings import TrainingSettings

LEAST_OFTEN = 2
"""Atoms that occur less often have no vector: so what to do with unknown words is learned too."""
PIECES_LEAST_OFTEN = 5
"""Pieces of words are many."""


def native_training(run: Run) -> Train:
    """How networks of the core are trained for the parser of a run."""
    words, labels = run.config.words, len(run.config.labels)
    return lambda settings, state: train_network(
        run.data.examples,
        labels,
        settings,
        run.listener,
        words.vectors if words else 0,
        run.tags,
        checkpoint=state,
    )


def train_network(
    examples: Sequence[native.TrainingExample],
    label_count: int,
    settings: TrainingSettings,
    listener: Listener,
    given: int = 0,
    tags: TagTask | None = None,
    *,
    checkpoint: Checkpoint | None = None,
) -> tuple[NetworkConfig, Tensors, bool]:
    """A network and its tensors, and whether the run was interrupted.

    ``given`` is how many numbers the vectors have that come with the words of the examples; ``tags`` are
    those that it is to find beside heads and labels. The state of the run is kept in ``checkpoint``.
    """
    width, epochs = decided(settings.network.width), decided(settings.network.epochs)
    config = NetworkConfig(
        vectors=width,
        lstm=width,
        layers=NATIVE_LAYERS,
        arcs=width,
        labels=width,
        weight=settings.network_weight,
        given=given,
        pieces=settings.network.pieces,
        tags=settings.network.tag_width if tags else 0,
        tag_count=len(tags.tags) if tags else 0,
    )
    vocabulary = native.collect_vocabulary(
        list(examples),
        min(LEAST_OFTEN, len(examples)),
        config.pieces,
        PIECES_LEAST_OFTEN,
        settings.network.reads_tags,
    )
    trainer = native.NetworkTrainer(
        config.shape(vocabulary, label_count),
        total=epochs * len(examples),
        seed=settings.seed,
        batch=NATIVE_BATCH,
        tag_pieces=numbered_pieces(tags.tags) if tags else [],
    )
    for i, example in enumerate(examples):
        trainer.add(example, tags.train[i] if tags else None)
    listener.message(f"training a network: {len(vocabulary):,} vectors, {width} wide, {epochs} epochs")
    outcome = run_epochs(
        trainer,
        len(examples),
        epochs=epochs,
        seed=settings.seed,
        threads=settings.threads,
        evaluate=None,
        listener=listener,
        checkpoint=checkpoint,
    )
    weights, vectors = outcome.weights
    tensors: Tensors = {"vocabulary": vocabulary, "network": weights, "vectors": vectors}
    return config, tensors, outcome.interrupted
