"""Climbing over tags: from those of the tagger to others that score more together with their tree.

A move gives a word another tag, and the words around it the tags that the tagger finds best with it; the
parser then finds the best tree for all of these. Every move from the tagger's tags is tried; those that gain
are joined, the best first, for as long as that gains more. As in Zhang, Lei, Barzilay, Jaakkola and Globerson
(2014, "Steps to excellence", 3.4), tags come from what was seen of the word, less those that are unlikely;
there a tree changes by a head at a time, and here at once to the best one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwise.components.parser.parser import Parser
from headwise.components.parser.tagged import Tagged
from headwise.components.tagging.joint.candidates import Candidate, merged, parsed, ways_to_tag
from headwise.components.tagging.joint.config import JointTagsConfig
from headwise.components.tagging.joint.features import TagNames, differences
from headwise.components.tagging.tagger import Labels, Tagger
from headwise.treebank import Sentence

Weights = npt.NDArray[np.float32]


class Climbing:
    """For parsers of any kind."""

    def __init__(
        self, config: JointTagsConfig, tagger: Tagger, parser: Parser, weights: Weights | None = None
    ) -> None:
        self.config, self.tagger, self.parser = config, tagger, parser
        self._gains = Gains(config, TagNames.of(tagger.config.tags), weights)

    def choose(self, sentences: Sequence[Sentence], *, threads: int = 1) -> list[Tagged]:
        ways = ways_to_tag(self.config, self.tagger, sentences, threads=threads)
        climbs = self._climbs(sentences, ways, threads)
        while steps := {i: labels for i, climb in climbs.items() if (labels := climb.next_labels())}:
            for i, candidate in self._parsed(sentences, steps, threads):
                climbs[i].consider(candidate)
        chosen = [climbs[i].best.labels if i in climbs else own[0].numbers for i, own in enumerate(ways)]
        tagged = self.tagger.with_labels(sentences, chosen, threads=threads)
        return [
            Tagged(sentence, climbs[i].exact, climbs[i].best.parse) if i in climbs else Tagged(sentence, True)
            for i, sentence in enumerate(tagged)
        ]

    def _climbs(
        self, sentences: Sequence[Sentence], ways: Sequence[Sequence[Labels]], threads: int
    ) -> dict[int, _Climb]:
        """Of the sentences that have a choice of tags, by their numbers."""
        unsure = [i for i, own in enumerate(ways) if len(own) > 1]
        own_sentences, own_ways = [sentences[i] for i in unsure], [ways[i] for i in unsure]
        found = parsed(self.tagger, self.parser, own_sentences, own_ways, threads=threads)
        return {i: _Climb(candidates, self._gains) for i, candidates in zip(unsure, found, strict=True)}

    def _parsed(
        self, sentences: Sequence[Sentence], steps: Mapping[int, tuple[int, ...]], threads: int
    ) -> Iterator[tuple[int, Candidate]]:
        """One way to tag each of some sentences, as a candidate."""
        owners, tried = [sentences[i] for i in steps], list(steps.values())
        scores = self.tagger.score_labels(owners, tried, threads=threads)
        ways = [[Labels(*way)] for way in zip(tried, scores, strict=True)]
        found = parsed(self.tagger, self.parser, owners, ways, threads=threads)
        return ((i, candidate) for i, (candidate,) in zip(steps, found, strict=True))


@dataclass(frozen=True)
class Gains:
    """By how much tags and tree score more together than others."""

    config: JointTagsConfig
    names: TagNames
    weights: Weights | None

    def over(self, base: Candidate, candidates: Sequence[Candidate]) -> list[float]:
        weight = self.config.parser_weight
        gains = [candidate.score(weight) - base.score(weight) for candidate in candidates]
        if self.weights is None or self.config.bits is None:
            return gains
        found = differences(base, candidates, self.names, self.config.bits)
        return [gain + own.score(self.weights) for gain, own in zip(gains, found, strict=True)]


class _Climb:
    """Where the climb of one sentence is, and which moves are left."""

    def __init__(self, candidates: Sequence[Candidate], gains: Gains) -> None:
        self._base, *moves = candidates
        self._gains = gains
        found = zip(gains.over(self._base, moves), moves, strict=True)
        self._moves = sorted(
            ((gain, move) for gain, move in found if gain > 0), key=lambda one: (-one[0], one[1].labels)
        )
        self.exact = len(moves) == 1 and all(candidate.parse.exact for candidate in candidates)
        """Where there are two ways to tag a sentence, both were looked at."""
        self._gain, self.best = self._moves.pop(0) if self._moves else (0.0, self._base)

    def next_labels(self) -> tuple[int, ...] | None:
        """Tags to try next: those of the best candidate with one more of the moves that gain alone."""
        while self._moves:
            _, move = self._moves.pop(0)
            labels = merged(self._base, self.best, move)
            if labels is not None:
                return labels
        return None

    def consider(self, candidate: Candidate) -> None:
        """Take it, if it is better."""
        (gain,) = self._gains.over(self._base, [candidate])
        if gain > self._gain:
            self.best, self._gain = candidate, gain
