"""From examples to a trained network and its tables in a model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch

from headwise._native import learning as native
from headwise._native.parsing import ParserShape
from headwise.base.errors import HeadwiseError
from headwise.components.network.config import NetworkConfig
from headwise.components.network.pretrained import Pretrained, Sizes
from headwise.components.network.settings import TORCH_TAG_WIDTH, Torch
from headwise.components.network.size import decided
from headwise.components.network.training import LEAST_OFTEN
from headwise.components.tagging.tag_task import TagTask
from headwise.learning.checkpoint import Checkpoint
from headwise.learning.loop import DevScores, Listener, Outcome, Weights, run_epochs
from headwise.model import Tensors
from headwise.training.members import Train
from headwise.training.neural.biaffine import Scorer, Scores
from headwise.training.neural.dropout import Dropout
from headwise.training.neural.losses import Objective, TaughtObjective
from headwise.training.neural.network import Network
from headwise.training.neural.tag_head import tag_pieces
from headwise.training.neural.teachers import TaughtTreebank, Teacher, teachers_of
from headwise.training.neural.trainer import NetworkTrainer
from headwise.training.neural.treebank import AtomTreebank, Tree, Treebank
from headwise.training.run import Run
from headwise.training.settings import TrainingSettings
from headwise.treebank import Sentence

CHUNK = 4096
"""Sentences that are sorted by length together."""
DEV_BATCH = 20_000
"""Words of the development set that are read at once."""
CHECKPOINTS = 10
"""Epochs between two checkpoints: a network and Adam's means are large."""


def torch_training(run: Run) -> Train:
    """How networks of PyTorch are trained for the parser of a run."""
    config, settings = run.config, run.settings
    shape = replace(config, tensor=None).shape(run.tables)
    known_tags = run.tags.tags if run.tags else None
    training = NetworkTraining(
        run.data.examples,
        [(without_tree(s, shape), (s.heads, run.made.label_ids(s.labels))) for s in run.dev],
        len(config.labels),
        settings,
        run.listener,
        objective=Objective(settings.torch.loss, config.projective, config.single_root),
        given=config.words.vectors if config.words else 0,
        tags=run.tags,
        teachers=[t for path in settings.teaching.teachers for t in teachers_of(path, config, known_tags)],
        unlabelled=[without_tree(sentence, shape) for sentence in run.unlabelled],
    )
    return training.train


def without_tree(sentence: Sentence, shape: ParserShape) -> native.TrainingExample:
    """A sentence that nothing is learned from: its tree may have labels that training does not know."""
    unknown = np.full(len(sentence), -1, np.int32)
    return native.TrainingExample(sentence, unknown, unknown, shape)


class NetworkTraining:
    """What networks of one parser are learned from. They differ in their seeds, and share all of this.

    Teachers are asked when it is made, once for all networks.
    """

    def __init__(
        self,
        examples: Sequence[native.TrainingExample],
        dev: Sequence[tuple[native.TrainingExample, Tree]],
        label_count: int,
        settings: TrainingSettings,
        listener: Listener,
        *,
        objective: Objective,
        given: int = 0,
        tags: TagTask | None = None,
        teachers: Sequence[Teacher] = (),
        unlabelled: Sequence[native.TrainingExample] = (),
    ) -> None:
        """``dev`` has sentences as examples, and their trees beside them.

        ``given`` is how many numbers the vectors have that come with the words of the examples.
        ``unlabelled`` are sentences that only teachers know trees of.
        """
        chosen = settings.torch
        self._learned = Pretrained.load(chosen.pretrained) if chosen.pretrained else None
        sizes = self._learned.config.sizes if self._learned else _sizes(settings, teachers)
        self.config = NetworkConfig(
            vectors=sizes.vectors,
            lstm=sizes.lstm,
            layers=sizes.layers,
            arcs=chosen.arcs,
            labels=chosen.labels,
            weight=settings.network_weight,
            given=given,
            pieces=sizes.pieces,
            tags=(settings.network.tags or TORCH_TAG_WIDTH) if tags else 0,
            tag_count=len(tags.tags) if tags else 0,
        )
        least = min(LEAST_OFTEN, len(examples))
        vocabulary = native.collect_vocabulary(
            list(examples), least, self.config.pieces, chosen.pieces_at_least, settings.network.reads_tags
        )
        earlier = self._learned or (teachers[0] if teachers else None)
        if earlier:
            vocabulary = np.concatenate([earlier.vocabulary, np.setdiff1d(vocabulary, earlier.vocabulary)])
        shape = self.config.shape(vocabulary, label_count)
        known_tags = tags.train if tags else None
        self._vocabulary, self._label_count, self._listener = vocabulary, label_count, listener
        self._objective, self._teachers = objective, teachers
        self._tag_pieces = tag_pieces(tags.tags) if tags else None
        if not teachers:
            self._treebank: AtomTreebank = AtomTreebank(examples, shape, given, tags=known_tags)
        else:
            listener.message(
                f"learning from {len(teachers)} network{'s' * (len(teachers) > 1)},"
                f" {len(unlabelled):,} sentences without trees"
            )
            self._treebank = TaughtTreebank(
                examples,
                unlabelled,
                self.config,
                vocabulary,
                label_count,
                teachers,
                tags=known_tags,
                words=settings.teaching.words,
                device=chosen_device(chosen),
            )
            self._objective = TaughtObjective(**vars(objective), share=settings.teaching.share)
        self._dev = AtomTreebank(
            [example for example, _ in dev],
            shape,
            given,
            [tree for _, tree in dev],
            tags.dev if tags else None,
        )

    def train(
        self, settings: TrainingSettings, checkpoint: Checkpoint | None = None
    ) -> tuple[NetworkConfig, Tensors, bool]:
        """A network of the epoch that does best on ``dev``, its tensors, and whether it was interrupted.

        The settings are those that all of this was made with, but for the seed.
        """
        network = self._new_network(settings)
        outcome = learn(
            network,
            self._treebank,
            self._dev,
            self._objective,
            settings,
            self._listener,
            checkpoint=checkpoint,
        )
        weights, vectors = outcome.weights
        tensors: Tensors = {"vocabulary": self._vocabulary, "network": weights, "vectors": vectors}
        return self.config, tensors, outcome.interrupted

    def _new_network(self, settings: TrainingSettings) -> Network:
        chosen, rows = settings.torch, len(self._vocabulary)
        dropout = Dropout(chosen.dropout, chosen.atom_dropout, chosen.recurrent_dropout)
        network = Network(self.config, rows, self._label_count, dropout, self._tag_pieces)
        network.start(torch.Generator().manual_seed(settings.seed), self._treebank.is_spelling(rows))
        self._listener.message(f"a network with {rows:,} vectors")
        if self._learned:
            # What raw text did not show starts from nothing, so it does not drown what was learned there.
            network.load_layers(self._learned.layers, self._learned.vectors)
            self._listener.message(f"it starts from {self._learned}")
        elif self._teachers:
            network.load_vectors(self._teachers[0].vectors(self.config.vectors))
        return network


