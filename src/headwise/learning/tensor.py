"""What a low-rank tensor is given before it is learned (:mod:`headwise.scoring.tensor`).

Which features of words it has, their vectors, and where it starts: its factors are learned one at a time, each with
the others as they stand, so that from zero nothing would ever move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwise._native import learning as native
from headwise._native.parsing import ParserShape
from headwise._native.scoring import TensorShape
from headwise.errors import HeadwiseError
from headwise.learning.settings import TrainingSettings
from headwise.model import Tensors
from headwise.scoring.tensor import TensorConfig
from headwise.scoring.word_vectors import read_word_vectors

Floats = npt.NDArray[np.float64]
Start = dict[str, npt.NDArray[np.float32]]
SLOTS = 16
"""Rows of the table of arcs: two directions, and seven distances in each."""
ROWS = 2000
"""The most frequent features, which have a start. Rare ones begin with nothing to say."""
SENTENCES = 1000
"""What features are learned from for a start: as many sentences as that, taken evenly."""
NOISE = 0.1
"""Size of random starts: what a feature of a word adds to each of its numbers."""
LEARNER = native.Learner("mira", aggressiveness=0.01)
"""Of the features that a tensor starts from."""


def tensor_inputs(
    config: TensorConfig,
    examples: Sequence[native.TrainingExample],
    settings: TrainingSettings,
) -> Tensors:
    """The tables that say what is scored: the features of words that have rows, and the vectors of words."""
    tensors: Tensors = {
        "tensor_vocabulary": native.collect_word_features(
            config.templates, list(examples), settings.tensor.at_least
        )
    }
    if settings.tensor.vectors is not None:
        vectors = read_word_vectors(settings.tensor.vectors)
        tensors |= {"vector_words": vectors.words, "word_vectors": vectors.values.ravel()}
    return tensors


@dataclass(frozen=True)
class TensorStarts:
    """Where the tables of a tensor start."""

    tensor: TensorShape
    arcs: ParserShape
    """A parser of arcs alone, with the features of the one that is trained."""
    settings: TrainingSettings

    def __call__(self, examples: Sequence[native.TrainingExample]) -> Start:
        import os
        rank = self.settings.tensor.rank
        K=int(os.environ.get("TROWS", ROWS)); scale=float(os.environ.get("TSCALE", 1))
        rows = min(K, self.tensor.first_vector_row)
        import time; t=time.process_time()
        if self.settings.tensor.start == "random":
            rng = np.random.default_rng([self.settings.seed, rank])
            factors = [scale*rng.normal(scale=NOISE, size=(count, rank)) for count in (rows, rows, SLOTS)]
        else:
            some = examples[:: -(-len(examples) // SENTENCES)]
            weights = self._one_epoch(some)
            print("  epoch", time.process_time()-t)
            entries = native.tensor_entries(self.arcs, self.tensor, list(some), weights, rows)
            print("  entries", len(entries[0]), time.process_time()-t)
            factors = [scale*f for f in decompose(*entries, rows=rows, rank=rank)]
            print("  svd", time.process_time()-t)
        tables = {}
        for name, factor in zip(("heads", "modifiers", "arcs"), factors, strict=True):
            count = SLOTS if name == "arcs" else self.tensor.rows
            table = np.zeros((count, self.tensor.stride), np.float32)
            table[: len(factor), : rank] = factor
            tables[f"tensor_{name}"] = table.ravel()
        return tables

    def _one_epoch(self, examples: Sequence[native.TrainingExample]) -> npt.NDArray[np.float32]:
        """The weights of features alone after a pass over the examples."""
        trainer = native.Trainer(self.arcs, LEARNER)
        for example in examples:
            trainer.add(example)
        trainer.train(np.random.default_rng([self.settings.seed, 0]).permutation(len(examples)))
        return trainer.averaged()[0]


def decompose(
    heads: npt.NDArray[np.uint32],
    modifiers: npt.NDArray[np.uint32],
    slots: npt.NDArray[np.uint32],
    values: npt.NDArray[np.float32],
    *,
    rows: int,
    rank: int,
) -> tuple[Floats, Floats, Floats]:
    """U, V and W of a sparse tensor, given by its entries (section 4, "Initialization").

    The top singular vectors of the tensor, unfolded to a row for each feature of a head, are U. Each of the
    right ones is a matrix of features of modifiers and slots, whose leading singular vectors are a column of V
    and of W. The three share the singular values evenly. O(rank · entries) and some passes.
    """
    try:
        from scipy.sparse import csr_array  # type: ignore[import-untyped]
        from scipy.sparse.linalg import svds  # type: ignore[import-untyped]
    except ImportError as error:
        raise HeadwiseError(
            "the start of a tensor needs SciPy (pip install 'headwise[batch]'); tensor.start='random' does not."
        ) from error
    U, V, W = np.zeros((rows, rank)), np.zeros((rows, rank)), np.zeros((SLOTS, rank))  # noqa: N806
    used_rows, row = np.unique(heads, return_inverse=True)
    used_columns, column = np.unique(modifiers.astype(np.int64) * SLOTS + slots, return_inverse=True)
    matrix = csr_array(
        (values.astype(np.float64), (row, column)), shape=(len(used_rows), len(used_columns))
    )
    most = min(rank, min(matrix.shape) - 1)
    if most < 1:
        raise HeadwiseError("too little is learned in an epoch to start a tensor from: take tensor.start='random'.")
    P, S, Q = svds(matrix, k=most, v0=np.ones(min(matrix.shape)))  # noqa: N806
    for i, k in enumerate(np.argsort(-S, kind="stable")):
        folded = np.zeros((rows, SLOTS))
        folded[used_columns // SLOTS, used_columns % SLOTS] = S[k] * Q[k]
        _, vectors = np.linalg.eigh(folded.T @ folded)
        right = vectors[:, -1]
        left = folded @ right
        size = float(np.linalg.norm(left))
        if size == 0:
            continue
        third = size ** (1 / 3)
        U[used_rows, i], V[:, i], W[:, i] = third * P[:, k], third * left / size, third * right
    return U, V, W


