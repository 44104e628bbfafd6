"""Batches of random scores, and what headwise.trees says of each sentence of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from headwise import torch as tensors
from headwise import trees as arrays

KINDS = ("smooth", "ties", "masked", "sparse", "large")
STRUCTURES = {
    "projective": (tensors.ProjectiveTrees, arrays.ProjectiveTrees),
    "spanning": (tensors.SpanningTrees, arrays.SpanningTrees),
}


def draw(kind: str, sentences: int, words: int, labels: int | None = None, seed: int = 0) -> np.ndarray:
    """Scores with the batch first; anything may stand where there is no arc."""
    rng = np.random.default_rng([seed, sentences, words, len(kind), labels or 0])
    shape = (sentences, words + 1, words + 1) if labels is None else (sentences, words + 1, words + 1, labels)
    if kind == "ties":
        return rng.integers(-1, 2, size=shape).astype(float)
    scores = rng.normal(size=shape) * {"large": 200.0}.get(kind, 1.5)
    lost = {"masked": 0.35, "sparse": 0.7}.get(kind, 0.0)
    scores[rng.random(shape) < lost] = -np.inf
    return scores


def draw_lengths(sentences: int, words: int) -> np.ndarray:
    """All lengths from the longest to none."""
    return np.arange(words, words - sentences, -1) % (words + 1)


@dataclass(frozen=True)
class Sentences:
    """The sentences of a batch, each as headwise.trees has it; None where there is no tree."""

    scores: np.ndarray
    lengths: np.ndarray
    trees: list[arrays.Distribution | None]

    def expected(self, verb: str, without_tree: float = -np.inf, empty: float = 0.0) -> np.ndarray:
        """A verb that gives one number."""
        return np.array(
            [
                (getattr(tree, verb)() if tree else without_tree) if n else empty
                for tree, n in zip(self.trees, self.lengths, strict=True)
            ]
        )

    def marginals(self, labelled: bool = False) -> np.ndarray:
        result = np.zeros(self.scores.shape if labelled else self.scores.shape[:3])
        for b, (tree, n) in enumerate(zip(self.trees, self.lengths, strict=True)):
            if tree:
                marginals = tree.marginals()
                result[b, : n + 1, : n + 1] = marginals.labels if labelled else marginals.arcs
        return result


def sentences_of(
    structure: str, scores: np.ndarray, lengths: np.ndarray, single_root: bool, dtype: torch.dtype
) -> Sentences:
    """As tensors of a dtype hold them."""
    held = torch.tensor(scores, dtype=dtype).double().numpy()
    make = STRUCTURES[structure][1]
    trees: list[arrays.Distribution | None] = []
    for of_sentence, n in zip(held, lengths, strict=True):
        tree = make(of_sentence[: n + 1, : n + 1], single_root=single_root) if n else None
        if tree is not None:
            try:
                tree.log_partition()
            except arrays.NoTreeError:
                tree = None
        trees.append(tree)
    return Sentences(held, lengths, trees)
