"""Which labels are taken for which."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from headwise.evaluation.assessment import Assessment
from headwise.evaluation.protocols import Protocol


@dataclass(frozen=True, slots=True)
class Mixup:
    """Words of one gold label that have another label, and how many of them hang from the right head."""

    gold: str
    system: str
    words: int
    right_head: int


@dataclass(frozen=True, slots=True)
class Confusion:
    """The labels of aligned, counted words; the most frequent mix-up first."""

    protocol: Protocol
    words: int
    right: int
    """Words with the right label."""
    mixups: list[Mixup]

    def to_json(self) -> dict[str, Any]:
        return {
            "protocol": self.protocol.name,
            "words": self.words,
            "right": self.right,
            "mixups": [
                {"gold": m.gold, "system": m.system, "words": m.words, "right_head": m.right_head}
                for m in self.mixups
            ],
        }


def confusion_of(assessment: Assessment) -> Confusion:
    """The mix-ups of labels, as the protocol compares them. O(words) time."""
    labels, pairs = assessment.labels, assessment.alignment
    counted = assessment.counted[0][pairs.gold_word]
    gold = labels.gold[pairs.gold_word][counted]
    system = labels.system[pairs.system_word][counted]
    heads = assessment.head_right[pairs.gold_word][counted]
    wrong = gold != system
    kinds = list(zip(gold[wrong].tolist(), system[wrong].tolist(), strict=True))
    counts = Counter(kinds)
    with_head = Counter(kind for kind, right in zip(kinds, heads[wrong].tolist(), strict=True) if right)
    mixups = [
        Mixup(labels.values[one], labels.values[other], number, with_head[one, other])
        for (one, other), number in counts.items()
    ]
    return Confusion(
        assessment.protocol,
        words=len(gold),
        right=int(np.count_nonzero(~wrong)),
        mixups=sorted(mixups, key=lambda m: (-m.words, m.gold, m.system)),
    )
