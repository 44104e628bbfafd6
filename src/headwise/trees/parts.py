"""Tables over the parts of trees: which there are, sparse ones, and marginals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headwise._native import trees as native
from headwise.trees.checks import Floats, float_array
from headwise.trees.factorizations import FACTORIZATIONS, Factorization

# The tables that each factorization can score, besides arcs (Koo's thesis, 5.3, 5.4 and B.1.4).
TABLES: dict[Factorization, tuple[str, ...]] = {
    name: tuple(native.FACTORIZATIONS[name].tables) for name in FACTORIZATIONS
}
# How many nodes name a part of each table, and which parts a positional table is about.
NODES = native.PART_NODES
PARTS_OF_POSITIONS = native.PARTS_OF_POSITIONS


def positions(factorization: Factorization, table: str) -> int:
    """How many positions a positional table of the factorization has (Koo's thesis, B.1.3)."""
    return int(native.FACTORIZATIONS[factorization].tables[table])


@dataclass(frozen=True)
class Parts:
    """Scores or marginals of some parts of one kind: `values[k]` belongs to the part with nodes `nodes[k]`.

    Nodes are in the order of the dense table of that kind: [h, m, s], [g, h, m], [g, h, m, s] or
    [h, m, s, t]. As scores, parts that are not listed score 0, parts listed twice score the sum, and parts
    that the mask excludes are ignored.
    """

    nodes: NDArray[np.int32]
    values: Floats

    def __init__(self, nodes: ArrayLike, values: ArrayLike) -> None:
        given = np.asarray(nodes)
        if given.ndim != 2:
            raise ValueError(f"nodes must have one row a part, not shape {given.shape}")
        if given.size and given.dtype.kind not in "iu":
            raise ValueError(f"nodes must be integers, not {given.dtype}")
        if given.size and not 0 <= given.min() <= given.max() <= np.iinfo(np.int32).max:
            raise ValueError(f"nodes are numbered from 0; there are {given.min()} to {given.max()}")
        node_array = np.ascontiguousarray(given, dtype=np.int32)
        value_array = float_array("values", values)
        if value_array.shape != (len(node_array),):
            raise ValueError(f"values must have shape ({len(node_array)},), not {value_array.shape}")
        object.__setattr__(self, "nodes", node_array)
        object.__setattr__(self, "values", value_array)

    def __len__(self) -> int:
        return len(self.nodes)


Table = Floats | Parts


class PartArguments(TypedDict, total=False):
    """The scores of larger parts, as arguments of every class of trees that has them.

    siblings: [h, m, s], s the next modifier of h towards h on the same side, s = h for none.
    grandchildren: [g, h, m]; m = g stands for "h has no modifier on the side of g", m = h for "none on the
        other side".
    grand_siblings: [g, h, m, s], s as for siblings.
    outermost: [g, h, m], m the outermost modifier of h on its side.
    tri_siblings: [h, m, s, t], t the next after s, t = h for none.
    grand_tri_siblings: [g, h, m, s, t], likewise.
    great_grandchildren, great_grand_siblings: [f, g, h, m] and [f, g, h, m, s], f the head of g.
    """

    siblings: ArrayLike | Parts | None
    grandchildren: ArrayLike | Parts | None
    grand_siblings: ArrayLike | Parts | None
    outermost: ArrayLike | Parts | None
    tri_siblings: ArrayLike | Parts | None
    grand_tri_siblings: ArrayLike | Parts | None
    great_grandchildren: ArrayLike | Parts | None
    great_grand_siblings: ArrayLike | Parts | None


class PartAndPositionArguments(PartArguments, total=False):
    """… and scores that tell inner from outer modifiers apart.

    The position comes first, [p, …] (Koo 2010, B.1.3; `headwise.reference.parts` says how they count).
    """

    arc_positions: ArrayLike | None
    sibling_positions: ArrayLike | None
    grandchild_positions: ArrayLike | None


def given_tables(known: frozenset[str], arguments: Mapping[str, Any]) -> dict[str, ArrayLike | Parts]:
    """The tables that were given, of those that a class of trees has."""
    if unknown := arguments.keys() - known:
        raise TypeError(f"no table is called {', '.join(sorted(unknown))}")
    return {name: table for name, table in arguments.items() if table is not None}


class Marginals(NamedTuple):
    """The probability of every part. `arcs` is (n+1, n+1), `labels` (n+1, n+1, L) with labels.

    With K senses, `senses` is (n+1, K) and `sense_arcs` is laid out as the scores of the arcs were.

    A table is None where the factorization does not have it. Third-order tables are dense where their
    scores were given densely, else `Parts` that list every part the mask leaves.
    """

    arcs: Floats
    labels: Floats | None = None
    senses: Floats | None = None
    sense_arcs: Floats | None = None
    arc_positions: Table | None = None
    siblings: Table | None = None
    sibling_positions: Table | None = None
    tri_siblings: Table | None = None
    grandchildren: Table | None = None
    grandchild_positions: Table | None = None
    grand_siblings: Table | None = None
    outermost: Table | None = None
    grand_tri_siblings: Table | None = None
    great_grandchildren: Table | None = None
    great_grand_siblings: Table | None = None
