"""The keys that words are grouped by: sentence length, label, arc length, projective or crossing."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from headwise.evaluation.assessment import Assessment
from headwise.evaluation.breakdown import Key, KeyFunction
from headwise.evaluation.words import ROOT, IntArray, Words
from headwise.treebank import crossing_arcs

SENTENCE_LENGTHS = (1, 11, 21, 31, 41, 51)
ARC_LENGTHS = (1, 2, 3, 7, 11, 21)


def by_sentence_length(assessment: Assessment) -> Key:
    """Words by the number of words in their gold sentence."""
    lengths = assessment.gold.lengths
    gold = lengths[assessment.gold.sentence_of]
    system = lengths[assessment.alignment.sentence_of_system_word]
    return Key(_bin(gold, SENTENCE_LENGTHS), _bin(system, SENTENCE_LENGTHS), _bin_names(SENTENCE_LENGTHS))


def by_label(assessment: Assessment) -> Key:
    """Words by their label, the most frequent in gold first."""
    labels = assessment.labels
    frequency = np.bincount(labels.gold, minlength=len(labels.values))
    order = sorted(range(len(labels.values)), key=lambda code: (-frequency[code], labels.values[code]))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return Key(rank[labels.gold], rank[labels.system], [labels.values[code] for code in order])


def by_arc_length(assessment: Assessment) -> Key:
    """Words by the distance to their head, in words; words attached to the root apart."""

    def lengths(file: Words) -> IntArray:
        distance = np.abs(np.arange(len(file)) - file.heads)
        return np.where(file.heads == ROOT, 0, 1 + _bin(distance, ARC_LENGTHS))

    return Key(lengths(assessment.gold), lengths(assessment.system), ["root", *_bin_names(ARC_LENGTHS)])


def by_projectivity(assessment: Assessment) -> Key:
    """Words by whether the arc to their head crosses another arc of the same tree."""

    def crossing(file: Words) -> IntArray:
        crosses = np.zeros(len(file), np.int64)
        for start, sentence in zip(file.starts.tolist(), file.sentences, strict=True):
            for word in crossing_arcs(sentence.heads):
                crosses[start + word - 1] = 1
        return crosses

    return Key(crossing(assessment.gold), crossing(assessment.system), ["projective", "crossing"])


KEYS: dict[str, KeyFunction] = {
    "length": by_sentence_length,
    "label": by_label,
    "arc-length": by_arc_length,
    "projectivity": by_projectivity,
}


def _bin(values: IntArray, firsts: tuple[int, ...]) -> IntArray:
    """The bin of every value, where bin i begins at firsts[i]."""
    return np.searchsorted(firsts, values, side="right") - 1


def _bin_names(firsts: tuple[int, ...]) -> list[str]:
    names = [
        f"{first}" if first + 1 == following else f"{first}–{following - 1}"
        for first, following in pairwise(firsts)
    ]
    return [*names, f"{firsts[-1]}+"]
