"""Random higher-order problems, and their best trees by enumeration."""

from __future__ import annotations

import numpy as np

from headwise._native import trees as native
from headwise.reference.enumeration import Heads, all_trees
from headwise.reference.parts import FACTORIZATIONS, Factorization, tree_parts
from headwise.trees import CrossingTrees
from headwise.trees.parts import NODES, PARTS_OF_POSITIONS, TABLES

CROSSING = [name for name in FACTORIZATIONS if native.FACTORIZATIONS[name].head_view is not None]
"""The factorizations that trees with crossing arcs can be searched under."""


class Instance:
    """Random scores over a random mask; `scale` 0 makes many ties."""

    def __init__(
        self, seed: int, words: int, factorization: Factorization, *, density: float = 0.8, scale: float = 1.0
    ) -> None:
        rng = np.random.default_rng(seed)
        self.words, self.factorization = words, factorization
        self.mask = rng.random((words + 1, words + 1)) < density

        def numbers(*shape: int) -> np.ndarray:
            return rng.normal(size=shape) * scale if scale else rng.integers(0, 2, shape).astype(float)

        self.arcs = numbers(words + 1, words + 1)
        names = [name for name in TABLES[factorization] if name not in PARTS_OF_POSITIONS]
        self.tables = {name: numbers(*(words + 1,) * NODES[name]) for name in names}

    def trees(self, *, projective: bool, single_root: bool) -> CrossingTrees:
        return CrossingTrees(
            self.arcs,
            mask=self.mask,
            factorization=self.factorization,
            projective=projective,
            single_root=single_root,
            **self.tables,
        )

    def score(self, heads: Heads) -> float:
        parts = tree_parts(heads, self.factorization)
        total = sum(self.arcs[part] for part in parts["arcs"])
        return float(total + sum(self.tables[name][part] for name in self.tables for part in parts[name]))

    def best_score(self, *, projective: bool, single_root: bool) -> float:
        """−inf where the mask leaves no tree."""
        allowed = (
            heads
            for heads in all_trees(self.words, projective=projective, single_root=single_root)
            if all(self.mask[h, m] for m, h in enumerate(heads, start=1))
        )
        return max(map(self.score, allowed), default=-np.inf)
