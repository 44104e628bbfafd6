"""What is chosen from: ways to tag a sentence, each with the tree that the parser finds for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from headwise.components.parser.parse import Parse
from headwise.components.parser.parser import Parser
from headwise.components.tagging.joint.config import JointTagsConfig
from headwise.components.tagging.joint.confusions import plausible
from headwise.components.tagging.tagger import Labels, Tagger
from headwise.treebank import Sentence

Sequences = Sequence[Sequence[Labels]]
ANY_MARGIN, EVERY = 1e6, 1000


@dataclass(frozen=True)
class Candidate:
    """Tags and a tree."""

    labels: tuple[int, ...]
    """The numbers of the tags, as the tagger has them."""
    tag_score: float
    """The tagger's score of the tags."""
    parse: Parse
    """The best tree of the sentence with these tags."""

    def score(self, parser_weight: float) -> float:
        """Of tags and tree together."""
        return self.tag_score + parser_weight * self.parse.score

    def changes(self, other: Candidate) -> list[int]:
        """The words, from 0, whose tags are others."""
        return [i for i, (a, b) in enumerate(zip(self.labels, other.labels, strict=True)) if a != b]


def ways_to_tag(
    config: JointTagsConfig, tagger: Tagger, sentences: Sequence[Sentence], *, threads: int
) -> list[list[Labels]]:
    """The tagger's tags of each sentence, and detours from there."""
    if config.confusions is None:
        return tagger.detours(sentences, margin=config.margin, most=config.most, threads=threads)
    every = tagger.detours(sentences, margin=ANY_MARGIN, most=EVERY, threads=threads)
    return [plausible(ways, config.confusions)[: config.most + 1] for ways in every]


def parsed(
    tagger: Tagger, parser: Parser, sentences: Sequence[Sentence], ways: Sequences, *, threads: int
) -> list[list[Candidate]]:
    """For each sentence its candidates: the ways to tag it, parsed."""
    repeated = [sentence for sentence, own in zip(sentences, ways, strict=True) for _ in own]
    flat = [way for own in ways for way in own]
    tagged = tagger.with_labels(repeated, [way.numbers for way in flat], threads=threads)
    found = parser.pipe(tagged, threads=threads) if tagged else iter(())
    candidates = (Candidate(way.numbers, way.score, parse) for way, parse in zip(flat, found, strict=True))
    return [[next(candidates) for _ in own] for own in ways]


def merged(base: Candidate, first: Candidate, second: Candidate) -> tuple[int, ...] | None:
    """The tags of ``base`` with the changes of both others; None where both change the same word."""
    changed, also = first.changes(base), second.changes(base)
    if set(changed) & set(also):
        return None
    labels = list(first.labels)
    for word in also:
        labels[word] = second.labels[word]
    return tuple(labels)
