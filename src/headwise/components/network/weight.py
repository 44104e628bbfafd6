"""How much a network counts beside features: chosen on sentences that neither has learned from.

Its log-probabilities are multiplied by a weight before they are added to scores. Accuracy over the logarithm
of the weight is a hill with a flat top: too little, and the network has no say; too much, and features are
not. Single words make it rough, so the best of several weights is a matter of chance; the top of a parabola
through all of them is less so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from headwise.learning.loop import DevScores, Listener

if TYPE_CHECKING:
    from headwise.components.parser.parser import Parser

OCTAVES = (-2, -1, 0, 1, 2)
"""Five weights are tried, each twice the one before; about the one in the middle, …"""
FARTHEST = 6
"""… which moves to where the top is, but no farther from the default than this."""


def with_best_weight(
    parser: Parser, evaluate: Callable[[Parser], DevScores], listener: Listener
) -> tuple[Parser, float]:
    """The parser with its network counting as much as these sentences like, and how much that is.

    The default that it comes with stays where nothing is better.
    """
    assert parser.config.network is not None
    start = parser.config.network.weight

    @cache
    def score(weight: float) -> float:
        return evaluate(parser.with_network_weight(weight)).selection

    best = best_weight(start, score)
    if best == start:
        listener.message(f"the network counts {start:g}: {score(start):.2%} of the words are right")
        return parser, start
    gain = f"{score(best):.2%} of the words are right, with {start:g} {score(start):.2%}"
    listener.message(f"the network counts {best:.3g}: {gain}")
    return parser.with_network_weight(best), best


def best_weight(start: float, score: Callable[[float], float]) -> float:
    """The weight at the top of the parabola that fits the scores around it; ``start`` where it is no better.

    About eight calls of ``score`` find it: five, and more where the top is far from the start.
    """
    centre, top = 0, 0.0
    seen = set[int]()
    while centre not in seen:
        seen.add(centre)
        top = centre + _top([score(start * 2.0 ** (centre + x)) for x in OCTAVES])
        if abs(top - centre) > 1:
            centre = max(-FARTHEST, min(FARTHEST, round(top)))
    found = start * 2.0**top
    return found if score(found) > score(start) else start


def _top(scores: list[float]) -> float:
    """Where the parabola of least squares is highest, in octaves from the middle; the ends are its limits."""
    slope = sum(x * y for x, y in zip(OCTAVES, scores, strict=True)) / 10
    curvature = sum((x * x - 2) * y for x, y in zip(OCTAVES, scores, strict=True)) / 14
    if curvature >= 0:  # no hill: towards the better end, if there is one
        return float(OCTAVES[-1] if slope > 0 else OCTAVES[0] if slope < 0 else 0)
    return max(OCTAVES[0], min(OCTAVES[-1], -slope / (2 * curvature)))
