"""The ways to choose tags together with trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from headwise.components.parser.parser import Parser
from headwise.components.parser.tagged import Tagged
from headwise.components.tagging.joint.climbing import Climbing, Weights
from headwise.components.tagging.joint.config import JointTagsConfig
from headwise.components.tagging.joint.exact import Agreement, Senses
from headwise.components.tagging.tagger import Tagger
from headwise.treebank import Sentence


class TagChooser(Protocol):
    """Chooses tags for sentences."""

    def choose(self, sentences: Sequence[Sentence], *, threads: int = 1) -> list[Tagged]:
        """Each sentence with its tags. The result does not depend on ``threads``."""
        ...


def tag_chooser(
    config: JointTagsConfig, tagger: Tagger, parser: Parser, weights: Weights | None = None
) -> TagChooser:
    """What a configuration asks for; ``weights`` are those of features, where it has any."""
    if config.way == "climb":
        return Climbing(config, tagger, parser, weights)
    return (Senses if config.way == "senses" else Agreement)(config, tagger, parser)
