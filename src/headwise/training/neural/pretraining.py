"""Layers and vectors of a network from raw text: language models in both directions, and words left out.

The forward half of the first layer is to say which word comes next, the backward half which came before, as
language models do; and the last layer is to say which words were left out, because further layers have seen
the words on both sides. Words are chosen among a sample of others (Jean et al. 2015).
"""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, embedding

from headwise._native.clusters import WordLineCollector
from headwise.base.errors import HeadwiseError
from headwise.components.network.pretrained import Pretrained, PretrainedConfig, Sizes
from headwise.learning.checkpoint import Checkpoint, say_what_is_resumed
from headwise.learning.loop import Listener, run_epochs
from headwise.training.neural.biaffine import Affine, Scorer
from headwise.training.neural.dropout import Dropout
from headwise.training.neural.network import Network
from headwise.training.neural.text import Text, TextBatches, WordTypes
from headwise.training.neural.trainer import NetworkTrainer
from headwise.training.neural.training import chosen_device
from headwise.training.neural.treebank import SPELLING, Batch
from headwise.training.pretraining_settings import PretrainingSettings

CHUNK = 1 << 15
"""Sentences that are sorted by length together."""


class Words(nn.Module):
    """A vector and a bias for each word that is predicted."""

    def __init__(self, count: int, width: int) -> None:
        super().__init__()
        self.weights, self.bias = nn.Parameter(torch.zeros(count, width)), nn.Parameter(torch.zeros(count))


