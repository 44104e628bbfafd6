"""Scores by group: words are grouped by a key, and every group is scored by itself.

A key is one integer a word, for gold words and for system words apart, because some keys are the
annotation's (its label, its arc): recall is over the gold words of a group and precision over the system
words of it, as in McDonald and Nivre (2007), "Characterizing the errors of data-driven dependency parsing
models". Where both files agree on the key, precision and recall are the same number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from headwise.evaluation.assessment import Assessment, Measure
from headwise.evaluation.protocols import Protocol
from headwise.evaluation.words import IntArray


@dataclass(frozen=True, slots=True)
class Key:
    """The group of every word, as an index into `groups`."""

    gold: IntArray
    system: IntArray
    groups: Sequence[str]


KeyFunction = Callable[[Assessment], Key]


@dataclass(frozen=True, slots=True)
class GroupScore:
    """A measure within one group."""

    gold: int
    """Counted gold words of the group."""
    system: int
    """Counted system words of the group."""
    gold_correct: int
    """How many of the gold words are right."""
    system_correct: int
    """How many of the system words are right."""

    @property
    def precision(self) -> float:
        return self.system_correct / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        return self.gold_correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class Group:
    """One row of a table."""

    name: str
    uas: GroupScore
    las: GroupScore


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A table of scores by group; groups without a counted word in either file are left out."""

    by: str
    protocol: Protocol
    groups: list[Group]

    @property
    def same_groups(self) -> bool:
        """Whether both files agree on every group, so that precision is recall."""
        scores = [score for group in self.groups for score in (group.uas, group.las)]
        return all(
            score.gold == score.system and score.gold_correct == score.system_correct for score in scores
        )


def break_down(assessment: Assessment, by: str, key: KeyFunction) -> Breakdown:
    """The scores of every group of `key`, in the order of its groups. O(words) time."""
    keyed = key(assessment)
    uas, las = assessment.uas, assessment.las
    scores = (_score_groups(assessment, keyed, measure) for measure in (uas, las))
    rows = zip(keyed.groups, *scores, strict=True)
    return Breakdown(
        by=by,
        protocol=assessment.protocol,
        groups=[
            Group(name, uas_score, las_score)
            for name, uas_score, las_score in rows
            if uas_score.gold or uas_score.system
        ],
    )


def _score_groups(assessment: Assessment, key: Key, measure: Measure) -> list[GroupScore]:
    pairs = assessment.alignment
    system_right = np.zeros(len(assessment.system), np.bool_)
    system_right[pairs.system_word] = measure.right[pairs.gold_word]

    def count(keys: IntArray) -> list[int]:
        return [int(number) for number in np.bincount(keys, minlength=len(key.groups))]

    return list(
        map(
            GroupScore,
            count(key.gold[measure.gold_counted]),
            count(key.system[measure.system_counted]),
            count(key.gold[measure.gold_counted & measure.right]),
            count(key.system[measure.system_counted & system_right]),
        )
    )
