"""What a system got right, word by word. Every score, table and test is a count over these verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from headwise.evaluation.alignment import Alignment
from headwise.evaluation.protocols import Protocol, is_punctuation
from headwise.evaluation.score import Score
from headwise.evaluation.universal import is_content, is_universal, without_subtype
from headwise.evaluation.words import BoolArray, Column, IntArray, Words


@dataclass(frozen=True, slots=True)
class Measure:
    """One question asked of every word: which words count, and which of them are right."""

    right: BoolArray
    """Over gold words; a word that does not count may be True."""
    gold_counted: BoolArray
    """Over gold words."""
    system_counted: BoolArray
    """Over system words."""


@dataclass(frozen=True)
class Assessment:
    """A system's file held against the gold file under a protocol."""

    protocol: Protocol
    gold: Words
    system: Words
    alignment: Alignment

    @cached_property
    def labels(self) -> Column:
        canonical = None if self.protocol.compares_subtypes else without_subtype
        return Column.of(self.gold, self.system, "labels", canonical)

    @cached_property
    def head_right(self) -> BoolArray:
        """The gold words whose counterpart's head is the counterpart of their head."""
        pairs = self.alignment
        found = pairs.gold_of_system[self.system.heads[pairs.system_word]]
        return pairs.spread(found == self.gold.heads[pairs.gold_word])

    @cached_property
    def label_right(self) -> BoolArray:
        return self.equal(self.labels)

    def equal(self, column: Column) -> BoolArray:
        """The gold words whose counterpart has the same value."""
        pairs = self.alignment
        return pairs.spread(column.gold[pairs.gold_word] == column.system[pairs.system_word])

    @cached_property
    def counted(self) -> tuple[BoolArray, BoolArray]:
        """The gold words and the system words that the protocol scores."""
        if self.protocol.counts_punctuation:
            return np.ones(len(self.gold), np.bool_), np.ones(len(self.system), np.bool_)
        if tags := self.protocol.punctuation_tags:  # words are those of gold
            scored = ~np.isin(np.array(self.gold.column("xpos")), list(tags))
            return scored, scored
        gold, system = Column.of(self.gold, self.system, "forms").where(is_punctuation)
        return ~gold, ~system

    @cached_property
    def content(self) -> tuple[BoolArray, BoolArray]:
        """The counted words that have a content relation of UD."""
        gold, system = self.labels.where(is_content)
        return gold & self.counted[0], system & self.counted[1]

    @property
    def uas(self) -> Measure:
        return Measure(self.head_right, *self.counted)

    @property
    def las(self) -> Measure:
        return Measure(self.head_right & self.label_right, *self.counted)

    @property
    def label_accuracy(self) -> Measure:
        return Measure(self.label_right, *self.counted)

    @property
    def clas(self) -> Measure | None:
        """None where gold labels are not UD's: a `conj` elsewhere need not be what UD calls `conj`."""
        if not self.protocol.aligns_words and not self.labels.where(is_universal)[0].all():
            return None
        return Measure(self.head_right & self.label_right, *self.content)

    def score(self, measure: Measure) -> Score:
        counted = measure.gold_counted
        return Score(
            correct=int(np.count_nonzero(measure.right & counted)),
            gold=int(np.count_nonzero(counted)),
            system=int(np.count_nonzero(measure.system_counted)),
            aligned=int(np.count_nonzero(self.alignment.aligned & counted)),
        )

    def whole_sentences(self, measure: Measure) -> Score:
        """Sentences all of whose counted words are right; sentences without counted words are left out."""
        right = self._per_sentence(measure.right & measure.gold_counted, self.gold)
        gold = self._per_sentence(measure.gold_counted, self.gold)
        system = self._per_sentence(measure.system_counted, self.system)
        here, there = self.alignment.gold_sentence, self.alignment.system_sentence
        perfect = (gold[here] > 0) & (right[here] == gold[here]) & (right[here] == system[there])
        return Score(
            correct=int(np.count_nonzero(perfect)),
            gold=int(np.count_nonzero(gold)),
            system=int(np.count_nonzero(system)),
        )

    @staticmethod
    def _per_sentence(chosen: BoolArray, file: Words) -> IntArray:
        return np.bincount(file.sentence_of[chosen], minlength=len(file.sentences))
