"""Scores of trees whose words have one of several tags.

Tags are the senses of words (Koo 2010, 5.5.3 and B.5.1): the score of a part depends on the tags of its
words. Features also look at the words around; these have the tagger's tags, whatever is chosen for them.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from headwise._native import trees as native
from headwise.components.parser.parser import Parser
from headwise.components.tagging.tagger import Labels, Tagger
from headwise.treebank import Sentence
from headwise.trees.factorizations import Factorization
from headwise.trees.senses import SenseTrees

Floats = npt.NDArray[np.float64]
Tag = tuple[int, int]
"""A word, from 1, and the number of one of its senses."""
Search = Callable[[Floats], tuple[float, list[int]]]
"""With prices for [word, sense]: the score of the best tree with senses, and its senses. NoTreeError where
there is none."""


@dataclass(frozen=True)
class SenseScores(ABC):
    """Of one sentence."""

    labels: list[list[int]]
    """The tags that each word may have, by their numbers; the tagger's comes first."""
    losses: Floats
    """[word, sense]: how much less the best sequence with the tag scores than the best of all, as a negative
    number; −inf where there is no such tag."""
    single_root: bool

    @abstractmethod
    def search(self, parser_weight: float) -> Search:
        """For the best trees, where the parser counts so much."""

    def chosen(self, senses: Sequence[int]) -> list[int]:
        """The tags of a choice of senses."""
        return [own[sense] for own, sense in zip(self.labels, senses, strict=True)]


def sense_scores(tagger: Tagger, parser: Parser, sentence: Sentence, ways: Sequence[Labels]) -> SenseScores:
    """``ways`` are the tagger's tags and detours from there, whose tags are considered."""
    labels, losses = _senses(ways)
    if parser.config.has_larger_parts:
        return PartSenseScores.of(tagger, parser, sentence, labels, losses)
    return ArcSenseScores.of(tagger, parser, sentence, labels, losses)


@dataclass(frozen=True)
class ArcSenseScores(SenseScores):
    """For parsers of arcs alone: each as the parser scores it where its two words alone have other tags."""

    arcs: Floats
    """[head, modifier, sense of the head, sense of the modifier]."""

    @classmethod
    def of(
        cls, tagger: Tagger, parser: Parser, sentence: Sentence, labels: list[list[int]], losses: Floats
    ) -> ArcSenseScores:
        arcs = _arcs(tagger, parser, sentence, labels)
        return cls(labels, losses, parser.config.single_root, arcs)

    def search(self, parser_weight: float) -> Search:
        with np.errstate(invalid="ignore"):
            arcs = np.where(self.arcs == -math.inf, -math.inf, parser_weight * self.arcs)

        def best(prices: Floats) -> tuple[float, list[int]]:
            found = SenseTrees(arcs, senses=prices, single_root=self.single_root).argmax()
            return found.score, np.asarray(found.tree.senses).tolist()

        return best


@dataclass(frozen=True)
class PartSenseScores(SenseScores):
    """For parsers of larger parts: over the arcs that survive pruning with the tags of their two words.

    Nodes are words with one of their tags, as in `headwise.trees.SensePartTrees`.
    """

    candidates: native.Candidates
    tables: dict[str, Floats]
    """Of arcs and larger parts, in the order of the candidates."""
    factorization: Factorization

    @classmethod
    def of(
        cls, tagger: Tagger, parser: Parser, sentence: Sentence, labels: list[list[int]], losses: Floats
    ) -> PartSenseScores:
        others = [(word, sense) for word, own in enumerate(labels, 1) for sense in range(1, len(own))]
        sequences = [_with(labels, change) for change in ((), *((tag,) for tag in others))]
        readings = tagger.with_labels([sentence] * len(sequences), sequences)
        candidates, tables = parser.sense_parts(readings, [word for word, _ in others])
        config = parser.config
        return cls(labels, losses, config.single_root, candidates, tables, config.factorization)

    def search(self, parser_weight: float) -> Search:
        parts = {name: parser_weight * table for name, table in self.tables.items()}
        arcs = parts.pop("arcs")
        counts = [1, *map(len, self.labels)]
        words = np.repeat(np.arange(len(counts)), counts)
        senses = np.concatenate([np.arange(count) for count in counts])
        modifiers = self.candidates.part_nodes("arcs")[:, 1]
        words, senses = words[modifiers], senses[modifiers]

        def best(prices: Floats) -> tuple[float, list[int]]:
            scores = native.Scores(labels=(arcs + prices[words, senses])[:, None], **parts)
            trees = native.distribution(self.factorization, scores, self.single_root, self.candidates)
            _, _, found, (score,) = native.argmax([trees], 1)
            return score, found.tolist()

        return best


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
