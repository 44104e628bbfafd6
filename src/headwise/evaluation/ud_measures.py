"""The CoNLL 2018 measures beyond attachment: segmentation, tags, lemmas, MLAS and BLEX."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from headwise.evaluation.assessment import Assessment, Measure
from headwise.evaluation.score import Score
from headwise.evaluation.ud_text import Spans, TextLayout
from headwise.evaluation.universal import is_functional, universal_features
from headwise.evaluation.words import ROOT, BoolArray, Column


def segmentation(gold: Spans, system: Spans) -> Score:
    """How many spans are in both files: the score of tokens and of sentences."""
    return Score(correct=len(gold.common(system)[0]), gold=len(gold), system=len(system))


@dataclass(frozen=True)
class UniversalAssessment(Assessment):
    """A assessment with everything the CoNLL 2018 scorer looks at."""

    gold_text: TextLayout
    system_text: TextLayout

    @cached_property
    def upos_right(self) -> BoolArray:
        return self.equal(Column.of(self.gold, self.system, "upos"))

    @cached_property
    def xpos_right(self) -> BoolArray:
        return self.equal(Column.of(self.gold, self.system, "xpos"))

    @cached_property
    def feats_right(self) -> BoolArray:
        return self.equal(Column.of(self.gold, self.system, "feats", universal_features))

    @cached_property
    def lemma_right(self) -> BoolArray:
        """A word whose gold lemma is `_` is right whatever the system says, as long as it is aligned."""
        lemmas = Column.of(self.gold, self.system, "lemmas")
        unknown = lemmas.where(lambda lemma: lemma == "_")[0]
        return self.equal(lemmas) | (unknown & self.alignment.aligned)

    @cached_property
    def functional_children_right(self) -> BoolArray:
        """The gold words that have the same function words as their counterpart, with the same relation,
        UPOS and universal features.

        Alignments never cross, so it is enough that as many function words agree as each side has.
        """
        gold_functional, system_functional = self.labels.where(is_functional)
        agree = gold_functional & self.head_right & self.label_right & self.upos_right & self.feats_right
        gold_heads, system_heads, pairs = self.gold.heads, self.system.heads, self.alignment

        def children(heads: np.ndarray, chosen: BoolArray) -> np.ndarray:
            return np.bincount(heads[chosen & (heads != ROOT)], minlength=len(heads))

        expected = children(gold_heads, gold_functional)[pairs.gold_word]
        agreeing = children(gold_heads, agree)[pairs.gold_word]
        found = children(system_heads, system_functional)[pairs.system_word]
        return pairs.spread((agreeing == expected) & (agreeing == found))

    def words(self) -> Score:
        """Words that could be aligned."""
        return Score(correct=len(self.alignment.gold_word), gold=len(self.gold), system=len(self.system))

    @property
    def upos(self) -> Measure:
        return Measure(self.upos_right, *self.counted)

    @property
    def xpos(self) -> Measure:
        return Measure(self.xpos_right, *self.counted)

    @property
    def ufeats(self) -> Measure:
        return Measure(self.feats_right, *self.counted)

    @property
    def all_tags(self) -> Measure:
        return Measure(self.upos_right & self.xpos_right & self.feats_right, *self.counted)

    @property
    def lemmas(self) -> Measure:
        return Measure(self.lemma_right, *self.counted)

    @property
    def mlas(self) -> Measure:
        """LAS of content words whose tags and function words are right too."""
        attached = self.head_right & self.label_right
        return Measure(
            attached & self.upos_right & self.feats_right & self.functional_children_right, *self.content
        )

    @property
    def blex(self) -> Measure:
        """LAS of content words whose lemma is right too."""
        return Measure(self.head_right & self.label_right & self.lemma_right, *self.content)
