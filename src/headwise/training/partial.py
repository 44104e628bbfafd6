"""Training from partial trees: words whose head nobody has annotated are summed out.

The loss of a sentence is then −log Σ p(tree) over the trees that have the heads that are known, which is
log Z − log Z(known): native/learning/gradient.hpp. Here is what has to be seen to
before: that there is such a tree at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from headwise.base.errors import HeadwiseError
from headwise.components.parser.config import ParserConfig
from headwise.components.parser.constraints import has_tree
from headwise.training.settings import TrainingSettings
from headwise.treebank import Sentence, crossing_arcs

Heads = npt.NDArray[np.int32]


def is_partial(heads: Heads) -> bool:
    return bool(np.any(heads < 0))


def check_learner(sentences: Sequence[Sentence], settings: TrainingSettings) -> None:
    """Only the likelihood can sum over what is not known."""
    if settings.learner == "log-linear" and settings.optimizer in ("online", "l-bfgs", "cg"):
        return
    for sentence in sentences:
        if is_partial(sentence.heads):
            word = int(np.flatnonzero(sentence.heads < 0)[0]) + 1
            raise HeadwiseError(
                f"{sentence.source}: word {word} has no head. Half-annotated trees can be learned from with "
                "the learner log-linear (and the optimizers online, l-bfgs and cg); others need every head."
            )


def without_crossings(heads: Heads) -> Heads:
    """Forget the longest arcs that cross others until none does."""
    heads = heads.copy()
    while crossing := crossing_arcs(heads):
        longest = max(crossing, key=lambda m: (abs(int(heads[m - 1]) - m), -m))
        heads[longest - 1] = -1
    return heads


def can_be_completed(
    sentences: Sequence[Sentence], trees: Sequence[Heads], config: ParserConfig
) -> list[bool]:
    """Whether each tree is whole, or part of a tree of the kind that is summed over, of arcs considered."""
    return [
        not is_partial(heads) or has_tree(_allowed(sentence, heads, config), **_kind(config))
        for sentence, heads in zip(sentences, trees, strict=True)
    ]


def _kind(config: ParserConfig) -> dict[str, bool]:
    return {
        "projective": config.projective or config.factorization != "arc",
        "single_root": config.single_root,
    }


def _allowed(sentence: Sentence, heads: Heads, config: ParserConfig) -> npt.NDArray[np.bool_]:
    """The arcs that the filter of the parser considers, and for words with a head that one alone."""
    limits = np.array(config.arc_limits).reshape(len(config.tags), len(config.tags), 2)
    number = {tag: i for i, tag in enumerate(config.tags)}
    tags = np.array([number[tag] for tag in sentence.upos])
    n = len(sentence)
    words = np.arange(n)
    distance = np.abs(words[:, None] - words)
    allowed = np.ones((n + 1, n + 1), np.bool_)
    right = (words[:, None] < words).astype(int)
    allowed[1:, 1:] = (distance == 1) | (distance <= limits[tags[:, None], tags[None, :], right])
    known = np.flatnonzero(heads >= 0)
    kept = allowed[heads[known], known + 1]
    allowed[:, known + 1] = False
    allowed[heads[known], known + 1] = kept
    return allowed
