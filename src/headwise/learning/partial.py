"""Training from partial trees: words whose head nobody has annotated are summed out.

The loss of a sentence is then −log Σ p(tree) over the trees that have the heads that are known, which is
log Z − log Z(known): native/learning/arc_gradient.hpp and part_gradient.hpp. Here is what has to be seen to
before: that there is such a tree at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from headwise._native import parsing as native
from headwise._native.trees import NoTreeError
from headwise.errors import HeadwiseError
from headwise.learning.settings import TrainingSettings
from headwise.parser.config import ParserConfig
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
                f"{sentence.source}: word {word} has no head. Partial trees can be learned from with the "
                "learner log-linear (optimizer online, l-bfgs or cg); others need a head for every word."
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
    """Whether each tree is whole, or part of a tree of the kind that is searched and of arcs considered."""
    shape = config.shape()
    parser: native.Parser | None = None
    possible = []
    for sentence, heads in zip(sentences, trees, strict=True):
        if not is_partial(heads):
            possible.append(True)
            continue
        if parser is None:
            labels = 1 << config.label_bits if config.label_mode != "none" else 0
            zeros = np.zeros(max(1 << config.arc_bits, labels + native.LABEL_ROW_PADDING), np.float32)
            parser = native.Parser(
                shape, zeros[: 1 << config.arc_bits], zeros[: labels + native.LABEL_ROW_PADDING]
            )
        scores = parser.arc_scores(sentence).reshape(len(sentence) + 1, -1)
        possible.append(_has_tree(scores, heads, config))
    return possible


def _has_tree(scores: npt.NDArray[np.float64], heads: Heads, config: ParserConfig) -> bool:
    from headwise.trees import ProjectiveTrees, SpanningTrees

    known = np.flatnonzero(heads >= 0)
    kept = scores[heads[known], known + 1]
    scores[:, known + 1] = -np.inf
    scores[heads[known], known + 1] = kept
    kind = ProjectiveTrees if config.projective else SpanningTrees
    try:
        kind(scores, single_root=config.single_root).argmax()
    except NoTreeError:
        return False
    return True
