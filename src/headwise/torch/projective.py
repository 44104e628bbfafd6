"""Batches of projective trees, from first order to grand-siblings."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from headwise.torch import part_cpu, part_cuda, part_operators
from headwise.torch.distribution import Distribution, Sums
from headwise.torch.part_problem import Problem
from headwise.torch.parts import Parts
from headwise.trees import NoTreeError


class ProjectiveTrees(Distribution):
    """Distributions over the projective trees of B sentences; see `Distribution` for other arguments.

    Larger parts may be scored too, siblings alone in O(n³), else in O(n⁴), or with k candidates in O(k²n²).

    Args:
        candidates: (B, n+1, k) integers: the heads that each word may have, −1 for none; `candidates` of
            other trees makes some. Arcs stay as they are, and those that are not among them are ignored.
        siblings: (B, n+1, n+1, n+1), [b, h, m, s], s the next modifier of h towards h on the same side, s = h
            for none. With candidates (B, n+1, k, n+1), [b, m, c, s], where h = candidates[b, m, c].
        grandchildren: (B, n+1, n+1, n+1), [b, g, h, m]; m = g stands for "h has no modifier on the side of
            g", m = h for "none on the other side". With candidates (B, n+1, k, k), [b, m, c, d], where
            moreover g = candidates[b, h, d]; or (B, n+1, k+2, k), where [b, h, k, d] and [b, h, k+1, d] are
            for no modifier of h on the side of g and on the other.
        grand_siblings: (B, n+1, n+1, n+1, n+1), [b, g, h, m, s]. With candidates (B, n+1, k, k, n+1),
            [b, m, c, d, s].
    """

    projective = True

    def __init__(
        self,
        arcs: Tensor,
        lengths: Tensor | None = None,
        *,
        single_root: bool,
        siblings: Tensor | None = None,
        grandchildren: Tensor | None = None,
        grand_siblings: Tensor | None = None,
        candidates: Tensor | None = None,
        mask: Tensor | None = None,
        partial_heads: Tensor | None = None,
        partial_labels: Tensor | None = None,
    ) -> None:
        super().__init__(
            arcs,
            lengths,
            single_root=single_root,
            mask=mask,
            partial_heads=partial_heads,
            partial_labels=partial_labels,
        )
        if candidates is siblings is grandchildren is grand_siblings is None:
            return
        parts = Parts.checked(
            self.arcs,
            candidates,
            siblings=siblings,
            grandchildren=grandchildren,
            grand_siblings=grand_siblings,
        )
        allowed = parts.allowed(self.words + 1)
        if allowed is not None:
            excluded = ~allowed if self.label_count is None else ~allowed.unsqueeze(-1)
            self.arcs = self.arcs.masked_fill(excluded, -torch.inf)
        if any(table is not None for table in parts.tables):
            self.parts = parts

    def _search(self, scores: Tensor) -> tuple[Tensor, Tensor]:
        if self.parts is None:
            return super()._search(scores)
        found: tuple[Tensor, Tensor] = part_operators.argmax(*self._flat(self.parts, scores))
        return found

    def _total(self, scores: Tensor) -> Tensor:
        if self.parts is None:
            return super()._total(scores)
        total: Tensor = part_operators.log_partition(*self._flat(self.parts, scores))
        return total

    def _sums_of(self, scores: Tensor) -> Sums:
        if self.parts is None:
            return super()._sums_of(scores)
        total, arcs, *found = part_operators.sums(*self._flat(self.parts, scores))
        siblings, grandchildren, grand_siblings = (
            None if table is None else of_table
            for table, of_table in zip(self.parts.tables, found, strict=True)
        )
        return Sums(total, arcs, (siblings, grandchildren, grand_siblings))

    def _search_several(self, scores: Tensor, k: int) -> tuple[Tensor, Tensor]:
        if self.parts is None:
            return super()._search_several(scores, k)
        return (
            part_cuda.top_k(self._problem(self.parts, scores), k) if self._on_gpu else self._listed(scores, k)
        )

    def _listed(self, scores: Tensor, k: int) -> tuple[Tensor, Tensor]:
        """The k best trees as headwise.trees lists them, sentence by sentence."""
        heads = torch.full((scores.shape[0], k, self.words), -1, dtype=torch.int64)
        best = torch.full((scores.shape[0], k), -torch.inf, dtype=scores.dtype)
        for b, trees in enumerate(self._as_arrays(scores)):
            if trees is None:
                best[b, 0] = 0
                continue
            try:
                found = trees.top_k(k)
            except NoTreeError:
                continue
            for rank, solution in enumerate(found):
                heads[b, rank, : trees.words] = torch.from_numpy(solution.tree.heads)
                best[b, rank] = solution.score
        return heads, best

    def _sampled_heads(self, scores: Tensor, k: int, seed: int) -> Tensor:
        if self.parts is None:
            return super()._sampled_heads(scores, k, seed)
        return (part_cuda if self._on_gpu else part_cpu).sample(self._problem(self.parts, scores), k, seed)

    def _problem(self, parts: Parts, scores: Tensor) -> Problem:
        arcs, siblings, grandchildren, grand_siblings, *others = self._flat(parts, scores)
        return Problem(arcs, (siblings, grandchildren, grand_siblings), *others)

    def _flat(self, parts: Parts, scores: Tensor) -> tuple[Any, ...]:
        """As operators take it."""
        tables = [None if table is None else table.contiguous() for table in parts.tables]
        return scores, *tables, parts.candidates, self.lengths, self.single_root
