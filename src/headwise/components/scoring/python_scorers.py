"""Scorers that are written in Python: callables whose scores are added before trees are searched.

A scorer gets a batch of sentences and returns, for each, the scores of its arcs, ``scores[h, m]`` of shape
(n+1, n+1); or a pair of those and the scores of its labels, ``labels[h, m, label]`` in the order of
``parser.config.labels``; either may be None. −inf forbids an arc.

Examples:
    >>> def no_verb_under_a_noun(sentences):                                           # doctest: +SKIP
    ...     for sentence in sentences:
    ...         tags = ["ROOT", *sentence.upos]
    ...         yield np.array([[-np.inf if (h, m) == ("NOUN", "VERB") else 0.0 for m in tags] for h in tags])
    >>> parser.with_scorers(no_verb_under_a_noun)                                      # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.base.errors import HeadwiseError
from headwise.treebank import Sentence

Floats = npt.NDArray[np.float64]
PythonScorer = Callable[[Sequence[Sentence]], Iterable[Any]]


@dataclass
class Added:
    """What all scorers say of one sentence together."""

    arcs: Floats | None = None
    labels: Floats | None = None

    def add(self, name: str, sentence: Sentence, answer: Any, label_count: int) -> None:
        pair = answer if isinstance(answer, tuple) else (answer, None)
        if len(pair) != 2:
            raise HeadwiseError(
                f"the scorer {name} must return scores of arcs, or a pair of arcs and labels."
            )
        nodes = len(sentence) + 1
        arcs = _checked(name, sentence, pair[0], (nodes, nodes), "arcs")
        labels = _checked(name, sentence, pair[1], (nodes, nodes, label_count), "labels")
        if arcs is not None:
            self.arcs = arcs if self.arcs is None else self.arcs + arcs
        if labels is not None:
            self.labels = labels if self.labels is None else self.labels + labels


def ask(scorers: Sequence[PythonScorer], batch: Sequence[Sentence], label_count: int) -> list[Added]:
    """What the scorers say of each sentence of a batch."""
    added = [Added() for _ in batch]
    for scorer in scorers:
        name = getattr(scorer, "__name__", type(scorer).__name__)
        answers = list(scorer(batch))
        if len(answers) != len(batch):
            raise HeadwiseError(
                f"the scorer {name} returned {len(answers)} answers for {len(batch)} sentences."
            )
        for own, sentence, answer in zip(added, batch, answers, strict=True):
            own.add(name, sentence, answer, label_count)
    return added


def _checked(name: str, sentence: Sentence, scores: Any, shape: tuple[int, ...], what: str) -> Floats | None:
    if scores is None:
        return None
    array = np.ascontiguousarray(scores, dtype=np.float64)
    if array.shape != shape:
        raise HeadwiseError(
            f"{sentence.source}: the scorer {name} returned {what} of shape {array.shape}, must be {shape}."
        )
    usable = array < np.inf if what == "arcs" else np.isfinite(array)  # arcs may be forbidden, labels may not
    if not usable.all():
        raise HeadwiseError(
            f"{sentence.source}: the scorer {name} returned {what} that are not numbers, or infinite."
        )
    return array
