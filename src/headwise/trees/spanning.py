"""All dependency trees, projective or not, scored arc by arc."""

from __future__ import annotations

from numpy.typing import ArrayLike

from headwise._native import trees as native
from headwise.trees.checks import apply_mask, apply_partial_tree, arc_scores
from headwise.trees.distribution import Distribution


class SpanningTrees(Distribution):
    """Spanning trees of a sentence, first order.

    arcs: (n+1, n+1), or (n+1, n+1, L) with labels: [head, modifier, label].
    mask: booleans, true for allowed arcs, (n+1, n+1) or (n+1, n+1, L). −inf in `arcs` says the same.
    partial_heads, partial_labels: n integers, −1 where free: only trees that agree with them.
    single_root: whether exactly one word hangs from the root.

    The best tree takes O(n²) (Chu and Liu 1965, Edmonds 1967, Tarjan 1977), also with a single root, the k
    best O(k n³) (Lawler 1972). Sums over all trees take O(n³) by the Matrix-Tree theorem (Koo, Globerson,
    Carreras and Collins 2007; Smith and Smith 2007; McDonald and Satta 2007), computed without subtracting
    and so without loss of accuracy, as do marginals; a sample takes O(n²) once the sum is known.
    """

    projective = False

    def __init__(
        self,
        arcs: ArrayLike,
        *,
        single_root: bool,
        mask: ArrayLike | None = None,
        partial_heads: ArrayLike | None = None,
        partial_labels: ArrayLike | None = None,
    ) -> None:
        self._arcs, has_labels = arc_scores(arcs)
        self.words = len(self._arcs) - 1
        self.label_count = self._arcs.shape[2] if has_labels else None
        self.single_root = bool(single_root)
        apply_mask(self._arcs, mask)
        apply_partial_tree(self._arcs, partial_heads, partial_labels, self.label_count)
        self._problem = native.spanning(native.Scores(labels=self._arcs), self.single_root)

    def _aligned_with(self, other: Distribution) -> tuple[native.Distribution, native.Distribution]:
        if not isinstance(other, SpanningTrees):
            raise ValueError("other must be SpanningTrees")
        if other._arcs.shape != self._arcs.shape or other.single_root != self.single_root:
            raise ValueError("other must have the same words, labels and single_root")
        return self._problem, other._problem
