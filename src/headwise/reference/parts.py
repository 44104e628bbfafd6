"""The parts of a tree under each factorization (Koo's thesis, chapter 5 and Appendix B.1).

A part is named by the score table it is looked up in and by its index in that table:

``arcs`` [h, m]
    Every arc.
``arc_positions`` [p, h, m]
    The same, told apart by position: m is the p-th modifier of h on its side, counted from h; the last p
    means "that one or further out".
``siblings`` [h, m, s]
    s is the next modifier of h towards h on the same side; s = h when m is the innermost.
``sibling_positions`` [p, h, m, s]
    p = 0 when s is the innermost modifier, else 1 (model 2).
``tri_siblings`` [h, m, s, t]
    t is the next modifier after s; t = h when s is the innermost (model 2, grand-tri-siblings).
``grandchildren`` [g, h, m]
    m is a modifier of h, whose head is g; m = g stands for "h has none on the side of g" (inner), m = h for
    "h has none on the other side" (outer).
``grandchild_positions`` [p, g, h, m]
    The same by position (see below).
``grand_siblings`` [g, h, m, s]
    s as for siblings.
``outermost`` [g, h, m]
    m is the outermost modifier of h on its side (from model 1 on). In Carreras' factorization that is what
    grandchildren are.
``grand_tri_siblings`` [g, h, m, s, t]
    s and t as for tri-siblings (grand-tri-siblings).
``great_grandchildren`` [f, g, h, m], ``great_grand_siblings`` [f, g, h, m, s]
    f is the head of g; none where g is the root (great-grand-siblings).

Which modifiers m of h have a grandchild or grand-sibling part depends on the factorization: all of them in
models 0 and 1 and in what extends them, where p = 0 is the innermost and p = 1 any other; the outermost on
each side in Carreras' factorization; the outermost (p = 0) and for grandchildren the second outermost (p = 1)
in model 2, where the null index at p = 1 stands for "h has exactly one modifier on that side".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from headwise.trees.factorizations import FACTORIZATIONS as FACTORIZATIONS
from headwise.trees.factorizations import Factorization as Factorization

Parts = dict[str, list[tuple[int, ...]]]


def modifiers_outwards(heads: Sequence[int], head: int) -> tuple[list[int], list[int]]:
    """The modifiers of a node to its left and to its right, each from the nearest to the farthest."""
    modifiers = [m for m, h in enumerate(heads, start=1) if h == head]
    return [m for m in reversed(modifiers) if m < head], [m for m in modifiers if m > head]


def tree_parts(heads: Sequence[int], factorization: Factorization) -> Parts:
    """The indices of all parts of the tree, by score table. O(n²)."""
    parts: Parts = defaultdict(list)
    parts["arcs"] = [(h, m) for m, h in enumerate(heads, start=1)]
    if factorization == "arc":
        return parts
    for head in range(len(heads) + 1):
        for side in modifiers_outwards(heads, head):
            _horizontal_parts(parts, factorization, head, side)
    if factorization != "sibling":
        for head, grandparent in enumerate(heads, start=1):
            for is_left, side in zip((True, False), modifiers_outwards(heads, head), strict=True):
                inner = is_left == (grandparent < head)
                _vertical_parts(parts, factorization, grandparent, head, side, inner)
                if side and factorization not in ("carreras", "model0"):
                    parts["outermost"].append((grandparent, head, side[-1]))
                if grandparent > 0 and factorization == "great_grand_sibling":
                    for modifier, sibling in zip(side, [head, *side], strict=False):
                        great = (heads[grandparent - 1], grandparent, head, modifier)
                        parts["great_grandchildren"].append(great)
                        parts["great_grand_siblings"].append((*great, sibling))
    return parts


def _horizontal_parts(parts: Parts, factorization: Factorization, head: int, side: list[int]) -> None:
    last_position = 2 if factorization == "model2" else 1
    for rank, modifier in enumerate(side):
        sibling = side[rank - 1] if rank else head
        parts["arc_positions"].append((min(rank, last_position), head, modifier))
        if factorization != "model0":
            parts["siblings"].append((head, modifier, sibling))
        if factorization == "model2" and rank:
            parts["sibling_positions"].append((min(rank - 1, 1), head, modifier, sibling))
        if factorization in ("model2", "grand_tri_sibling") and rank:
            parts["tri_siblings"].append((head, modifier, sibling, _third(head, side, rank)))


def _third(head: int, side: list[int], rank: int) -> int:
    """The modifier after the next one towards the head."""
    return side[rank - 2] if rank > 1 else head


def _vertical_parts(
    parts: Parts, factorization: Factorization, grandparent: int, head: int, side: list[int], inner: bool
) -> None:
    none = grandparent if inner else head
    outwards_pairs = list(zip(side, [head, *side], strict=False))
    if factorization == "carreras":
        parts["grandchildren"].append((grandparent, head, side[-1] if side else none))
    elif factorization != "model2":
        for rank, (modifier, sibling) in enumerate(outwards_pairs):
            parts["grandchildren"].append((grandparent, head, modifier))
            parts["grandchild_positions"].append((min(rank, 1), grandparent, head, modifier))
            if factorization != "model0":
                parts["grand_siblings"].append((grandparent, head, modifier, sibling))
            if factorization == "grand_tri_sibling" and rank:
                third = _third(head, side, rank)
                parts["grand_tri_siblings"].append((grandparent, head, modifier, sibling, third))
        if not side:
            parts["grandchildren"].append((grandparent, head, none))
            parts["grandchild_positions"].append((0, grandparent, head, none))
    else:  # model 2
        outermost = list(reversed(side))[:2]
        parts["grandchildren"] += [(grandparent, head, m) for m in outermost or [none]]
        parts["grandchild_positions"].append((0, grandparent, head, outermost[0] if outermost else none))
        if outermost:
            second = outermost[1] if len(outermost) > 1 else none
            parts["grandchild_positions"].append((1, grandparent, head, second))
            modifier, sibling = outwards_pairs[-1]
            parts["grand_siblings"].append((grandparent, head, modifier, sibling))
