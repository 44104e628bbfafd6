"""Climbing over tags: from those of the tagger to others that score more together with their tree.

A move gives a word another tag, and the words around it the tags that the tagger finds best with it; the
parser then finds the best tree for all of these. Every move from the tagger's tags is tried; those that gain
are joined, the best first, for as long as that gains more. As in Zhang, Lei, Barzilay, Jaakkola and Globerson
(2014, "Steps to excellence", 3.4), tags come from what was seen of the word, less those that are unlikely;
there a tree changes by a head at a time, and here at once to the best one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from headwise.joint_tags.candidates import Candidate, merged, parsed, ways_to_tag
from headwise.joint_tags.choice import Choice
from headwise.joint_tags.config import JointTagsConfig
from headwise.parser.parser import Parser
from headwise.tagging.tagger import Labels, Tagger
from headwise.treebank import Sentence


class Climbing:
    """For parsers of any kind."""

    def __init__(self, config: JointTagsConfig, tagger: Tagger, parser: Parser) -> None:
        self.config, self.tagger, self.parser = config, tagger, parser

    def choose(self, sentences: Sequence[Sentence], *, threads: int = 1) -> list[Choice]:
        ways = ways_to_tag(self.config, self.tagger, sentences, threads=threads)
        climbs = self._climbs(sentences, ways, threads)
        while steps := {i: labels for i, climb in climbs.items() if (labels := climb.next_labels())}:
            for i, candidate in self._parsed(sentences, steps, threads):
                climbs[i].consider(candidate)
        chosen = [climbs[i].best.labels if i in climbs else own[0].numbers for i, own in enumerate(ways)]
        tagged = self.tagger.with_labels(sentences, chosen, threads=threads)
        return [
            Choice(sentence, climbs[i].exact, climbs[i].best.parse) if i in climbs else Choice(sentence, True)
            for i, sentence in enumerate(tagged)
        ]

    def candidates(self, sentences: Sequence[Sentence], *, threads: int = 1) -> list[list[Candidate]]:
        """Of sentences that have a choice of tags: the tagger's tags and all single moves from there."""
        ways = ways_to_tag(self.config, self.tagger, sentences, threads=threads)
        ways = [own if len(own) > 1 else [] for own in ways]
        return parsed(self.tagger, self.parser, sentences, ways, threads=threads)

    def _climbs(
        self, sentences: Sequence[Sentence], ways: Sequence[Sequence[Labels]], threads: int
    ) -> dict[int, _Climb]:
        """Of the sentences that have a choice of tags, by their numbers."""
        unsure = [i for i, own in enumerate(ways) if len(own) > 1]
        own_sentences, own_ways = [sentences[i] for i in unsure], [ways[i] for i in unsure]
        found = parsed(self.tagger, self.parser, own_sentences, own_ways, threads=threads)
        weight = self.config.parser_weight
        return {i: _Climb(candidates, weight) for i, candidates in zip(unsure, found, strict=True)}

    def _parsed(
        self, sentences: Sequence[Sentence], steps: Mapping[int, tuple[int, ...]], threads: int
    ) -> Iterator[tuple[int, Candidate]]:
        """One way to tag each of some sentences, as a candidate."""
        owners, tried = [sentences[i] for i in steps], list(steps.values())
        scores = self.tagger.score_labels(owners, tried, threads=threads)
        ways = [[Labels(*way)] for way in zip(tried, scores, strict=True)]
        found = parsed(self.tagger, self.parser, owners, ways, threads=threads)
        return ((i, candidate) for i, (candidate,) in zip(steps, found, strict=True))


class _Climb:
    """Where the climb of one sentence is, and which moves are left."""

    def __init__(self, candidates: Sequence[Candidate], parser_weight: float) -> None:
        self._base, *moves = candidates
        self._weight = parser_weight
        self.best = self._base
        gaining = [move for move in moves if self._score(move) > self._score(self._base)]
        self._moves = sorted(gaining, key=lambda move: (-self._score(move), move.labels))
        self.exact = len(moves) == 1 and all(candidate.parse.exact for candidate in candidates)
        """Where there are two ways to tag a sentence, both were looked at."""
        if self._moves:
            self.best = self._moves.pop(0)

    def next_labels(self) -> tuple[int, ...] | None:
        """Tags to try next: those of the best candidate with one more of the moves that gain alone."""
        while self._moves:
            labels = merged(self._base, self.best, self._moves.pop(0))
            if labels is not None:
                return labels
        return None

    def consider(self, candidate: Candidate) -> None:
        """Take it, if it is better."""
        if self._score(candidate) > self._score(self.best):
            self.best = candidate

    def _score(self, candidate: Candidate) -> float:
        return candidate.score(self._weight)
