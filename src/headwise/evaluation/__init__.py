"""How good is a parse? Attachment scores, tables of errors and tests of significance.

Examples:
    >>> from headwise.evaluation import evaluate
    >>> scores = evaluate("gold.conllu", "system.conllu", protocol="ud")   # doctest: +SKIP
    >>> scores.las.f1                                                      # doctest: +SKIP
    0.8731

Files or sentences go in; every number that comes out carries its protocol (see `.protocols`).
"""

from __future__ import annotations

from typing import Literal, overload

from headwise.evaluation.assessing import Source, assess, assess_words, read_words
from headwise.evaluation.assessment import Assessment, Measure
from headwise.evaluation.breakdown import Breakdown, Group, GroupScore, Key, KeyFunction, break_down
from headwise.evaluation.comparison import MeasureComparison, compare_assessments
from headwise.evaluation.confusion import Confusion, Mixup, confusion_of
from headwise.evaluation.keys import KEYS
from headwise.evaluation.protocols import PROTOCOLS, Protocol, ProtocolName, is_punctuation
from headwise.evaluation.reliability import Bin, Reliability, reliability_of
from headwise.evaluation.score import Score
from headwise.evaluation.scores import Scores, UniversalScores, scores_of
from headwise.evaluation.significance import (
    PermutationTest,
    SentenceCounts,
    SignTest,
    permutation_test,
    sign_test,
)
from headwise.evaluation.words import EvaluationError
from headwise.evaluation.worst import SentenceErrors, worst_sentences

__all__ = [
    "KEYS",
    "PROTOCOLS",
    "Assessment",
    "Bin",
    "Breakdown",
    "Confusion",
    "EvaluationError",
    "Group",
    "GroupScore",
    "Key",
    "KeyFunction",
    "Measure",
    "MeasureComparison",
    "Mixup",
    "PermutationTest",
    "Protocol",
    "ProtocolName",
    "Reliability",
    "Score",
    "Scores",
    "SentenceCounts",
    "SentenceErrors",
    "SignTest",
    "UniversalScores",
    "assess",
    "break_down",
    "compare",
    "confusion_of",
    "evaluate",
    "is_punctuation",
    "permutation_test",
    "reliability_of",
    "sign_test",
    "worst_sentences",
]


@overload
def evaluate(
    gold: Source, system: Source, protocol: Literal["ud"] = "ud", *, multiple_roots: bool = False
) -> UniversalScores: ...
@overload
def evaluate(
    gold: Source, system: Source, protocol: ProtocolName, *, multiple_roots: bool = False
) -> Scores: ...
def evaluate(
    gold: Source, system: Source, protocol: ProtocolName = "ud", *, multiple_roots: bool = False
) -> Scores:
    """Score `system` against `gold`.

    Under `ud` the result is a `UniversalScores`: the table of the CoNLL 2018 scorer and more.
    Raises `EvaluationError` where the files cannot be compared. For tables of errors,
    `assess` the files and `break_down` the result. O(words) time.
    """
    return scores_of(assess(gold, system, protocol, multiple_roots=multiple_roots))


def compare(
    gold: Source,
    first: Source,
    second: Source,
    protocol: ProtocolName = "ud",
    *,
    permutations: int = 10_000,
    seed: int = 1,
    multiple_roots: bool = False,
) -> list[MeasureComparison]:
    """Compare two systems on the same gold file, by `permutation_test` and `sign_test`.

    One comparison for each of UAS, LAS, label accuracy and (where labels are UD's) CLAS.
    """
    gold_words = read_words(gold, "gold")
    one = assess_words(gold_words, read_words(first, "first system"), protocol, multiple_roots=multiple_roots)
    other = assess_words(
        gold_words, read_words(second, "second system"), protocol, multiple_roots=multiple_roots
    )
    return compare_assessments(one, other, permutations=permutations, seed=seed)
