"""The binary tree of clusters: from mergers to paths, and contours that cut it into fewer clusters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from math import log2
from typing import Literal

Contours = Literal["prefixes", "population", "information"]
"""How the tree is cut: at a depth, or where the parts are even in population, or tell most."""
Contour = frozenset[str]
"""Nodes of the tree, as paths from its root, one above or at every cluster."""


def cluster_names(mergers: Sequence[tuple[int, int]], words: int, clusters: int) -> list[int]:
    """The name of each word's cluster, when ``clusters`` of them were left; mergers are (kept, absorbed)."""
    name = list(range(words))
    for kept, absorbed in mergers[: max(0, words - clusters)]:
        name[absorbed] = kept

    def find(word: int) -> int:
        while name[word] != word:
            name[word] = word = name[name[word]]
        return word

    return [find(word) for word in range(words)]


def tree_paths(mergers: Sequence[tuple[int, int]], root: int = 0) -> dict[int, str]:
    """The path of every cluster, from the mergers that made one of them all.

    The first mergers are those of the leaves; of the two that a merger joins, the one that gave its name,
    which has the most frequent word, is on the left.
    """
    paths = {root: ""}
    for kept, absorbed in reversed(mergers):
        paths[absorbed] = paths[kept] + "1"
        paths[kept] += "0"
    return paths


def prefixes(paths: Sequence[str], bits: int) -> Contour:
    """All nodes at one depth."""
    return frozenset(path[:bits] for path in paths)


def by_population(populations: Mapping[str, int], most: int) -> Contour:
    """At most so many nodes, as even as may be: the most populous is split first (Koo 2010, 3.5.2)."""
    below: Counter[str] = Counter()
    for path, count in populations.items():
        for length in range(len(path) + 1):
            below[path[:length]] += count
    return _split_first(populations, most, below.__getitem__)


def by_information(pairs: Mapping[tuple[str, str], int], most: int) -> Contour:
    """At most so many nodes, those that tell most about the clusters beside them.

    The node is split first whose two halves differ most in their neighbours: by the mutual information
    between the half and the clusters before and after it, in bits of the whole text.
    """
    sides: dict[str, Counter[tuple[bool, str]]] = {}
    for (first, second), count in pairs.items():
        for node, neighbour in ((first, (True, second)), (second, (False, first))):
            for length in range(len(node) + 1):
                sides.setdefault(node[:length], Counter())[neighbour] += count

    def gain(node: str) -> float:
        left, right = (sides.get(node + bit, Counter()) for bit in "01")
        total, left_total, right_total = (sum(counts.values()) for counts in (sides[node], left, right))
        if not left_total or not right_total:
            return 0.0
        return sum(
            count * log2(count * total / (half_total * sides[node][neighbour]))
            for half, half_total in ((left, left_total), (right, right_total))
            for neighbour, count in half.items()
        )

    return _split_first({node for pair in pairs for node in pair}, most, gain)


def _split_first(paths: Iterable[str], most: int, worth: Callable[[str], float]) -> Contour:
    """From the root down, the node is split that is worth most, until there are enough."""
    inner = {path[:length] for path in paths for length in range(len(path))}
    waiting, done = [(-worth(""), "")], set[str]()
    while waiting and len(waiting) + len(done) < most:
        _, node = heappop(waiting)
        if node in inner:
            for child in (node + "0", node + "1"):
                heappush(waiting, (-worth(child), child))
        else:
            done.add(node)
    return frozenset(done.union(node for _, node in waiting))
