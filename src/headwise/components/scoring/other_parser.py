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
    from headwise.components.parser.parser import Parser

LEAST = 1e-9
"""What the other parser finds less probable than this it rules out no further."""


WEIGHTS = (0.1, 0.3, 1.0, 3.0)
"""Of another parser's log-probabilities, to choose from."""


class OtherParser:
    """The log-probabilities of another parser's arcs, times a weight (a product of experts)."""

    def __init__(self, parser: Parser, weight: float = 1.0) -> None:
        self.parser, self.weight = parser, weight

    def __call__(self, sentences: Sequence[Sentence]) -> Iterator[npt.NDArray[np.float64]]:
        for sentence in sentences:
            yield self.weight * np.log(np.maximum(self.parser.arc_probabilities(sentence), LEAST))


def with_other_parser(
    parser: Parser, other: Parser, dev: Sequence[Sentence], weights: Sequence[float] = WEIGHTS
) -> tuple[Parser, float]:
    """A parser with the scores of another one, by the weight that is best on annotated sentences; and that.

    Where the other is of no use there, the weight is 0 and the parser is as it was. Any decoder will do: with
    ``sample``, the scores of a parser are a feature of the sampler (Zhang et al. 2014, "Steps to excellence",
    footnote 5).
    """
    decoder = parser.config.decoder

    def right(tried: Parser) -> int:
        parses = tried.pipe(dev, decoder=decoder)
        return sum(int(np.count_nonzero(parse.heads == parse.sentence.heads)) for parse in parses)

    best, most, chosen = parser, right(parser), 0.0
    for weight in weights:
        tried = parser.with_scorers(OtherParser(other, weight))
        if (found := right(tried)) > most:
            best, most, chosen = tried, found, weight
    return best, chosen
