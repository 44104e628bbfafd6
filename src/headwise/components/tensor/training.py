"""What a low-rank tensor is given before it is learned (`headwise.components.tensor.config`).

Which features of words it has, and where it starts: its factors are learned one at a time,
each with the others as they stand, so that from zero nothing would ever move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headwise._native import learning as native
from headwise._native.parsing import ParserShape
from headwise._native.scoring import TensorShape
from headwise.components.tensor.config import TensorConfig

if TYPE_CHECKING:
    from headwise.training.run import Run
    from headwise.training.settings import TrainingSettings

Floats = npt.NDArray[np.float64]
Start = dict[str, npt.NDArray[np.float32]]
SLOTS = 16
"""Rows of the table of arcs: two directions, and seven distances in each."""
ROWS = 500
"""The most frequent features, which have a start. Rare ones begin with nothing to say."""
SENTENCES = 1000
"""What features are learned from for a start: as many sentences as that, taken evenly."""
SCALE = 2.0
"""What each factor of such a start is multiplied by; with less, features learn first what there is."""
NEGLIGIBLE = 1e-12
NOISE = 0.1
"""Size of random starts: what a feature adds to each of the numbers of a word."""
AGGRESSIVENESS = 0.01
"""Of MIRA, by which the features are learned that a tensor starts from."""


def prepare_tensor(run: Run) -> Run:
    """The run with a tensor that is learned together with features: what it scores, and where it starts."""
    settings = run.settings
    if not settings.tensor.rank:
        return run
    config = TensorConfig(
        templates=run.templates("tensor"),
        rank=settings.tensor.rank,
        weight=1 - settings.tensor_share,
        vectors=run.config.words.vectors if run.config.words else 0,
        labels=len(run.config.labels) if settings.tensor.labels else 0,
    )
    vocabulary = native.collect_word_features(
        config.templates, list(run.data.examples), settings.tensor.at_least
    )
    run = run.with_component({"tensor_vocabulary": vocabulary}, tensor=config)
    shape = config.shape(run.tables)
    run.listener.message(f"a tensor of rank {config.rank} over {shape.rows:,} features of words")
    start = TensorStarts(shape, run.config.arc_shape(), settings)
    return replace(run, data=replace(run.data, start=start))


@dataclass(frozen=True)
class TensorStarts:
    """Where the tables of a tensor start."""

    tensor: TensorShape
    arcs: ParserShape
    """A parser of arcs alone, with the features of the one that is trained."""
    settings: TrainingSettings

    def __call__(self, examples: Sequence[native.TrainingExample]) -> Start:
        rank, rows = self.settings.tensor.rank, min(ROWS, self.tensor.first_vector_row)
        rng = np.random.default_rng([self.settings.seed, rank])
        factors = [rng.normal(scale=NOISE, size=(count, rank)) for count in (rows, rows, SLOTS)]
        if self.settings.tensor.start == "features":
            some = list(examples[:: -(-len(examples) // SENTENCES)])
            full = native.unfold_features(self.arcs, self.tensor, some, self._one_epoch(some), rows)
            learned = low_rank(full.reshape(SLOTS, rows, rows), rank)
            # Few features and sentences make a low rank: the rest is noise, for zeros would never move.
            found = np.any(learned[0], axis=0)
            pairs = zip(learned, factors, strict=True)
            factors = [np.where(found, SCALE * own, noise) for own, noise in pairs]
        tables = {}
        for name, factor in zip(("heads", "modifiers", "arcs"), factors, strict=True):
            count = SLOTS if name == "arcs" else self.tensor.rows
            table = np.zeros((count, self.tensor.stride), np.float32)
            table[: len(factor), :rank] = factor
            tables[f"tensor_{name}"] = table.ravel()
        return tables

    def _one_epoch(self, examples: Sequence[native.TrainingExample]) -> npt.NDArray[np.float32]:
        """The weights of features alone after a pass over the examples."""
        trainer = native.Trainer(self.arcs, native.Learner("mira", aggressiveness=AGGRESSIVENESS))
        for example in examples:
            trainer.add(example)
        trainer.train(np.random.default_rng([self.settings.seed, 0]).permutation(len(examples)))
        return trainer.averaged()[0]


def low_rank(full: npt.NDArray[np.float32], rank: int) -> tuple[Floats, Floats, Floats]:
    """U, V and W of a tensor ``[slot, head, modifier]`` (section 4, "Initialization").

    The top left singular vectors of the tensor, unfolded to a row for each feature of a head, are U. Each of
    the right ones is a matrix of slots and features of modifiers, whose leading singular vectors are a column
    of W and of V. The three share the singular values evenly. Columns beyond the rank of the tensor are zero.
    O(slots · rows³): the left singular vectors are the eigenvectors of the product with its transpose.
    """
    slots, rows, _ = full.shape
    factors = np.zeros((rows, rank)), np.zeros((rows, rank)), np.zeros((slots, rank))
    values, vectors = np.linalg.eigh(sum(part @ part.T for part in full.astype(np.float64)))
    for i in range(min(rank, rows)):
        left = vectors[:, -1 - i]
        if values[-1 - i] <= NEGLIGIBLE * values[-1]:
            break
        right = np.einsum("h,shm->sm", left, full)
        p, s, q = np.linalg.svd(right, full_matrices=False)
        for factor, vector in zip(factors, (left, q[0], p[:, 0]), strict=True):
            factor[:, i] = np.cbrt(s[0]) * vector
    return factors
