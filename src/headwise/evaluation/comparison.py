"""Two systems on the same gold file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headwise.evaluation.assessment import Assessment, Measure
from headwise.evaluation.protocols import Protocol
from headwise.evaluation.score import Score
from headwise.evaluation.significance import (
    PermutationTest,
    SentenceCounts,
    SignTest,
    permutation_test,
    sign_test,
)
from headwise.evaluation.words import BoolArray, IntArray

MEASURES: dict[str, Callable[[Assessment], Measure | None]] = {
    "UAS": lambda assessment: assessment.uas,
    "LAS": lambda assessment: assessment.las,
    "Label accuracy": lambda assessment: assessment.label_accuracy,
    "CLAS": lambda assessment: assessment.clas,
}


@dataclass(frozen=True, slots=True)
class MeasureComparison:
    """One measure of both systems, and how far chance would explain the difference."""

    name: str
    protocol: Protocol
    first: Score
    second: Score
    permutation: PermutationTest
    sign: SignTest


def compare_assessments(
    first: Assessment, second: Assessment, permutations: int, seed: int
) -> list[MeasureComparison]:
    """Compare two assessments of the same gold file in every measure that both have."""
    rows = []
    for name, choose in MEASURES.items():
        one, other = choose(first), choose(second)
        if one is None or other is None:
            continue
        counts = sentence_counts(first, one), sentence_counts(second, other)
        rows.append(
            MeasureComparison(
                name=name,
                protocol=first.protocol,
                first=first.score(one),
                second=second.score(other),
                permutation=permutation_test(*counts, permutations=permutations, seed=seed),
                sign=sign_test(*counts),
            )
        )
    return rows


def sentence_counts(assessment: Assessment, measure: Measure) -> SentenceCounts:
    """What a measure counts in every gold sentence."""
    sentences = len(assessment.gold.sentences)

    def count(sentence_of: IntArray, chosen: BoolArray) -> IntArray:
        return np.bincount(sentence_of[chosen], minlength=sentences)

    gold_sentence = assessment.gold.sentence_of
    return SentenceCounts(
        correct=count(gold_sentence, measure.right & measure.gold_counted),
        gold=count(gold_sentence, measure.gold_counted),
        system=count(assessment.alignment.sentence_of_system_word, measure.system_counted),
    )
