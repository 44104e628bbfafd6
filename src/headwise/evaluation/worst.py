"""The sentences with the most errors: where to look first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from headwise.evaluation.assessment import Assessment
from headwise.treebank import Sentence


@dataclass(frozen=True, slots=True)
class SentenceErrors:
    """A gold sentence, and how many of its counted words are wrong."""

    number: int
    """Which sentence of the gold file it is, from 1."""
    sentence: Sentence
    words: int
    wrong_heads: int
    wrong: int
    """Words with a wrong head or a wrong label."""

    @property
    def text(self) -> str:
        return self.sentence.text or " ".join(self.sentence.forms)

    def to_json(self) -> dict[str, Any]:
        return {
            "sentence": self.number,
            "sent_id": self.sentence.sent_id,
            "line": self.sentence.line,
            "words": self.words,
            "wrong_heads": self.wrong_heads,
            "wrong": self.wrong,
            "text": self.text,
        }


def worst_sentences(assessment: Assessment, most: int) -> list[SentenceErrors]:
    """At most so many sentences with errors: those with the most wrong words, the shorter of two first."""
    las, gold = assessment.las, assessment.gold
    sizes = len(gold.sentences)

    def per_sentence(chosen: np.ndarray) -> list[int]:
        return np.bincount(gold.sentence_of[chosen], minlength=sizes).tolist()  # type: ignore[no-any-return]

    words = per_sentence(las.gold_counted)
    wrong = per_sentence(las.gold_counted & ~las.right)
    heads = per_sentence(las.gold_counted & ~assessment.head_right)
    found = [
        SentenceErrors(i + 1, gold.sentences[i], words[i], heads[i], wrong[i])
        for i in range(sizes)
        if wrong[i]
    ]
    return sorted(found, key=lambda one: (-one.wrong, one.words, one.number))[:most]
