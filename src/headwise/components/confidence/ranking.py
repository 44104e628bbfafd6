"""The k most probable trees of sentences, several sentences at a time."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.parser.constraints import Constraints
    from headwise.components.parser.parser import Parser
    from headwise.trees import Distribution


def ranked_trees(
    parser: Parser, tasks: Sequence[tuple[Sentence, Constraints | None]], k: int, *, threads: int
) -> list[list[npt.NDArray[np.int32]]]:
    """The heads of the k best trees of each sentence, best first; fewer where there are fewer."""
    from headwise.trees import Batch

    with ThreadPoolExecutor(threads) as pool:
        rankings = list(pool.map(lambda task: ranking(parser, *task), tasks))
    return [
        [solution.tree.heads.astype(np.int32) for solution in solutions]
        for solutions in Batch(rankings, threads=threads).top_k(k)
    ]


def ranking(parser: Parser, sentence: Sentence, constraints: Constraints | None = None) -> Distribution:
    """All trees of a sentence with the parser's scores: the distribution itself, or the estimate of it."""
    return (parser.distribution if parser.has_exact_probabilities else parser.expansion)(
        sentence, constraints
    )
