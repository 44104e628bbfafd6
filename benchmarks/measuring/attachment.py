"""Words with the right head, sentence by sentence, as the papers count: punctuation is left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from headwise.components.parser.parse import Parse
from headwise.evaluation import ProtocolName, SentenceCounts, assess, is_punctuation, permutation_test
from headwise.evaluation.comparison import sentence_counts
from headwise.treebank import Sentence

Flags = npt.NDArray[np.bool_]
Heads = npt.NDArray[np.int32]


def counts_of(gold: Sequence[Sentence], is_right: Iterable[Flags]) -> SentenceCounts:
    """What is right, sentence by sentence, of words that are not all punctuation."""
    right, words = [], []
    for sentence, found in zip(gold, is_right, strict=True):
        counted = np.array([not is_punctuation(form) for form in sentence.forms])
        right.append(int(np.count_nonzero(found & counted)))
        words.append(int(np.count_nonzero(counted)))
    return SentenceCounts(np.array(right), np.array(words), np.array(words))


def attached(gold: Sequence[Sentence], trees: Iterable[Heads]) -> SentenceCounts:
    """The right heads of some trees."""
    return counts_of(gold, [heads == s.heads for heads, s in zip(trees, gold, strict=True)])


def uas(gold: Sequence[Sentence], trees: Iterable[Heads]) -> float:
    """In percent."""
    return percent(attached(gold, trees))


def uas_of(parses: Sequence[Parse]) -> float:
    """Of parses of sentences that have their heads."""
    return uas([parse.sentence for parse in parses], [parse.heads for parse in parses])


def percent(counts: SentenceCounts) -> float:
    """F1, which is accuracy where the words are given."""
    return 200 * float(counts.correct.sum()) / float(counts.gold.sum() + counts.system.sum())


def joined(parts: Sequence[SentenceCounts]) -> SentenceCounts:
    """The sentences of several treebanks, one after the other."""
    correct, gold, system = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("correct", "gold", "system")
    )
    return SentenceCounts(correct, gold, system)


def chance(first: SentenceCounts, second: SentenceCounts) -> str:
    """How likely the difference is by chance, by permutations."""
    return shown_chance(permutation_test(first, second).p_value)


def shown_chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def counts_of_parses(
    gold: Sequence[Sentence], parsed: Sequence[Sentence], protocol: ProtocolName
) -> dict[str, SentenceCounts]:
    """UAS and LAS under a protocol; some treebanks have several roots to a sentence."""
    assessment = assess(gold, parsed, protocol, multiple_roots=True)
    return {name: sentence_counts(assessment, getattr(assessment, name)) for name in ("uas", "las")}


def to_json(counts: SentenceCounts) -> list[list[int]]:
    return [counts.correct.tolist(), counts.gold.tolist(), counts.system.tolist()]


def read_counts(lists: list[list[int]]) -> SentenceCounts:
    return SentenceCounts(*map(np.array, lists))