def _sizes(settings: TrainingSettings, teachers: Sequence[Teacher]) -> Sizes:
    """Vectors are those of the first teacher, where there is one, or shorter."""
    network, vectors = settings.network, settings.torch.vectors
    width, layers = decided(network.width), decided(settings.torch.layers)
    if not teachers:
        return Sizes(vectors, width, layers, network.pieces)
    first = teachers[0].network.config
    return Sizes(min(vectors, first.vectors), width, layers, first.pieces)


def learn(
    network: Scorer,
    treebank: Treebank,
    dev: Treebank,
    objective: Objective,
    settings: TrainingSettings,
    listener: Listener,
    *,
    checkpoint: Checkpoint | None = None,
) -> Outcome[Weights]:
    """The weights of the epoch that does best on ``dev``; of the last one, where there is none."""
    chosen, device = settings.torch, chosen_device(settings.torch)
    epochs = decided(settings.network.epochs)
    trainer = NetworkTrainer(
        network,
        objective,
        treebank,
        chosen,
        device=device,
        seed=settings.seed,
        total=epochs * len(treebank),
    )
    weights = sum(table.numel() for table in network.parameters())
    listener.message(f"training a network by PyTorch on {device}: {weights:,} weights, {epochs} epochs")

    def evaluate(_: Weights) -> DevScores:
        scores: DevScores = dev_scores(network, objective, dev, device)
        return scores

    return run_epochs(
        trainer,
        len(treebank),
        epochs=epochs,
        seed=settings.seed,
        threads=settings.threads,
        evaluate=evaluate if len(dev) else None,
        listener=listener,
        checkpoint=checkpoint,
        chunk=CHUNK,
        checkpoint_every=CHECKPOINTS,
    )


def chosen_device(settings: Torch) -> torch.device:
    """The device of the settings; where they leave it open, a GPU if there is one."""
    has_gpu = torch.cuda.is_available()
    if settings.device == "cuda" and not has_gpu:
        raise HeadwiseError("PyTorch finds no CUDA device: train with --device cpu, which takes longer.")
    name = "cpu" if settings.device == "cpu" or not has_gpu else "cuda"
    # Without it, cuBLAS promises no fixed order of additions; it is read when CUDA starts.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    return torch.device(name)


@torch.inference_mode()
def dev_scores(network: Scorer, objective: Objective, dev: Treebank, device: torch.device) -> DevScores:
    """Of the best trees of arcs alone."""
    network.eval()
    right, tags, right_tags = np.zeros(3, np.int64), 0, 0
    for batch in (batch.to(device) for batch in dev.all_batches(DEV_BATCH)):
        scores: Scores = network(batch)
        heads = objective.trees(scores, batch).argmax().heads
        known = batch.heads >= 0
        hits = (heads == batch.heads) & known
        labelled = hits
        if network.biaffine.label_count:
            labelled = hits & (network.biaffine.labels(batch, scores, heads).argmax(dim=-1) == batch.labels)
        right += np.array([int(x.sum()) for x in (known, hits, labelled)])
        if scores.tags is not None and batch.tags is not None:
            right_tags += int((scores.tags[:, 1:].argmax(dim=-1) == batch.tags).sum())
            tags += int(known.sum())
    words, heads_right, both_right = (int(count) for count in right)
    return DevScores(
        heads_right / max(1, words),
        both_right / max(1, words) if network.biaffine.label_count else None,
        right_tags / tags if tags else None,
    )
