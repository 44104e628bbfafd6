"""Features of tags in a tree, by which tags and trees are compared.

Tags among their neighbours are seen as in Zhang, Lei, Barzilay, Jaakkola and Globerson (2014, "Steps to
excellence", Table 1), up to five of them; and in the tree, with the head, its tag and the label.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headwise.components.tagging.joint.candidates import Candidate

Floats = npt.NDArray[np.float64]
REACH = 2
"""A tag is in the features of so many words on either side."""
_OUTSIDE = "#"


@dataclass(frozen=True)
class TagNames:
    """Two views of every tag: all of it, and the part of speech."""

    fine: Sequence[str]
    coarse: Sequence[str]

    @classmethod
    def of(cls, tags: Sequence[Sequence[str]]) -> TagNames:
        """Of UPOS, XPOS and FEATS; without UPOS the part of speech is XPOS."""
        return cls(["|".join(tag) for tag in tags], [xpos if upos == "_" else upos for upos, xpos, _ in tags])


class Reading:
    """A candidate as features see it."""

    def __init__(self, candidate: Candidate, names: TagNames) -> None:
        self.heads = candidate.parse.heads.tolist()
        self.relations = candidate.parse.labels
        self.words = [_OUTSIDE, *(form.lower() for form in candidate.parse.sentence.forms), _OUTSIDE]
        self.fine = [_OUTSIDE, *(names.fine[label] for label in candidate.labels), _OUTSIDE]
        self.coarse = [_OUTSIDE, *(names.coarse[label] for label in candidate.labels), _OUTSIDE]

    def among_neighbours(self, i: int) -> Iterator[str]:
        """1- to 5-grams of tags, and words, around the word i (from 1)."""
        last = len(self.words) - 1
        a, b, d, e = max(0, i - 2), i - 1, i + 1, min(last, i + 2)
        words, fine, coarse = self.words, self.fine, self.coarse
        t = fine[i]
        yield f"t {t}"
        for name, place in (("a", a), ("b", b), ("c", i), ("d", d), ("e", e)):
            yield f"tw{name} {t} {words[place]}"
        yield f"bt {fine[b]} {t}"
        yield f"at {fine[a]} {t}"
        yield f"btb {fine[b]} {t} {words[b]}"
        yield f"btc {fine[b]} {t} {words[i]}"
        p, q, r, s, u = coarse[a], coarse[b], coarse[i], coarse[d], coarse[e]
        yield f"3 {q} {r} {s}"
        yield f"3a {p} {r} {s}"
        yield f"3e {q} {r} {u}"
        yield f"3ae {p} {r} {u}"
        yield f"4 {p} {q} {r} {s}"
        yield f"4b {p} {q} {r} {u}"
        yield f"4d {p} {r} {s} {u}"
        yield f"5 {p} {q} {r} {s} {u}"

    def in_the_tree(self, m: int) -> Iterator[str]:
        """The arc into the word m (from 1)."""
        h, relation = self.heads[m - 1], self.relations[m - 1]
        words, fine, coarse = self.words, self.fine, self.coarse
        side = "<" if m < h else ">"
        yield f"ml {fine[m]} {relation}"
        yield f"mlw {coarse[m]} {words[m]} {relation}"
        yield f"mh {fine[m]} {coarse[h]} {side}"
        yield f"mhl {coarse[m]} {coarse[h]} {relation} {side}"
        yield f"mhf {fine[m]} {fine[h]} {relation}"
        yield f"mhw {fine[m]} {words[h]} {side}"
        yield f"mwh {words[m]} {fine[m]} {coarse[h]}"
        yield f"hl {fine[h]} {relation} {side}"
        yield f"hwl {words[h]} {fine[h]} {relation}"
        yield f"hmw {fine[h]} {words[m]} {side}"


class Features(NamedTuple):
    """How often a candidate has each feature more than the first one does."""

    places: npt.NDArray[np.int64]
    amounts: Floats

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> Features:
        """In the order of their places, so that sums are always the same."""
        places = sorted(place for place, amount in counts.items() if amount)
        amounts = [float(counts[place]) for place in places]
        return cls(np.array(places, np.int64), np.array(amounts))

    def score(self, weights: npt.NDArray[np.floating[Any]]) -> float:
        return float(weights[self.places] @ self.amounts)

    def minus(self, other: Features) -> Features:
        places, of_place = np.unique(np.concatenate([self.places, other.places]), return_inverse=True)
        amounts = np.concatenate([self.amounts, -other.amounts])
        return Features(places, np.bincount(of_place, amounts, len(places)).astype(np.float64))


NO_FEATURES = Features.of({})


def differences(base: Candidate, others: Sequence[Candidate], names: TagNames, bits: int) -> list[Features]:
    """How often each other candidate has a feature more than ``base`` does, by the place of its weight."""
    before = Reading(base, names)
    return [
        _difference(before, Reading(other, names), other.changes(base), (1 << bits) - 1) for other in others
    ]


def _difference(before: Reading, after: Reading, changed: Sequence[int], mask: int) -> Features:
    n, retagged = len(before.heads), {word + 1 for word in changed}
    near = sorted({i for word in retagged for i in range(max(1, word - REACH), min(n, word + REACH) + 1)})
    arcs = [
        m
        for m in range(1, n + 1)
        if m in retagged
        or before.heads[m - 1] in retagged
        or after.heads[m - 1] in retagged
        or before.heads[m - 1] != after.heads[m - 1]
        or before.relations[m - 1] != after.relations[m - 1]
    ]
    found: Counter[int] = Counter()
    for reading, amount in ((after, 1), (before, -1)):
        for i in near:
            for feature in reading.among_neighbours(i):
                found[zlib.crc32(feature.encode()) & mask] += amount
        for m in arcs:
            for feature in reading.in_the_tree(m):
                found[zlib.crc32(feature.encode()) & mask] += amount
    return Features.of(found)
