"""All dependency trees of a short sentence, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

Heads = tuple[int, ...]


def is_tree(heads: Sequence[int]) -> bool:
    """Whether every word reaches the root, node 0, by following its heads (heads[m - 1] is the head of m)."""
    for word in range(1, len(heads) + 1):
        node, steps = word, 0
        while node != 0:
            node = heads[node - 1]
            steps += 1
            if steps > len(heads):
                return False
    return True


def is_projective(heads: Sequence[int]) -> bool:
    """Whether no two arcs cross, the root standing to the left of the sentence."""
    arcs = [(min(h, m), max(h, m)) for m, h in enumerate(heads, start=1)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


@cache
def all_trees(words: int, *, projective: bool, single_root: bool) -> tuple[Heads, ...]:
    """Every tree over `words` words, in lexicographic order of its heads; time grows as (n + 1)ⁿ."""
    if words < 1:
        raise ValueError(f"words must be at least 1, not {words}")
    return tuple(
        heads
        for heads in product(range(words + 1), repeat=words)
        if (heads.count(0) == 1 or not single_root)
        and is_tree(heads)
        and (not projective or is_projective(heads))
    )
