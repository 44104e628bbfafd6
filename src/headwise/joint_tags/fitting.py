"""How much a parser's score should count beside a tagger's: what makes the fewest mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from headwise.joint_tags.candidates import Candidate
from headwise.joint_tags.climbing import Climbing
from headwise.joint_tags.config import JointTagsConfig
from headwise.parser.parser import Parser
from headwise.tagging.tagger import Tagger
from headwise.treebank import Sentence

PARSER_WEIGHTS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)


def fitted(
    config: JointTagsConfig, tagger: Tagger, parser: Parser, gold: Sequence[Sentence], *, threads: int
) -> JointTagsConfig | None:
    """The configuration with a weight fitted on annotated sentences that neither model has seen.

    None where nothing is better than the tagger's own tags.
    """
    candidates = Climbing(config, tagger, parser).candidates(gold, threads=threads)
    costs = [
        (own, [mistakes(sentence, candidate) for candidate in own])
        for sentence, own in zip(gold, candidates, strict=True)
        if own
    ]

    def total(weight: float) -> int:
        return sum(own_costs[_best(own, weight)] for own, own_costs in costs)

    best = min(PARSER_WEIGHTS, key=total)
    return replace(config, parser_weight=best) if total(best) < total(0.0) else None


def _best(candidates: Sequence[Candidate], weight: float) -> int:
    return max(range(len(candidates)), key=lambda k: (candidates[k].score(weight), -k))


def mistakes(gold: Sentence, candidate: Candidate) -> int:
    """Words with a wrong tag, in any of its columns, and words with a wrong head."""
    found = candidate.parse.sentence
    right = zip(gold.upos, gold.xpos, gold.feats, strict=True)
    given = zip(found.upos, found.xpos, found.feats, strict=True)
    wrong_tags = sum(a != b for a, b in zip(right, given, strict=True))
    return wrong_tags + int((np.asarray(gold.heads) != candidate.parse.heads).sum())
