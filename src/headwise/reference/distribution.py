"""A distribution over trees by enumeration: the specification of what `headwise.trees` computes fast.

Every method is the definition written down. Time and memory grow as the number of trees does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from itertools import product

import numpy as np
from numpy.typing import NDArray

from headwise.reference.enumeration import Heads, all_trees
from headwise.reference.parts import Factorization, tree_parts

Labels = tuple[int, ...]
Floats = NDArray[np.float64]


class EnumeratedTrees:
    """All trees of a sentence with their scores.

    `tables` maps the name of a score table (see `headwise.reference.parts`) to an array; ``arcs`` has shape
    (n+1, n+1), or (n+1, n+1, L) with labels. Trees that score −inf are left out.
    """

    def __init__(
        self,
        tables: Mapping[str, Floats],
        *,
        single_root: bool,
        projective: bool = True,
        factorization: Factorization = "arc",
    ) -> None:
        self.tables = dict(tables)
        self.words = self._word_count()
        self.factorization = factorization
        self.label_count = self._choices()
        self.heads: list[Heads] = []
        self.labels: list[Labels | None] = []
        scores: list[float] = []
        for heads in all_trees(self.words, projective=projective, single_root=single_root):
            labellings = (
                [None] if self.label_count is None else product(range(self.label_count), repeat=self.words)
            )
            for labels in labellings:
                score = self.score(heads, labels)
                if score > -math.inf:
                    self.heads.append(heads)
                    self.labels.append(labels)
                    scores.append(score)
        self.scores = np.array(scores)

    def _word_count(self) -> int:
        return int(self.tables["arcs"].shape[0] - 1)

    def _choices(self) -> int | None:
        """How many ways there are to label a word, None without labels."""
        arcs = self.tables["arcs"]
        return arcs.shape[2] if arcs.ndim == 3 else None

    def _labellings(self) -> Iterable[Labels | None]:
        return [None] if self.label_count is None else product(range(self.label_count), repeat=self.words)

    def parts(self, heads: Heads, labels: Labels | None) -> list[tuple[str, tuple[int, ...]]]:
        """The parts of one tree that have a table, as (table, index)."""
        named = []
        for name, indices in tree_parts(heads, self.factorization).items():
            if name not in self.tables:
                continue
            if name == "arcs" and labels is not None:
                indices = [self._with_labels(arc, labels) for arc in indices]
            named += [(name, index) for index in indices]
        return named

    def _with_labels(self, arc: tuple[int, ...], labels: Labels) -> tuple[int, ...]:
        return (*arc, labels[arc[1] - 1])

    def score(self, heads: Heads, labels: Labels | None = None) -> float:
        return self._total(self.tables, heads, labels)

    def _total(self, tables: Mapping[str, Floats], heads: Heads, labels: Labels | None) -> float:
        values = [float(tables[name][index]) for name, index in self.parts(heads, labels) if name in tables]
        return -math.inf if -math.inf in values else math.fsum(values)

    def count(self) -> int:
        return len(self.heads)

    def order(self) -> list[int]:
        """The trees from best to worst."""
        return sorted(range(self.count()), key=lambda i: -self.scores[i])

    def log_partition(self) -> float:
        top = float(self.scores.max())
        return top + math.log(math.fsum(np.exp(self.scores - top)))

    def probabilities(self) -> Floats:
        weights = np.exp(self.scores - self.scores.max())
        return np.asarray(weights / math.fsum(weights))

    def entropy(self) -> float:
        log_partition = self.log_partition()
        pairs = zip(self.probabilities(), self.scores, strict=True)
        return math.fsum(p * (log_partition - score) for p, score in pairs if p > 0)

    def marginals(self) -> dict[str, Floats]:
        """The probability of every part, a table for each score table."""
        result = {name: np.zeros_like(table) for name, table in self.tables.items()}
        for heads, labels, p in zip(self.heads, self.labels, self.probabilities(), strict=True):
            for name, index in self.parts(heads, labels):
                result[name][index] += p
        return result

    def arc_marginals(self) -> Floats:
        arcs = self.marginals()["arcs"]
        return arcs if self.label_count is None else arcs.sum(axis=2)

    def expectation(self, tables: Mapping[str, Floats]) -> float:
        """The expected total of another function of the parts."""
        trees = zip(self.heads, self.labels, self.probabilities(), strict=True)
        return math.fsum(p * self._total(tables, heads, labels) for heads, labels, p in trees)

    def kl_divergence(self, other: EnumeratedTrees) -> float:
        """KL(self ‖ other) = Σ p log (p / q); infinite where q has no mass."""
        own, others = self.log_partition(), other.log_partition()
        total = []
        for heads, labels, p, score in zip(
            self.heads, self.labels, self.probabilities(), self.scores, strict=True
        ):
            total.append(p * ((score - own) - (other.score(heads, labels) - others)))
        return math.fsum(total)

    def largest(self, value: Callable[[Heads], float]) -> float:
        """The greatest value of a function of the heads over all trees."""
        return max(value(heads) for heads in self.heads)
