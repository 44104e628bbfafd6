"""Batches of random scores of larger parts, over all heads or candidates, and headwise.trees on the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from batches import draw, draw_lengths

from headwise import trees as arrays

# The tables that each kind of trees is given; `empty` is whether empty sides have scores over candidates.
PARTS: dict[str, tuple[str, ...]] = {
    "siblings": ("siblings",),
    "grandchildren": ("grandchildren",),
    "both": ("siblings", "grandchildren"),
    "grand-siblings": ("siblings", "grandchildren", "grand_siblings"),
}
CHOICES = 3
NODES = {"siblings": 3, "grandchildren": 3, "grand_siblings": 4}


@dataclass(frozen=True)
class PartBatch:
    """`tables` are over all heads; `given` as tensors have them, over candidates where there are any."""

    arcs: np.ndarray
    lengths: np.ndarray
    tables: dict[str, np.ndarray]
    candidates: np.ndarray | None
    given: dict[str, np.ndarray]
    empty_sides: bool

    def allowed(self) -> np.ndarray:
        """Which arcs candidates leave."""
        if self.candidates is None:
            return np.ones(self.arcs.shape, dtype=bool)
        allowed = np.zeros(self.arcs.shape, dtype=bool)
        sentence, modifier, place = np.nonzero(self.candidates >= 0)
        allowed[sentence, self.candidates[sentence, modifier, place], modifier] = True
        return allowed

    def sentence(self, b: int, single_root: bool) -> arrays.ProjectiveTrees | None:
        """As headwise.trees has it; None without words or trees."""
        n = int(self.lengths[b])
        if n == 0:
            return None
        nodes = slice(n + 1)
        tables = {name: table[(b, *(nodes,) * NODES[name])] for name, table in self.tables.items()}
        mask = self.allowed()[b, nodes, nodes]
        trees = arrays.ProjectiveTrees(
            self.arcs[b, nodes, nodes], mask=mask, single_root=single_root, **tables
        )
        try:
            trees.log_partition()
        except arrays.NoTreeError:
            return None
        return trees

    def marginals(self, b: int, trees: arrays.ProjectiveTrees) -> dict[str, np.ndarray]:
        """Of one sentence, padded, in the layout of what was given."""
        marginals, nodes = trees.marginals(), slice(trees.words + 1)
        found = {"arcs": np.zeros(self.arcs.shape[1:])}
        found["arcs"][nodes, nodes] = marginals.arcs
        for name, table in self.tables.items():
            dense = np.zeros(table.shape)
            dense[(b, *(nodes,) * NODES[name])] = getattr(marginals, name)
            found[name] = self.as_given(name, dense)[b]
        return found

    def as_given(self, name: str, dense: np.ndarray) -> np.ndarray:
        """A table over all heads in the layout of what was given; 0 where there is no such part."""
        if self.candidates is None:
            return dense
        return over_candidates(name, dense, self.candidates, 0.0, self.empty_sides)


def over_candidates(
    name: str, dense: np.ndarray, candidates: np.ndarray, nothing: float, empty_sides: bool
) -> np.ndarray:
    """The part of a table that is about candidates: [b, m, c, …]. A head counts where it is listed first."""
    sentences, nodes, choices = candidates.shape
    again = [(candidates[:, :, :c] == candidates[:, :, c : c + 1]).any(axis=2) for c in range(choices)]
    is_none = np.stack(again, axis=2) | (candidates == np.arange(nodes)[:, None])
    candidates = np.where(is_none, -1, candidates)
    candidates[:, 0] = -1
    b = np.arange(sentences).reshape(-1, 1, 1, 1, 1)
    m = np.arange(nodes).reshape(1, -1, 1, 1, 1)
    s = np.arange(nodes).reshape(1, 1, 1, 1, -1)
    h = candidates[:, :, :, None, None]
    g = candidates[b[..., 0], h[..., 0].clip(0)].reshape(sentences, nodes, choices, choices, 1)
    g = np.where((h < 0) | (g == m), -1, g)  # [g, h, g] is an empty side
    if name == "siblings":
        return np.where(h >= 0, dense[b, h.clip(0), m, s], nothing)[:, :, :, 0]
    if name == "grand_siblings":
        return np.where(g >= 0, dense[b, g.clip(0), h.clip(0), m, s], nothing)
    table = np.where(g >= 0, dense[b, g.clip(0), h.clip(0), m], nothing)[..., 0]
    if not empty_sides:
        return table
    b, m, above = b[..., 0, 0], m[..., 0, 0], candidates
    sides = [dense[b, above.clip(0), m, above.clip(0)], dense[b, above.clip(0), m, m]]
    empty = [np.where(above >= 0, side, nothing)[:, :, None] for side in sides]
    return np.concatenate([table, *empty], axis=2)


def draw_parts(
    structure: str,
    kind: str,
    sentences: int,
    words: int,
    *,
    pruned: bool,
    empty_sides: bool = True,
    dtype: type = np.float64,
    seed: int = 0,
) -> PartBatch:
    nodes = words + 1
    rng = np.random.default_rng([seed, sentences, words, len(kind), len(structure)])
    arcs = draw(kind, sentences, words, seed=seed).astype(dtype).astype(float)
    scale = {"large": 200.0, "ties": 0.0}.get(kind, 1.0)
    tables = {}
    for name in PARTS[structure]:
        table = (rng.normal(size=(sentences, *(nodes,) * NODES[name])) * scale).astype(dtype).astype(float)
        if kind == "sparse":
            table[rng.random(table.shape) < 0.1] = -np.inf
        tables[name] = table
    candidates, given = None, {name: table.astype(dtype) for name, table in tables.items()}
    if pruned:
        # Every word may hang from the one before; other heads are drawn, some places are empty.
        candidates = np.argsort(rng.random((sentences, nodes, nodes)), axis=2)[:, :, :CHOICES]
        candidates[rng.random(candidates.shape) < 0.15] = -1
        candidates[:, 1:, CHOICES - 1] = np.arange(words)
        candidates[:, 0] = rng.integers(-1, nodes, size=(sentences, CHOICES))
        if "grandchildren" in tables and not empty_sides:
            index = np.arange(nodes)
            tables["grandchildren"][:, index, :, index] = 0.0
            tables["grandchildren"][:, :, index, index] = 0.0
        given = {
            name: over_candidates(name, table, candidates, np.nan, empty_sides).astype(dtype)
            for name, table in tables.items()
        }
    return PartBatch(arcs, draw_lengths(sentences, words), tables, candidates, given, empty_sides)
