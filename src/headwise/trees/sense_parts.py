"""A tree and a sense of every word at once, from first order to third."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headwise._native import trees as native
from headwise.trees.checks import Floats, arc_scores, word_integers
from headwise.trees.distribution import Distribution
from headwise.trees.factorizations import Factorization
from headwise.trees.parts import Marginals, PartAndPositionArguments
from headwise.trees.projective import ProjectiveTrees


class SensePartTrees(ProjectiveTrees):
    """Projective trees whose words have senses, under any factorization (Koo 2010, 5.5.3 and B.5.1).

    All tables are those of `ProjectiveTrees`, but over nodes, each of which is a word with one of its senses:
    the root, then the senses of the first word, those of the second, and so on. A tree has one node of every
    word; its `heads` are words, and `senses` says which node of each word it has. A word has as many senses
    as it needs, and one that has a single one costs nothing. Model 1 takes O(n⁴K⁴) time and O(n³K³) memory
    with K senses of every word; a mask, or −inf in `arcs`, saves of both what it does elsewhere.

    senses: n integers, how many senses each word has.
    partial_heads, partial_senses: n integers, −1 where free: only trees that agree with them.

    In marginals, `arcs` and `labels` are over words, `sense_arcs` (with labels, where there are any) and
    larger parts over nodes.
    """

    def __init__(
        self,
        arcs: ArrayLike,
        *,
        senses: Sequence[int],
        single_root: bool,
        factorization: Factorization | None = None,
        mask: ArrayLike | None = None,
        partial_heads: ArrayLike | None = None,
        partial_senses: ArrayLike | None = None,
        **tables: Unpack[PartAndPositionArguments],
    ) -> None:
        counts = [int(count) for count in senses]
        scores, has_labels = arc_scores(arcs)
        if not counts or min(counts) < 1 or sum(counts) + 1 != len(scores):
            raise ValueError(
                f"senses must be one or more of every word, {len(scores) - 1} together, as arcs have them"
            )
        self._counts = counts
        self._word_of = np.repeat(np.arange(len(counts) + 1), [1, *counts])
        self._sense_of = np.concatenate([np.arange(count) for count in (1, *counts)])
        """The word of each node, and its sense."""
        scores[self._word_of[:, None] == self._word_of[None, :]] = -np.inf
        if partial_heads is not None:
            wanted = word_integers("partial_heads", partial_heads, len(counts), -1, len(counts))
            wanted = np.array([-1, *wanted])[self._word_of]
            scores[(wanted[None, :] >= 0) & (self._word_of[:, None] != wanted[None, :])] = -np.inf
        if partial_senses is not None:
            wanted = word_integers("partial_senses", partial_senses, len(counts), -1, max(counts) - 1)
            wanted = np.array([-1, *wanted])[self._word_of]
            scores[:, (wanted >= 0) & (self._sense_of != wanted)] = -np.inf
        super().__init__(
            scores if has_labels else scores[:, :, 0],
            single_root=single_root,
            factorization=factorization,
            mask=mask,
            **tables,
        )
        self.words = len(counts)
        self.sense_count = max(counts)

    @property
    def _is_dense(self) -> bool:
        return False

    def _surviving(self, allowed: NDArray[np.bool_]) -> native.Candidates:
        return native.Candidates(allowed, self._counts)

    def _allowed_between_words(self) -> NDArray[np.bool_]:
        return self._of_words(self._allowed().astype(np.float64)) > 0

    def _of_words(self, of_nodes: Floats) -> Floats:
        """Sums over the senses of both words of an arc."""
        firsts = np.flatnonzero(np.diff(self._word_of, prepend=-1))
        sums: Floats = np.add.reduceat(np.add.reduceat(of_nodes, firsts, axis=0), firsts, axis=1)
        return sums

    def _log_count_bound(self) -> float:
        choices = self._of_words((self._arcs > -np.inf).sum(axis=2).astype(np.float64))[:, 1:].sum(axis=0)
        return float(np.log(choices).sum()) if choices.all() else -np.inf

    def _aligned_with(self, other: Distribution) -> tuple[native.Distribution, native.Distribution]:
        if not isinstance(other, SensePartTrees) or other._counts != self._counts:
            raise ValueError("other must be SensePartTrees with the same senses")
        return super()._aligned_with(other)

    def _marginals(self, tables: dict[str, Floats]) -> Marginals:
        found = super()._marginals(tables)
        of_nodes = found.arcs if found.labels is None else found.labels
        senses = np.zeros((self.words + 1, self.sense_count or 1))
        senses[self._word_of, self._sense_of] = found.arcs.sum(axis=0)
        senses[0, 0] = 1.0
        return found._replace(
            arcs=self._of_words(found.arcs),
            labels=None if found.labels is None else self._of_words(found.labels),
            senses=senses,
            sense_arcs=of_nodes,
        )
