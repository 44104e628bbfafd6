"""A sieve for arcs: how far apart may a head and a modifier with these tags be?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

SLACK = 1.25
"""Arcs a little longer than the longest one seen are still considered."""


@dataclass(frozen=True)
class ArcLimits:
    """``limits[head tag, modifier tag, direction]``: the longest distance considered.

    Direction 1 has the head on the left. Neighbours and the root are always considered, so that a tree of
    every kind survives (see native/scoring/arc_filter.hpp).
    """

    tags: list[str]
    limits: npt.NDArray[np.int32]

    @classmethod
    def collect(cls, trees: Iterable[tuple[Sequence[str], npt.NDArray[np.int32]]]) -> ArcLimits:
        """From pairs of (tags of the words, heads)."""
        longest: dict[tuple[str, str, int], int] = {}
        seen: dict[str, None] = {}
        for tags, heads in trees:
            seen.update(dict.fromkeys(tags))
            for m, h in enumerate(heads.tolist(), start=1):
                if h > 0:
                    key = (tags[h - 1], tags[m - 1], int(h < m))
                    longest[key] = max(longest.get(key, 0), abs(h - m))
        names = sorted(seen)
        number = {name: i for i, name in enumerate(names)}
        limits = np.ones((len(names), len(names), 2), np.int32)
        for (head, modifier, direction), distance in longest.items():
            limits[number[head], number[modifier], direction] = int(np.ceil(SLACK * distance)) + 1
        return cls(names, limits)
