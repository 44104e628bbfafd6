"""A tree and a sense of every word at once, as in joint tagging and parsing."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headwise._native import trees as native
from headwise.trees.checks import (
    Floats,
    apply_mask,
    apply_partial_tree,
    checked_labels,
    float_array,
    score_table,
    word_integers,
)
from headwise.trees.distribution import Distribution
from headwise.trees.parts import Marginals


class SenseTrees(Distribution):
    """Projective trees whose words have senses, scored arc by arc (Eisner 2000; Koo 2010, 5.5.3 and B.5.1).

    A sense may be a tag, a supertag, a reading: each word takes one of K, the root has sense 0. The trees of
    the distribution carry `senses` as well as heads. O(n³K²) time, O(n²K²) memory.

    arcs: (n+1, n+1, K, K): [head, modifier, sense of the head, sense of the modifier], or with labels
        (n+1, n+1, K, K, L).
    senses: (n+1, K): a score for each sense of each word, −inf for a sense the word does not have; row 0 is
        ignored.
    mask: booleans, true for allowed arcs, (n+1, n+1).
    partial_heads, partial_labels, partial_senses: n integers, −1 where free.
    single_root: whether exactly one word hangs from the root.
    """

    projective = True

    def __init__(
        self,
        arcs: ArrayLike,
        *,
        single_root: bool,
        senses: ArrayLike | None = None,
        mask: ArrayLike | None = None,
        partial_heads: ArrayLike | None = None,
        partial_labels: ArrayLike | None = None,
        partial_senses: ArrayLike | None = None,
    ) -> None:
        array = float_array("arcs", arcs).copy()
        if array.ndim not in (4, 5) or len({*array.shape[:2]}) > 1 or len({*array.shape[2:4]}) > 1:
            raise ValueError(
                f"arcs must have shape (n+1, n+1, K, K) or (n+1, n+1, K, K, L), not {array.shape}"
            )
        if len(array) < 2 or 0 in array.shape:
            raise ValueError(
                "arcs must be those of at least one word and one sense: an empty sentence has no tree"
            )
        self.words = len(array) - 1
        self.sense_count = kinds = array.shape[2]
        self.label_count = array.shape[4] if array.ndim == 5 else None
        self.single_root = bool(single_root)
        scores = array if array.ndim == 5 else array[..., None]
        self._add_senses(scores, kinds, senses, partial_senses)
        self._arcs = self._by_arc(scores)
        apply_mask(self._arcs, None if mask is None else np.broadcast_to(self._mask(mask), self._arcs.shape))
        apply_partial_tree(self._arcs, partial_heads, None, None)
        scores = self._arcs.reshape(*scores.shape)
        self._restrict_labels(scores, partial_labels)
        score_table("arcs", scores)
        self._scores = np.ascontiguousarray(scores.transpose(0, 2, 1, 3, 4))
        self._problem = native.senses(native.Scores(labels=self._scores), self.single_root)

    def _add_senses(
        self, scores: Floats, kinds: int, senses: ArrayLike | None, partial: ArrayLike | None
    ) -> None:
        nodes = np.arange(self.words + 1)
        scores[:, 0] = -np.inf
        scores[nodes, nodes] = -np.inf
        scores[0, :, 1:] = -np.inf
        if senses is not None:
            scores += score_table("senses", senses, (self.words + 1, kinds))[None, :, None, :, None]
        if partial is not None:
            wanted = word_integers("partial_senses", partial, self.words, -1, kinds - 1)
            for word in np.flatnonzero(wanted >= 0) + 1:
                scores[:, word, :, np.arange(kinds) != wanted[word - 1]] = -np.inf

    def _restrict_labels(self, scores: Floats, partial: ArrayLike | None) -> None:
        if partial is None:
            return
        wanted = checked_labels(partial, self.words, self.label_count)
        for word in np.flatnonzero(wanted >= 0) + 1:
            others = np.arange(scores.shape[4]) != wanted[word - 1]
            scores[:, word, :, :, others] = -np.inf

    def _mask(self, mask: ArrayLike) -> NDArray[np.bool_]:
        allowed = np.asarray(mask)
        if allowed.shape != (self.words + 1, self.words + 1):
            raise ValueError(f"mask must have shape {(self.words + 1,) * 2}, not {allowed.shape}")
        return allowed[:, :, None]

    def _by_arc(self, scores: Floats) -> Floats:
        return scores.reshape(self.words + 1, self.words + 1, -1)

    def _aligned_with(self, other: Distribution) -> tuple[native.Distribution, native.Distribution]:
        if not isinstance(other, SenseTrees):
            raise ValueError("other must be SenseTrees")
        if other._scores.shape != self._scores.shape or other.single_root != self.single_root:
            raise ValueError("other must have the same words, senses, labels and single_root")
        return self._problem, other._problem

    def _marginal_tables(self) -> dict[str, Floats]:
        return {"labels": np.zeros(self._scores.shape)}

    def _marginals(self, tables: dict[str, Floats]) -> Marginals:
        labelled = tables["labels"].transpose(0, 2, 1, 3, 4)
        senses = labelled.sum(axis=(0, 2, 4))
        senses[0, 0] = 1.0
        return Marginals(
            arcs=labelled.sum(axis=(2, 3, 4)),
            labels=labelled.sum(axis=(2, 3)) if self.label_count is not None else None,
            senses=senses,
            sense_arcs=labelled if self.label_count is not None else labelled[..., 0],
        )
