"""What else a parser thought of: the heads that each word might have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.parser.constraints import Constraints
    from headwise.components.parser.parser import Parser

LEAST_PROBABLE = 0.02
"""Other heads are shown from this probability on …"""
MOST_ALTERNATIVES = 4
"""… and at most so many."""


def other_heads(
    parser: Parser, sentence: Sentence, constraints: Constraints | None = None
) -> list[list[tuple[int, float]]]:
    """The heads that each word of a sentence might have with their probabilities, the most probable first."""
    arcs = parser.arc_probabilities(sentence, constraints)
    ranked = (
        sorted(((h, float(p)) for h, p in enumerate(arcs[:, m])), key=lambda pair: -pair[1])
        for m in range(1, len(sentence) + 1)
    )
    return [[pair for pair in word[: MOST_ALTERNATIVES + 1] if pair[1] >= LEAST_PROBABLE] for word in ranked]
