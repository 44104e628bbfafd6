"""How much a tagger listens to a network."""

from __future__ import annotations

from collections.abc import Sequence

from headwise.components.parser.parser import Parser
from headwise.components.tagging.accuracy import TagScores, tag_scores
from headwise.components.tagging.tagger import Tagger
from headwise.learning.loop import Listener
from headwise.treebank import Sentence

DEFAULT = 0.4
"""Without a development set; a mistake costs 1 where margins are learned."""
WEIGHTS = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
"""Those that are tried on one."""


def with_network_opinion(
    tagger: Tagger, reader: Parser, dev: Sequence[Sentence], *, threads: int = 1, listener: Listener
) -> Tagger:
    """The tagger with the network of a parser beside its features, where ``dev`` likes that."""
    if not dev:
        return tagger.with_network(reader, DEFAULT)
    scores: dict[float | None, TagScores] = {None: tag_scores(dev, tagger.pipe(dev, threads=threads))}
    for weight in WEIGHTS:
        scores[weight] = tag_scores(dev, tagger.with_network(reader, weight).pipe(dev, threads=threads))
        listener.message(f"tags with a network of weight {weight:g}: {scores[weight]}")
    best = max(scores, key=lambda weight: scores[weight].selection)  # of equals the first
    if best is None:
        listener.message(f"tags are no better with the network: {scores[best]}")
        return tagger
    return tagger.with_network(reader, best)
