"""Parses from the columns that the core fills: all words of a batch end to end, all sentences in a row."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.base.errors import ModelError
from headwise.components.parser.conditions import Conditions
from headwise.components.parser.parse import Parse
from headwise.treebank import Sentence

Columns = tuple[npt.NDArray[Any], ...]


class LabelNames:
    """The labels that a parser knows, by number and by name; -1 is one that it does not know."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._names = np.array([*labels, "_"], dtype=object)
        self._numbers = {name: number for number, name in enumerate(labels)}

    def names(self, numbers: npt.NDArray[np.int32]) -> list[str]:
        names: list[str] = self._names[numbers].tolist()
        return names

    def numbers(self, names: Sequence[str]) -> npt.NDArray[np.int32]:
        return np.array([self._numbers.get(name, -1) for name in names], dtype=np.int32)


def parses_of(
    batch: list[Sentence], columns: Columns, labels: LabelNames, conditions: Conditions
) -> list[Parse]:
    """What `native.Parser.parse` found."""
    heads, label_ids, scores, gaps, exact, limited = columns
    names = labels.names(label_ids)
    of_sentences = (
        scores.tolist(),
        exact.astype(bool).tolist(),
        limited.astype(bool).tolist(),
        gaps.tolist(),
    )
    return [
        _parse(sentence, heads[words], conditions.keep_labels(i, names[words]), *numbers)
        for i, (sentence, words, *numbers) in enumerate(
            zip(batch, _word_slices(batch), *of_sentences, strict=True)
        )
    ]


def judged_parses(
    batch: list[Sentence],
    columns: Columns,
    names: list[str],
    conditions: Conditions,
    *,
    exact: bool,
    labelled: bool,
) -> list[Parse]:
    """What `native.Parser.judge` found: parses with probabilities. ``names`` are the labels of all words."""
    heads, _, scores, arcs, label_probabilities, entropies, log_probs, limited = columns
    return [
        _parse(
            sentence,
            heads[words],
            conditions.keep_labels(i, names[words]),
            float(scores[i]),
            exact,
            bool(limited[i]),
            confidence=arcs[words],
            label_confidence=label_probabilities[words] if labelled else None,
            entropy=entropies[words],
            log_prob=float(log_probs[i]),
        )
        for i, (sentence, words) in enumerate(zip(batch, _word_slices(batch), strict=True))
    ]


def _parse(
    sentence: Sentence, heads: npt.NDArray[np.int32], labels: list[str], *numbers: Any, **known: Any
) -> Parse:
    """A parse. A sentence that came without a tree has this one, and not heads that nobody knows."""
    if not numbers[0] < math.inf:  # −∞ is the score of a tree that was given and is none of the model's
        raise ModelError(f"{sentence.source}: the model's weights are so large that trees have no scores.")
    if int(sentence.heads.max(initial=-1)) < 0:
        sentence = sentence.with_tree(heads, labels)
    return Parse(sentence, heads, labels, *numbers, **known)


def _word_slices(batch: Sequence[Sentence]) -> Iterator[slice]:
    """Where the words of each sentence lie when all are laid end to end."""
    begin = 0
    for sentence in batch:
        yield slice(begin, begin + len(sentence))
        begin += len(sentence)