class LanguageModel(Scorer):
    """A network that knows nothing of trees, and what predicts words from its layers."""

    _shares: Tensor
    _up_to: Tensor

    def __init__(self, network: Network, text: Text, settings: PretrainingSettings) -> None:
        super().__init__()
        self.network, self.dropout = network, network.dropout
        lstm, width = network.config.lstm, network.config.vectors
        self.next, self.previous, self.left_out = (
            Affine(lstm, width),
            Affine(lstm, width),
            Affine(2 * lstm, width),
        )
        self.words = Words(len(text.target_counts), width)
        self._masked, self._samples = settings.masked, settings.samples
        self._counts = torch.tensor(text.target_counts, dtype=torch.float64)
        frequencies = self._counts**0.75
        shares = frequencies / frequencies.sum()
        self.register_buffer("_shares", shares.float(), persistent=False)
        self.register_buffer("_up_to", shares.cumsum(0), persistent=False)

    def start(self, generator: torch.Generator, spelling: Tensor) -> None:
        self.network.start(generator, spelling)
        with torch.no_grad():
            for layer in (self.next, self.previous, self.left_out):
                limit = 1 / math.sqrt(layer.weights.shape[0])
                layer.weights.uniform_(-limit, limit, generator=generator)
            self.words.weights.uniform_(-0.1, 0.1, generator=generator)
            self.words.bias.copy_(self._counts.log() - self._counts.sum().log())

    def losses(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The loss of a batch, summed over its words, and how many words were predicted wrongly."""
        types = batch.read_as
        assert isinstance(types, WordTypes)
        # Rows of a table, whose gradient adds up in a fixed order.
        x = embedding(types.place, self.network.sums(types))
        hidden = (self.dropout.uniform((len(x),), x.device) < self._masked) & (types.targets >= 0)
        layers = self.network.outputs(batch, x.masked_fill(hidden[:, None], 0.0))
        lstm = self.network.config.lstm
        guesses = [
            (self.next(layers[0][:, :lstm]), types.after),
            (self.previous(layers[0][:, lstm:]), types.before),
            (self.left_out(layers[-1]), types.targets.masked_fill(~hidden, -1)),
        ]
        sample = self._draw(x.device)
        found = [self._loss(states, targets, sample) for states, targets in guesses]
        loss, wrong = (torch.stack(numbers).sum() for numbers in zip(*found, strict=True))
        return loss, wrong

    def _draw(self, device: torch.device) -> Tensor:
        """Words by their shares; torch.multinomial adds them up in no fixed order."""
        dice = self.dropout.uniform((self._samples,), device).double()
        return torch.searchsorted(self._up_to, dice).clamp(max=len(self._up_to) - 1)

    def _loss(self, states: Tensor, targets: Tensor, sample: Tensor) -> tuple[Tensor, Tensor]:
        """Of the right word t: −log e^s(t) / (e^s(t) + Σ e^s(w) / (S q(w))), over S words w drawn by q."""
        there = (targets >= 0).nonzero().squeeze(1)
        states, targets = embedding(there, states), targets[there]
        bias = self.words.bias[:, None]
        right = (states * embedding(targets, self.words.weights)).sum(dim=1) + embedding(targets, bias)[:, 0]
        drawn = embedding(sample, bias)[:, 0] - torch.log(self._shares[sample] * len(sample))
        rivals = states @ embedding(sample, self.words.weights).T + drawn
        rivals = rivals.masked_fill(sample == targets[:, None], -torch.inf)
        scores = torch.cat([right[:, None], rivals], dim=1).float()
        loss = cross_entropy(scores, torch.zeros_like(targets), reduction="sum")
        return loss, (scores.detach().argmax(dim=1) != 0).sum()

    def to_tables(self) -> tuple[npt.NDArray[np.float32], ...]:
        _, vectors = self.network.to_tables()
        return self.network.layer_table(), vectors


class WordObjective:
    """What a trainer asks for the loss of a batch."""

    def of(self, network: Scorer, batch: Batch) -> tuple[Tensor, Tensor]:
        assert isinstance(network, LanguageModel)
        return network.losses(batch)


def pretrain(
    words: WordLineCollector,
    settings: PretrainingSettings,
    *,
    listener: Listener | None = None,
    output: str | Path | None = None,
    resume: bool = False,
) -> Pretrained:
    """Vectors and layers from text. With ``output``, the state of the run is kept beside it."""
    listener = listener or Listener()
    sizes = Sizes(settings.vectors, settings.width, settings.layers, settings.pieces)
    text = Text.of(words, sizes.pieces, settings)
    if not len(text):
        raise HeadwiseError("there is no sentence of two words in the text.")
    dropout = Dropout(settings.dropout, settings.atom_dropout, 0.0)
    network = Network(sizes.network(), len(text.vocabulary), 0, dropout)
    model = LanguageModel(network, text, settings)
    spelling = torch.from_numpy(text.kinds_of_rows() == SPELLING)
    model.start(torch.Generator().manual_seed(settings.seed), spelling)
    listener.message(
        f"{text.words:,} words in {len(text):,} sentences; {len(text.vocabulary):,} vectors,"
        f" {len(text.target_counts):,} words to predict"
    )
    trainer = NetworkTrainer(
        model,
        WordObjective(),
        TextBatches(text),
        settings.torch(),
        device=chosen_device(settings.torch()),
        seed=settings.seed,
        total=settings.epochs * len(text),
    )
    checkpoint = None
    if output is not None:
        checkpoint = Checkpoint.beside(output, asdict(settings), text.digest(), resume=resume)
        say_what_is_resumed([checkpoint], listener)
    outcome = run_epochs(
        trainer,
        len(text),
        epochs=settings.epochs,
        seed=settings.seed,
        threads=1,
        evaluate=None,
        listener=listener,
        checkpoint=checkpoint,
        chunk=CHUNK,
    )
    if checkpoint and not outcome.interrupted:
        checkpoint.remove()
    layers, vectors = outcome.weights
    training = {"settings": asdict(settings), "words": text.words, "history": outcome.history}
    config = PretrainedConfig(sizes, {**training, "interrupted": outcome.interrupted})
    return Pretrained(config, {"vocabulary": text.vocabulary, "vectors": vectors, "layers": layers})
