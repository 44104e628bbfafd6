"""Projective trees, from first order to third."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headwise._native import trees as native
from headwise.trees.checks import Floats, apply_mask, apply_partial_tree, arc_scores, score_table
from headwise.trees.distribution import Distribution
from headwise.trees.factorizations import FACTORIZATIONS, Factorization
from headwise.trees.parts import (
    NODES,
    PARTS_OF_POSITIONS,
    TABLES,
    Marginals,
    PartAndPositionArguments,
    Parts,
    Table,
    given_tables,
    positions,
)


class ProjectiveTrees(Distribution):
    """Projective trees under one of the factorizations of `headwise.trees.factorizations`.

    Any table may be left out. `factorization` defaults to the simplest that scores all tables given (model 1
    rather than Carreras' for siblings with grandchildren).

    arcs: (n+1, n+1), or (n+1, n+1, L) with labels: [head, modifier, label].
    Larger parts: see `headwise.trees.parts.PartArguments` and `PartAndPositionArguments`.
    mask: booleans, true for allowed arcs, (n+1, n+1) or (n+1, n+1, L). −inf in `arcs` says the same.
    partial_heads, partial_labels: n integers, −1 where free: only trees that agree with them.
    single_root: whether exactly one word hangs from the root.

    Second- and third-order tables may be `Parts` instead of arrays; with a mask, models 0 to 2 and Carreras'
    need time and memory in proportion to the parts whose arcs survive. Tables are not copied where that can
    be avoided: do not write to them afterwards.
    """

    projective = True

    def __init__(
        self,
        arcs: ArrayLike,
        *,
        single_root: bool,
        factorization: Factorization | None = None,
        mask: ArrayLike | None = None,
        partial_heads: ArrayLike | None = None,
        partial_labels: ArrayLike | None = None,
        **tables: Unpack[PartAndPositionArguments],
    ) -> None:
        self._arcs, has_labels = arc_scores(arcs)
        self.words = len(self._arcs) - 1
        self.label_count = self._arcs.shape[2] if has_labels else None
        self.single_root = bool(single_root)
        apply_mask(self._arcs, mask)
        apply_partial_tree(self._arcs, partial_heads, partial_labels, self.label_count)
        given = given_tables(PartAndPositionArguments.__optional_keys__, tables)
        self.factorization = choose_factorization(factorization, given)
        self._tables = {name: self._checked(name, table) for name, table in given.items()}
        self._candidates = None if self._is_dense else self._surviving(self._allowed())
        self._compacted: dict[str, Floats] | None = None
        self._problem = self._build(self._candidates)

    def allowed_arcs(self) -> NDArray[np.bool_]:
        """``allowed[h, m]``: the arcs that are not forbidden."""
        return self._allowed().copy()

    def with_arc_prices(self, prices: ArrayLike) -> ProjectiveTrees:
        """The same trees with ``prices[h, m]`` added to the scores of arcs; −inf forbids one.

        Larger parts keep their scores and their place, so that this is cheap; dual decomposition asks for it.
        """
        shifted = copy(self)
        shifted._arcs = self._arcs + np.asarray(prices, dtype=np.float64)[:, :, None]
        if self._candidates is not None and self._compacted is None:
            self._compacted = self._compact_tables(self._candidates)
        shifted._compacted = self._compacted
        shifted._problem = shifted._build(self._candidates)
        return shifted

    def _checked(self, name: str, table: ArrayLike | Parts) -> Table:
        if isinstance(table, Parts):
            if name in PARTS_OF_POSITIONS:
                raise ValueError(f"{name} must be an array")
            check_parts(name, table, len(self._arcs) - 1)
            if self._is_dense:
                dense = np.zeros((len(self._arcs),) * NODES[name])
                np.add.at(dense, tuple(table.nodes.T), table.values)
                return native.pack_siblings(dense)
            return table
        shape: tuple[int, ...] = (len(self._arcs),) * NODES[name]
        if name in PARTS_OF_POSITIONS:
            shape = (positions(self.factorization, name), *shape)
        scores = score_table(name, table, shape)
        return native.pack_siblings(scores) if name == "siblings" and self._is_dense else scores

    @property
    def _is_dense(self) -> bool:
        """Whether the chart is dense, and not laid out over the arcs that the mask leaves."""
        return bool(native.FACTORIZATIONS[self.factorization].is_dense)

    def _surviving(self, allowed: NDArray[np.bool_]) -> native.Candidates:
        return native.Candidates(allowed)

    def _build(self, candidates: native.Candidates | None) -> native.Distribution:
        if candidates is None:
            # Sparse tables have been packed.
            tables = {name: table for name, table in self._tables.items() if isinstance(table, np.ndarray)}
            scores = native.Scores(labels=self._arcs, **tables)
            return native.distribution(self.factorization, scores, self.single_root)
        heads, modifiers = candidates.part_nodes("arcs").T
        known = self._compacted if candidates is self._candidates else None
        compact = {"labels": self._arcs[heads, modifiers], **(known or self._compact_tables(candidates))}
        return native.distribution(self.factorization, native.Scores(**compact), self.single_root, candidates)

    def _compact_tables(self, candidates: native.Candidates) -> dict[str, Floats]:
        return {name: compact_table(candidates, name, table) for name, table in self._tables.items()}

    def _aligned_with(self, other: Distribution) -> tuple[native.Distribution, native.Distribution]:
        if not isinstance(other, ProjectiveTrees) or other.factorization != self.factorization:
            raise ValueError(f"other must be ProjectiveTrees with factorization={self.factorization!r}")
        if other._arcs.shape != self._arcs.shape or other.single_root != self.single_root:
            raise ValueError("other must have the same words, labels and single_root")
        if self._candidates is None or (self._allowed() == other._allowed()).all():
            return self._problem, other._problem
        candidates = self._surviving(self._allowed() | other._allowed())
        return self._build(candidates), other._build(candidates)

    def _marginal_tables(self) -> dict[str, Floats]:
        names = TABLES[self.factorization]
        if self._candidates is None:
            tables: dict[str, Floats] = {"labels": np.zeros(self._arcs.shape)}
            if self.factorization == "sibling":
                tables["siblings"] = np.zeros(native.sibling_count(self.words + 1))
                tables["arc_positions"] = np.zeros((2, self.words + 1, self.words + 1))
        else:
            sizes = {name: len(self._candidates.part_nodes(name)) for name in part_kinds(names)}
            tables = {"labels": np.zeros((sizes["arcs"], self._arcs.shape[2]))}
            for name in names:
                size = sizes[PARTS_OF_POSITIONS.get(name, name)]
                by_position = name in PARTS_OF_POSITIONS
                tables[name] = np.zeros((positions(self.factorization, name), size) if by_position else size)
        return tables

    def _marginals(self, tables: dict[str, Floats]) -> Marginals:
        named = dict(tables)
        labels = named.pop("labels")
        result: dict[str, Table] = dict(named)
        if self._candidates is None:
            if "siblings" in named:
                dense = np.zeros((self.words + 1,) * 3)
                native.unpack_siblings(named["siblings"], dense)
                result["siblings"] = dense
        else:
            heads, modifiers = self._candidates.part_nodes("arcs").T
            compact, labels = labels, np.zeros(self._arcs.shape)
            labels[heads, modifiers] = compact
            for name, table in named.items():
                result[name] = self._expanded(self._candidates, name, table)
        arcs, by_label = self._arc_marginals(labels)
        return Marginals(arcs=arcs, labels=by_label, senses=None, sense_arcs=None, **result)

    def _expanded(self, candidates: native.Candidates, name: str, table: Floats) -> Table:
        """A compact table of marginals in the form in which the scores were given."""
        given = self._tables.get(name)
        if isinstance(given, Parts):
            places = candidates.part_places(name, given.nodes)
            return Parts(given.nodes, np.where(places >= 0, table[places], 0.0))
        nodes = candidates.part_nodes(PARTS_OF_POSITIONS.get(name, name))
        exists = nodes[:, 0] >= 0
        if NODES[name] > 3 and given is None:
            return Parts(nodes[exists], table[exists])
        dense = np.zeros((*table.shape[:-1], *(len(self._arcs),) * NODES[name]))
        dense[(..., *nodes[exists].T)] = table[..., exists]
        return dense


def choose_factorization(
    factorization: Factorization | None, tables: Mapping[str, ArrayLike | Parts]
) -> Factorization:
    """The factorization asked for, if it can score all tables, or the simplest that can."""
    if factorization is None:
        return next(f for f in FACTORIZATIONS if f != "carreras" and set(tables) <= {*TABLES[f]})
    if factorization not in FACTORIZATIONS:
        raise ValueError(f"factorization must be one of {', '.join(FACTORIZATIONS)}, not {factorization!r}")
    for name in tables:
        if name not in TABLES[factorization]:
            raise ValueError(f"{name} cannot be scored under factorization={factorization!r}")
    return factorization


def check_parts(name: str, table: Parts, words: int) -> None:
    if table.nodes.shape[1] != NODES[name]:
        raise ValueError(f"{name} must list {NODES[name]} nodes a part, not {table.nodes.shape[1]}")
    if len(table) and not (table.nodes.min() >= 0 and table.nodes.max() <= words):
        raise ValueError(f"{name} must list nodes between 0 and {words}")
    score_table(name, table.values)


def part_kinds(names: tuple[str, ...]) -> set[str]:
    """The kinds of parts that the tables are about."""
    return {"arcs", *(PARTS_OF_POSITIONS.get(name, name) for name in names)}


def compact_table(candidates: native.Candidates, name: str, table: Table) -> Floats:
    """Scores of the surviving parts, in the native order."""
    nodes = candidates.part_nodes(PARTS_OF_POSITIONS.get(name, name))
    if isinstance(table, Parts):
        compact = np.zeros(len(nodes))
        places = candidates.part_places(name, table.nodes)
        np.add.at(compact, places[places >= 0], table.values[places >= 0])
        return compact
    exists = nodes[:, 0] >= 0  # parts above the root do not exist and score nothing
    values = table[(..., *nodes.T)]
    return np.ascontiguousarray(values if exists.all() else np.where(exists, values, 0.0))
