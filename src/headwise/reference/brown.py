"""Brown clusters from the papers: the information that every merger loses, from the counts of the whole text.

Brown et al. (1992, section 3) write p(a, b) for the probability that a word of class a is followed by one of
class b, p₁ and p₂ for its sums over rows and columns, and merge the two classes that lose least of the
average mutual information Σ p(a, b) log p(a, b) / (p₁(a) p₂(b)). Words come in one after the other, the most
frequent first; the sum is over the classes that are there, its probabilities are those of the text (Liang
2005).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import log2

Pairs = Mapping[tuple[int, int], int]
"""How often word b follows word a; words are numbered by falling frequency."""
Pair = tuple[int, int]
"""Two clusters; each is called by its most frequent word, and the more frequent of the two comes first."""


def information(pairs: Pairs, cluster_of: Sequence[int], present: Iterable[int]) -> float:
    """Σ p(a, b) log₂ p(a, b) / (p₁(a) p₂(b)) over the clusters that are there, in bits."""
    total, there = sum(pairs.values()), set(present)
    both, first, second = Counter[Pair](), Counter[int](), Counter[int]()
    for (a, b), count in pairs.items():
        both[cluster_of[a], cluster_of[b]] += count
        first[cluster_of[a]] += count
        second[cluster_of[b]] += count
    return sum(
        count / total * log2((count / total) / (first[a] / total * second[b] / total))
        for (a, b), count in both.items()
        if a in there and b in there
    )


def losses(pairs: Pairs, cluster_of: Sequence[int], present: Iterable[int]) -> dict[Pair, float]:
    """What the merger of any two clusters loses, in bits."""
    there = sorted(present)
    now = information(pairs, cluster_of, there)
    return {
        (a, b): now - information(pairs, [a if c == b else c for c in cluster_of], there)
        for a, b in combinations(there, 2)
    }


def losses_on_the_way(
    pairs: Pairs, words: int, clusters: int, mergers: Iterable[Pair]
) -> Iterator[dict[Pair, float]]:
    """Before each of the given mergers, what any merger loses; Brown's algorithm takes the least.

    With more than so many clusters there, two are merged before the next word comes in; after the last word,
    until one is left.
    """
    cluster_of, present, coming = list(range(words)), list[int](), iter(range(words))
    for kept, absorbed in mergers:
        while len(present) <= clusters and (word := next(coming, None)) is not None:
            present.append(word)
        yield losses(pairs, cluster_of, present)
        present.remove(absorbed)
        cluster_of = [kept if c == absorbed else c for c in cluster_of]
