"""Scores of trees whose words have one of several tags, arc by arc.

Tags are the senses of words (Koo 2010, 5.5.3 and B.5.1): the score of an arc depends on the tags of its two
words. Features also look at the words around; these have the tagger's tags, whatever is chosen for them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from headwise.parser.parser import Parser
from headwise.tagging.tagger import Labels, Tagger
from headwise.treebank import Sentence
from headwise.trees.senses import SenseTrees

Floats = npt.NDArray[np.float64]
Tag = tuple[int, int]
"""A word, from 1, and the number of one of its senses."""


@dataclass(frozen=True)
class SenseScores:
    """Of one sentence."""

    labels: list[list[int]]
    """The tags that each word may have, by their numbers; the tagger's comes first."""
    losses: Floats
    """[word, sense]: how much less the best sequence with the tag scores than the best of all, as a negative
    number; −inf where there is no such tag."""
    arcs: Floats
    """[head, modifier, sense of the head, sense of the modifier]."""
    single_root: bool

    @classmethod
    def of(cls, tagger: Tagger, parser: Parser, sentence: Sentence, ways: Sequence[Labels]) -> SenseScores:
        """``ways`` are the tagger's tags and detours from there, whose tags are considered."""
        labels, losses = _senses(ways)
        arcs = _arcs(tagger, parser, sentence, labels)
        return cls(labels, losses, arcs, parser.config.single_root)

    def trees(self, parser_weight: float, prices: Floats) -> SenseTrees:
        """Their distribution, with prices for [word, sense]."""
        with np.errstate(invalid="ignore"):
            arcs = np.where(self.arcs == -math.inf, -math.inf, parser_weight * self.arcs)
        return SenseTrees(arcs, senses=prices, single_root=self.single_root)

    def chosen(self, senses: Sequence[int]) -> list[int]:
        """The tags of a choice of senses."""
        return [own[sense] for own, sense in zip(self.labels, senses, strict=True)]


def _senses(ways: Sequence[Labels]) -> tuple[list[list[int]], Floats]:
    """The tags of each word in some sequences, the best of which comes first."""
    best = ways[0]
    found: list[dict[int, float]] = [{label: 0.0} for label in best.numbers]
    for way in ways[1:]:  # the best first, so the first with a tag is the best with it
        for own, label in zip(found, way.numbers, strict=True):
            own.setdefault(label, way.score - best.score)
    losses = np.full((len(found) + 1, max(map(len, found))), -math.inf)
    losses[0] = 0.0
    for word, own in enumerate(found, 1):
        losses[word, : len(own)] = list(own.values())
    return [list(own) for own in found], losses


def _arcs(tagger: Tagger, parser: Parser, sentence: Sentence, labels: list[list[int]]) -> Floats:
    """Each arc as the parser scores it in the sentence in which its two words alone have other tags."""
    size, kinds = len(labels) + 1, max(map(len, labels))
    arcs = np.full((size, size, kinds, kinds), -math.inf)
    changes = list(_changes(labels))
    sequences = [_with(labels, change) for change in changes]
    tagged = tagger.with_labels([sentence] * len(sequences), sequences)
    for change, one in zip(changes, tagged, strict=True):
        scores = parser.arc_scores(one)
        if not change:
            arcs[:, :, 0, 0] = scores
        elif len(change) == 1:
            ((word, sense),) = change
            arcs[word, :, sense, 0], arcs[:, word, 0, sense] = scores[word], scores[:, word]
        else:
            (u, of_u), (v, of_v) = change
            arcs[u, v, of_u, of_v], arcs[v, u, of_v, of_u] = scores[u, v], scores[v, u]
    return arcs


def _changes(labels: list[list[int]]) -> Iterator[tuple[Tag, ...]]:
    """No change from the tagger's tags, those of one word, and those of two."""
    others = [(word, sense) for word, own in enumerate(labels, 1) for sense in range(1, len(own))]
    yield ()
    yield from ((tag,) for tag in others)
    yield from ((a, b) for a, b in combinations(others, 2) if a[0] != b[0])


def _with(labels: list[list[int]], change: tuple[Tag, ...]) -> list[int]:
    senses = dict(change)
    return [own[senses.get(word, 0)] for word, own in enumerate(labels, 1)]
