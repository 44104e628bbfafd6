"""Another parser as a scorer: two that were trained in different ways know different things.

Examples:
    >>> parser.with_scorers(OtherParser(another, weight=0.5))                       # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.parser.parser import Parser

LEAST = 1e-9
"""What the other parser finds less probable than this it rules out no further."""


class OtherParser:
    """The log-probabilities of another parser's arcs, times a weight (a product of experts)."""

    def __init__(self, parser: Parser, weight: float = 1.0) -> None:
        self.parser, self.weight = parser, weight

    def __call__(self, sentences: Sequence[Sentence]) -> Iterator[npt.NDArray[np.float64]]:
        for sentence in sentences:
            yield self.weight * np.log(np.maximum(self.parser.arc_probabilities(sentence), LEAST))
