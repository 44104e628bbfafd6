"""Scores of parts larger than arcs, as users give them, and the parts of trees among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from headwise.torch import checks, part_layout
from headwise.torch.part_problem import Tables
from headwise.trees.parts import PartArguments
from headwise.trees.parts import Parts as SparseParts


@dataclass(frozen=True)
class Parts:
    """Tables over all heads, or over candidates: part_layout.py says what their dimensions are."""

    siblings: Tensor | None
    grandchildren: Tensor | None
    grand_siblings: Tensor | None
    candidates: Tensor | None  # (B, n+1, k), int64

    @classmethod
    def checked(cls, arcs: Tensor, candidates: Tensor | None, **given: Tensor | None) -> Parts:
        batch, nodes = arcs.shape[:2]
        choices = None
        if candidates is not None:
            if not isinstance(candidates, Tensor) or candidates.ndim != 3 or 0 in candidates.shape[2:]:
                raise ValueError("candidates must be a tensor of shape (B, n+1, k)")
            choices = candidates.shape[2]
            checks.integers("candidates", candidates, (batch, nodes, choices), arcs.device)
            checks.within("candidates", candidates, -1, nodes - 1)
            candidates = candidates.long().contiguous()
        tables = {}
        for name, table in given.items():
            tables[name] = table
            if table is None:
                continue
            shapes = [
                (batch, *part_layout.shape(name, nodes, choices, empty_sides=with_empty_sides))
                for with_empty_sides in (False, True)
            ]
            tables[name] = checks.part_scores(name, table, arcs, shapes)
        return cls(**tables, candidates=candidates)

    @staticmethod
    def check_same(one: Parts | None, other: Parts | None) -> None:
        """That both have scores of the same parts. Candidates are compared where they can be seen."""
        if (one is None) != (other is None):
            raise ValueError("other must have the same tables of parts")
        if one is None or other is None:
            return
        pairs = zip((*one.tables, one.candidates), (*other.tables, other.candidates), strict=True)
        for of_one, of_other in pairs:
            if (None if of_one is None else of_one.shape) != (None if of_other is None else of_other.shape):
                raise ValueError("other must have the same tables of parts")
        if (
            one.candidates is not other.candidates
            and one.candidates is not None
            and other.candidates is not None
        ):
            seen = one.candidates.device.type == "cpu" and not torch.compiler.is_compiling()
            if seen and not torch.equal(one.candidates, other.candidates):
                raise ValueError("other must have the same candidates")

    @property
    def tables(self) -> Tables:
        return self.siblings, self.grandchildren, self.grand_siblings

    @property
    def requires_grad(self) -> bool:
        return any(table is not None and table.requires_grad for table in self.tables)

    def allowed(self, nodes: int) -> Tensor | None:
        """Which arcs candidates leave: (B, n+1, n+1); None where words may have any head."""
        if self.candidates is None:
            return None
        by_modifier = torch.zeros(
            (*self.candidates.shape[:2], nodes + 1), dtype=torch.bool, device=self.candidates.device
        )
        places = torch.where((self.candidates >= 0) & (self.candidates < nodes), self.candidates, nodes)
        return by_modifier.scatter(2, places, True)[:, :, :nodes].transpose(1, 2)

    def score(self, heads: Tensor, lengths: Tensor) -> Tensor:
        """The sum of the scores of the larger parts of trees: (B, …) for heads (B, …, n).

        Where heads are no tree, or an arc is not among the candidates, it may be any number.
        """
        trees = _Trees(heads, lengths)
        sums = []
        if self.siblings is not None:
            scores = self._of("siblings", self.siblings, trees)
            sums.append(trees.sum(scores, trees.is_word))
        if self.grand_siblings is not None:
            scores = self._of("grand_siblings", self.grand_siblings, trees)
            sums.append(trees.sum(scores, trees.has_grandparent))
        if self.grandchildren is not None:
            scores = self._of("grandchildren", self.grandchildren, trees)
            sums.append(trees.sum(scores, trees.has_grandparent))
            if self.candidates is None or self.grandchildren.shape[2] > self.candidates.shape[2]:
                for inner in (True, False):
                    scores = self._empty_sides(self.grandchildren, trees, inner)
                    sums.append(trees.sum(scores, trees.is_word & trees.is_empty(inner)))
        return torch.stack(sums).sum(dim=0)

    def arrays(self, sentence: int, words: int) -> PartArguments:
        """The tables of one sentence as headwise.trees takes them. Waits for the GPU."""
        nodes = words + 1
        found = PartArguments()
        for name, table in zip(part_layout.NAMES, self.tables, strict=True):
            if table is None:
                continue
            given = table[sentence].detach().cpu().double().numpy()
            if self.candidates is None:
                found[name] = given[(slice(nodes),) * given.ndim]  # type: ignore[literal-required]
            else:
                candidates = self.candidates[sentence, :nodes].cpu().numpy()
                found[name] = _sparse(name, given, candidates)  # type: ignore[literal-required]
        return found

    def _of(self, name: str, table: Tensor, trees: _Trees) -> Tensor:
        """The score of the part of every word: (B, K, n)."""
        nodes = {"modifier": trees.m, "head": trees.h, "grandparent": trees.g, "sibling": trees.s}
        layout = part_layout.OVER_ALL_HEADS
        if self.candidates is not None:
            nodes["head"] = _place(self.candidates, trees.m, trees.h)
            nodes["grandparent"] = _place(self.candidates, trees.h, trees.g)
            layout = part_layout.OVER_CANDIDATES
        return table[(_sentence(trees.m), *(nodes[dimension] for dimension in layout[name]))]

    def _empty_sides(self, table: Tensor, trees: _Trees, inner: bool) -> Tensor:
        word, head = trees.m, trees.h
        if self.candidates is None:
            return table[_sentence(word), head, word, head if inner else word]
        side = torch.full_like(word, self.candidates.shape[2] + (0 if inner else 1))
        return table[_sentence(word), word, side, _place(self.candidates, word, head)]


class _Trees:
    """Heads (B, …, n) as (B, K, n), and the relatives of every word."""

    def __init__(self, heads: Tensor, lengths: Tensor) -> None:
        batch, words = heads.shape[0], heads.shape[-1]
        self._shape = heads.shape[:-1]
        self.h = heads.reshape(batch, -1, words).clamp(min=0)
        self.m = torch.arange(1, words + 1, device=heads.device).expand_as(self.h)
        self.is_word = self.m <= lengths.view(-1, 1, 1)
        self.g = torch.where(self.h > 0, self.h.gather(2, (self.h - 1).clamp(min=0)), 0)
        self.has_grandparent = self.is_word & (self.h > 0)
        # The next modifier of the same head on the way to it: [b, k, m, s].
        m, h, s, of_s = self.m.unsqueeze(3), self.h.unsqueeze(3), self.m.unsqueeze(2), self.h.unsqueeze(2)
        together = (h == of_s) & self.is_word.unsqueeze(2)
        before = torch.where(together & (h < s) & (s < m), s, 0).amax(dim=3)
        behind = torch.where(together & (m < s) & (s < h), s, words + 1).amin(dim=3)
        after_head = torch.where(before > 0, before, self.h)
        self.s = torch.where(self.h < self.m, after_head, torch.where(behind <= words, behind, self.h))
        is_modifier = (m == of_s) & self.is_word.unsqueeze(2)  # [b, k, word, modifier]
        self._has_left = (is_modifier & (s < m)).any(dim=3)
        self._has_right = (is_modifier & (s > m)).any(dim=3)

    def is_empty(self, inner: bool) -> Tensor:
        """Whether words have no modifiers on the side of their head (inner) or on the other."""
        return ~torch.where((self.h < self.m) == inner, self._has_left, self._has_right)

    def sum(self, scores: Tensor, exists: Tensor) -> Tensor:
        return torch.where(exists, scores, 0).sum(dim=2).view(self._shape)


def _sentence(nodes: Tensor) -> Tensor:
    return torch.arange(nodes.shape[0], device=nodes.device).view(-1, 1, 1).expand_as(nodes)


def _place(candidates: Tensor, modifier: Tensor, head: Tensor) -> Tensor:
    """Of heads among the candidates of modifiers; 0 where they are not."""
    return (candidates[_sentence(modifier), modifier] == head.unsqueeze(-1)).int().argmax(dim=-1)


def _sparse(name: str, table: NDArray[np.float64], candidates: NDArray[np.int64]) -> SparseParts:
    """The parts of a table over candidates, by their nodes."""
    nodes, choices = candidates.shape
    first = np.array([[head not in row[:place] for place, head in enumerate(row)] for row in candidates])
    valid = first & (candidates >= 0) & (candidates < nodes) & (candidates != np.arange(nodes)[:, None])
    valid[0] = False
    listed, values = [], []

    def note(at: tuple[Any, ...], *part: int) -> None:
        listed.append(part)
        values.append(table[at])

    for m, c in np.argwhere(valid):
        h = candidates[m, c]
        between = [h, *range(min(h, m) + 1, max(h, m))]
        if name == "siblings":
            for s in between:
                note((m, c, s), h, m, s)
            continue
        if name == "grandchildren" and table.shape[1] > choices:
            note((m, choices, c), h, m, h)
            note((m, choices + 1, c), h, m, m)
        for d in np.flatnonzero(valid[h]):
            g = candidates[h, d]
            if min(h, m) <= g <= max(h, m):
                continue
            if name == "grandchildren":
                note((m, c, d), g, h, m)
            else:
                for s in between:
                    note((m, c, d, s), g, h, m, s)
    width = len(part_layout.OVER_ALL_HEADS[name])
    return SparseParts(np.array(listed, dtype=np.int64).reshape(-1, width), np.array(values))
