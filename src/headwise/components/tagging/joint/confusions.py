"""Which tags are considered in place of another: those that the tagger takes for it.

The rule of Zhang, Lei, Barzilay, Jaakkola and Globerson (2014, "Steps to excellence", 3.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from headwise.components.tagging.tagger import Labels
from headwise.treebank import Sentence

SHARE = 0.003
"""α of the paper."""
Tag = tuple[str, str, str]


def confusions(
    gold: Sequence[Sentence], predicted: Sequence[Sentence], tags: Sequence[Sequence[str]]
) -> list[list[int]]:
    """For each tag that may be predicted those that are considered, by their numbers in ``tags``.

    Let c(t, p) be how often the tag is t where p is predicted. Those with c(t, p) < α · c(p, p) are left out.
    An empty list: p was never right, and nothing is left out.
    """
    numbers = {(upos, xpos, feats): number for number, (upos, xpos, feats) in enumerate(tags)}
    counts: Counter[tuple[Tag, Tag]] = Counter()
    for right, given in zip(gold, predicted, strict=True):
        counts.update(zip(_tags(right), _tags(given), strict=True))
    found: list[list[int]] = [[] for _ in tags]
    for (true, taken_for), count in counts.items():
        often = counts[taken_for, taken_for]
        if often and count >= SHARE * often and true in numbers and taken_for in numbers:
            found[numbers[taken_for]].append(numbers[true])
    return [sorted(own) for own in found]


def plausible(ways: Sequence[Labels], confused: Sequence[Sequence[int]]) -> list[Labels]:
    """The best way to tag a sentence, and others whose tags are all considered in place of the best ones."""
    best, *others = ways

    def is_plausible(way: Labels) -> bool:
        pairs = zip(best.numbers, way.numbers, strict=True)
        return all(tag == first or not confused[first] or tag in confused[first] for first, tag in pairs)

    return [best, *filter(is_plausible, others)]


def _tags(sentence: Sentence) -> Iterator[Tag]:
    return zip(sentence.upos, sentence.xpos, sentence.feats, strict=True)
