"""Scores of bracketed trees, as EVALB gives them with Collins' parameters (COLLINS.prm).

Brackets of phrases are compared by label and span. The outermost bracket (TOP, ROOT) does not count. Words
tagged as punctuation are deleted before spans are counted; ADVP and PRT are the same; function tags do not
matter. Trees over different words count as an error and are left out, as EVALB leaves them out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from headwise.base.errors import HeadwiseError
from headwise.constituency.simplify import base_label, without_empty
from headwise.constituency.tree import Tree
from headwise.evaluation.significance import (
    PermutationTest,
    SentenceCounts,
    SignTest,
    permutation_test,
    sign_test,
)


class BracketEvaluationError(HeadwiseError):
    """Files of trees that cannot be compared."""


@dataclass(frozen=True)
class Parameters:
    """What counts; by default as in COLLINS.prm."""

    deleted_labels: frozenset[str] = frozenset({"TOP", "ROOT", "S1", "-NONE-", ""})
    """Brackets (and tags) that are left out."""
    deleted_tags: frozenset[str] = frozenset({",", ":", "``", "''", ".", '"'})
    """Words with these tags in gold are left out of spans."""
    same: tuple[frozenset[str], ...] = (frozenset({"ADVP", "PRT"}),)
    """Labels that count as one."""
    labels: bool = True
    """Whether labels must be right."""
    cutoff: int = 40
    """The second table is for sentences of at most so many words."""

    def label(self, label: str) -> str:
        if not self.labels:
            return "X"
        bare = base_label(label)
        for group in self.same:
            if bare in group:
                return min(group)
        return bare


COLLINS = Parameters()


@dataclass(frozen=True)
class TreeScore:
    """One sentence."""

    words: int
    matched: int
    gold: int
    system: int
    crossing: int
    """System brackets that cross a gold bracket."""
    right_tags: int
    tags: int
    """Words that count for tags: those that are not deleted."""
    is_error: bool = False
    """The trees have different words, and count for nothing."""

    @property
    def exact(self) -> bool:
        return self.matched == self.gold == self.system


@dataclass(frozen=True)
class BracketScores:
    """All sentences together; ratios are fractions of 1."""

    sentences: list[TreeScore] = field(repr=False)

    @property
    def valid(self) -> list[TreeScore]:
        return [score for score in self.sentences if not score.is_error]

    @property
    def errors(self) -> int:
        return len(self.sentences) - len(self.valid)

    def total(self, name: str) -> int:
        return sum(getattr(score, name) for score in self.valid)

    @property
    def precision(self) -> float:
        return _ratio(self.total("matched"), self.total("system"))

    @property
    def recall(self) -> float:
        return _ratio(self.total("matched"), self.total("gold"))

    @property
    def f1(self) -> float:
        return _ratio(2 * self.total("matched"), self.total("gold") + self.total("system"))

    @property
    def exact_match(self) -> float:
        return _ratio(sum(score.exact for score in self.valid), len(self.valid))

    @property
    def crossing(self) -> float:
        """Crossing brackets a sentence."""
        return _ratio(self.total("crossing"), len(self.valid))

    @property
    def no_crossing(self) -> float:
        """The share of sentences without crossing brackets."""
        return self.at_most_crossing(0)

    def at_most_crossing(self, most: int) -> float:
        return _ratio(sum(score.crossing <= most for score in self.valid), len(self.valid))

    @property
    def tag_accuracy(self) -> float:
        return _ratio(self.total("right_tags"), self.total("tags"))

    def up_to(self, words: int) -> BracketScores:
        """The scores of sentences of at most so many words."""
        return BracketScores([score for score in self.sentences if score.words <= words])

    def named(self) -> list[tuple[str, float]]:
        """Every score under the name that EVALB prints; per cent, but for crossing brackets a sentence."""
        return [
            ("Bracketing recall", 100 * self.recall),
            ("Bracketing precision", 100 * self.precision),
            ("Bracketing F1", 100 * self.f1),
            ("Complete match", 100 * self.exact_match),
            ("Average crossing", self.crossing),
            ("No crossing", 100 * self.no_crossing),
            ("2 or less crossing", 100 * self.at_most_crossing(2)),
            ("Tagging accuracy", 100 * self.tag_accuracy),
        ]


def score_tree(gold: Tree, system: Tree, parameters: Parameters = COLLINS) -> TreeScore:
    """Compare two trees of a sentence. O(brackets)."""
    gold_leaves, system_leaves = list(gold.leaves()), list(system.leaves())
    if [leaf.word for leaf in gold_leaves] != [leaf.word for leaf in system_leaves]:
        return TreeScore(len(gold_leaves), 0, 0, 0, 0, 0, 0, is_error=True)
    kept = [leaf.label not in parameters.deleted_tags for leaf in gold_leaves]
    gold_spans, system_spans = (_spans(tree, kept, parameters) for tree in (gold, system))
    matched = sum((Counter(gold_spans) & Counter(system_spans)).values())
    crossing = sum(any(_cross(span, other) for other in gold_spans) for span in system_spans)
    pairs = [
        (one.label, other.label)
        for one, other, keep in zip(gold_leaves, system_leaves, kept, strict=True)
        if keep
    ]
    return TreeScore(
        words=len(gold_leaves),
        matched=matched,
        gold=len(gold_spans),
        system=len(system_spans),
        crossing=crossing,
        right_tags=sum(one == other for one, other in pairs),
        tags=len(pairs),
    )


def score_trees(
    gold: Iterable[Tree], system: Iterable[Tree], parameters: Parameters = COLLINS
) -> BracketScores:
    """Compare two files of trees; there must be as many in both. Empty elements are left out of both."""
    golds, systems = list(gold), list(system)
    if not golds:
        raise BracketEvaluationError("there are no gold trees to compare with.")
    if len(golds) != len(systems):
        raise BracketEvaluationError(
            f"gold has {len(golds)} trees and the system {len(systems)}; compare trees of the same sentences."
        )
    scores = []
    for one, other in zip(golds, systems, strict=True):
        first, second = without_empty(one), without_empty(other)
        if first is None or second is None:
            scores.append(TreeScore(0, 0, 0, 0, 0, 0, 0, is_error=first is not second))
        else:
            scores.append(score_tree(first, second, parameters))
    return BracketScores(scores)


@dataclass(frozen=True)
class BracketComparison:
    """Two systems on the same gold trees: could chance explain the difference in F1?"""

    first: BracketScores
    second: BracketScores
    permutation: PermutationTest
    sign: SignTest


def compare_brackets(
    first: BracketScores, second: BracketScores, *, permutations: int = 10_000, seed: int = 1
) -> BracketComparison:
    """Paired tests over the sentences that both systems have trees of."""
    both = [
        (one, other)
        for one, other in zip(first.sentences, second.sentences, strict=True)
        if not one.is_error and not other.is_error
    ]

    def counts(scores: Sequence[TreeScore]) -> SentenceCounts:
        columns = [[getattr(score, name) for score in scores] for name in ("matched", "gold", "system")]
        return SentenceCounts(*(np.array(column, np.int64) for column in columns))

    pairs = counts([one for one, _ in both]), counts([other for _, other in both])
    return BracketComparison(
        first, second, permutation_test(*pairs, permutations=permutations, seed=seed), sign_test(*pairs)
    )


def _spans(tree: Tree, kept: Sequence[bool], parameters: Parameters) -> list[tuple[str, int, int]]:
    """Brackets over the words that count; those left without any are gone."""
    before = np.concatenate([[0], np.cumsum(kept)])
    spans = []
    for label, begin, end in tree.spans():
        if label in parameters.deleted_labels or before[begin] == before[end]:
            continue
        spans.append((parameters.label(label), int(before[begin]), int(before[end])))
    return spans


def _cross(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    _, a, b = one
    _, c, d = other
    return a < c < b < d or c < a < d < b


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
