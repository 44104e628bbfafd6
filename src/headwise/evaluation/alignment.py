"""Which system word is which gold word, when both files have the same words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

import numpy as np

from headwise.evaluation.words import ROOT, BoolArray, EvaluationError, IntArray, Words

NOT_ALIGNED = -2


@dataclass(frozen=True)
class Alignment:
    """Pairs of the same word, in text order: gold_word[k] is system_word[k]."""

    gold_word: IntArray
    system_word: IntArray
    gold_size: int
    system_size: int
    gold_sentence: IntArray
    """Pairs of sentences that cover the same text: gold_sentence[k] is system_sentence[k]."""
    system_sentence: IntArray
    sentence_of_system_word: IntArray
    """The gold sentence in which every system word begins."""

    @cached_property
    def gold_of_system(self) -> IntArray:
        """For every system word its gold word or NOT_ALIGNED; and, last, ROOT for ROOT."""
        table = np.full(self.system_size + 1, NOT_ALIGNED)
        table[self.system_word] = self.gold_word
        table[ROOT] = ROOT
        return table

    @cached_property
    def aligned(self) -> BoolArray:
        """The gold words that have a system word."""
        return self.spread(np.ones(len(self.gold_word), np.bool_))

    def spread(self, verdicts: BoolArray) -> BoolArray:
        """Verdicts on pairs as verdicts on gold words; a gold word without a pair is wrong."""
        table = np.zeros(self.gold_size, np.bool_)
        table[self.gold_word] = verdicts
        return table


def align_same_words(gold: Words, system: Words) -> Alignment:
    """Pair the words one to one; raises `EvaluationError` at the first difference."""
    if not np.array_equal(gold.lengths, system.lengths) or gold.forms != system.forms:
        raise EvaluationError(_first_difference(gold, system))
    words, sentences = np.arange(len(gold)), np.arange(len(gold.sentences))
    return Alignment(words, words, len(gold), len(system), sentences, sentences, gold.sentence_of)


def _first_difference(gold: Words, system: Words) -> str:
    remedy = "both files must have the same sentences and words (only the ud protocol aligns different ones)"
    for number, (one, other) in enumerate(zip_longest(gold.sentences, system.sentences)):
        if one is None or other is None:
            longer, shorter = (system, gold) if one is None else (gold, system)
            return (
                f"{shorter.name} ends after {len(shorter.sentences)} sentences, "
                f"{longer.name} has {len(longer.sentences)}: {remedy}"
            )
        for word, (form, system_form) in enumerate(zip_longest(one.forms, other.forms), start=1):
            if form != system_form:
                return (
                    f"{gold.sentence_place(number)} has {_shown(form)} as word {word}, "
                    f"but {system.sentence_place(number)} has {_shown(system_form)}: {remedy}"
                )
    raise AssertionError("called for files with the same words")


def _shown(form: str | None) -> str:
    return "nothing" if form is None else repr(form)
