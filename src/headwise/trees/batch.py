"""Every operation, over a list of distributions and several threads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from headwise._native import trees as native
from headwise.trees.checks import one_for_each, positive, seed_of
from headwise.trees.counting import exact_count
from headwise.trees.parts import Marginals
from headwise.trees.tree import Solution, Tree

if TYPE_CHECKING:
    from headwise.trees.distribution import Distribution

_Integers: TypeAlias = NDArray[np.int32]
# Trees side by side: heads, labels and senses of all words, the score of each tree.
_Trees: TypeAlias = tuple[_Integers, _Integers, _Integers, list[float]]


class Batch:
    """The verbs of `Distribution` over many distributions at once, structures mixed at will.

    Each verb returns a list in the order of `distributions`. The work is spread over `threads` threads with
    the interpreter lock released; results do not depend on their number.
    """

    def __init__(self, distributions: Sequence[Distribution], *, threads: int = 1) -> None:
        for distribution in distributions:
            if not hasattr(distribution, "_problem"):
                raise ValueError(f"distributions must be distributions over trees, not {distribution!r}")
        self.distributions = distributions
        self.threads = positive("threads", threads)
        self._problems = [d._problem for d in distributions]

    def argmax(self) -> list[Solution]:
        trees = native.argmax(self._problems, self.threads)
        return self._solutions(self.distributions, trees)

    def top_k(self, k: int) -> list[list[Solution]]:
        trees, counts = native.top_k(self._problems, positive("k", k), self.threads)
        solutions = iter(self._solutions(self._repeated(counts), trees))
        return [list(islice(solutions, count)) for count in counts]

    def log_partition(self) -> list[float]:
        return native.log_partition(self._problems, self.threads)

    def entropy(self) -> list[float]:
        return native.entropy(self._problems, self.threads)

    def marginals(self) -> list[Marginals]:
        tables = [d._marginal_tables() for d in self.distributions]
        native.marginals(self._problems, [native.Marginals(**t) for t in tables], self.threads)
        return [d._marginals(t) for d, t in zip(self.distributions, tables, strict=True)]

    def log_prob(self, trees: Sequence[Tree]) -> list[float]:
        one_for_each("trees", trees, len(self.distributions))
        checked = [d._checked_tree(tree) for d, tree in zip(self.distributions, trees, strict=True)]
        heads, labels, senses = ([lists[k] for lists in checked] for k in range(3))
        return native.log_prob(self._problems, heads, labels, senses, self.threads)

    def kl_divergence(self, others: Sequence[Distribution]) -> list[float]:
        one_for_each("others", others, len(self.distributions))
        pairs = [d._aligned_with(other) for d, other in zip(self.distributions, others, strict=True)]
        return native.kl_divergence([p for p, _ in pairs], [q for _, q in pairs], self.threads)

    def sample(self, k: int, *, seed: int, replacement: bool = True) -> list[list[Tree]]:
        seeds = np.random.SeedSequence(seed_of(seed)).generate_state(len(self.distributions), np.uint64)
        drawn, counts = native.sample(
            self._problems, positive("k", k), [int(s) for s in seeds], not replacement, self.threads
        )
        trees = iter([solution.tree for solution in self._solutions(self._repeated(counts), drawn)])
        return [list(islice(trees, count)) for count in counts]

    def minimum_risk(self, *, projective: bool | None = None) -> list[Solution]:
        return [
            d._minimum_risk(marginals, d.projective if projective is None else projective)
            for d, marginals in zip(self.distributions, self.marginals(), strict=True)
        ]

    def count(self) -> list[int]:
        return [
            exact_count(partial(_count_modulo, d._problem), d._log_count_bound() + 1)
            for d in self.distributions
        ]

    def _repeated(self, counts: Sequence[int]) -> Iterator[Distribution]:
        """Each distribution as often as it has trees."""
        return chain.from_iterable(map(repeat, self.distributions, counts))

    @staticmethod
    def _solutions(distributions: Iterable[Distribution], trees: _Trees) -> list[Solution]:
        """Trees side by side, cut apart; the k-th belongs to the k-th distribution."""
        heads, labels, senses, scores = trees
        solutions = []
        end = 0
        for distribution, score in zip(distributions, scores, strict=True):
            begin, end = end, end + distribution.words
            tree = Tree(
                heads[begin:end],
                None if distribution.label_count is None else labels[begin:end],
                None if distribution.sense_count is None else senses[begin:end],
            )
            solutions.append(Solution(tree, score, score, True))
        return solutions


def _count_modulo(problem: native.Distribution, prime: int) -> int:
    return native.count_modulo([problem], prime, 1)[0]
