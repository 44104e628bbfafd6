"""Brown clusters from the definition (Koo 2010, 3.2): the loss of every merger, from all counts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from itertools import combinations

UNIT = 1 << 20
"""Information is counted in whole units of 2⁻²⁰ bit, so that mergers that lose the same are seen to."""

Pairs = Mapping[tuple[int, int], int]
"""How often word b follows word a; words are numbered by falling frequency."""


def f(x: int) -> int:
    return math.floor(x * math.log2(x) * UNIT + 0.5) if x > 1 else 0


def information(counts: Pairs, left: Mapping[int, int], right: Mapping[int, int]) -> int:
    return sum(map(f, counts.values())) - sum(map(f, left.values())) - sum(map(f, right.values()))


def brown_mergers(pairs: Pairs, words: int, clusters: int) -> list[tuple[int, int, int]]:
    """(kept, absorbed, loss) of every merger; a cluster is called by its most frequent word."""
    cluster_of = list(range(words))
    mergers = []

    def merged(active: list[int]) -> tuple[int, int, int]:
        def counted(of: list[int]) -> tuple[Counter[tuple[int, int]], Counter[int], Counter[int]]:
            inside: Counter[tuple[int, int]] = Counter()
            left: Counter[int] = Counter()
            right: Counter[int] = Counter()
            for (a, b), count in pairs.items():
                left[of[a]] += count
                right[of[b]] += count
                if of[a] in present and of[b] in present:
                    inside[of[a], of[b]] += count
            return inside, left, right

        present = set(active)
        before = information(*counted(cluster_of))
        best = min(
            (before - information(*counted([a if c == b else c for c in cluster_of])), a, b)
            for a, b in combinations(sorted(active), 2)
        )
        return best[1], best[2], best[0]

    active: list[int] = []

    def merge() -> None:
        kept, absorbed, loss = merged(active)
        mergers.append((kept, absorbed, loss))
        active.remove(absorbed)
        cluster_of[:] = [kept if c == absorbed else c for c in cluster_of]

    for word in range(words):
        active.append(word)
        if len(active) > clusters:
            merge()
    while len(active) > 1:
        merge()
    return mergers
