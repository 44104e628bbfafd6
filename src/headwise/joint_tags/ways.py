"""The ways to choose tags together with trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from headwise.joint_tags.choice import Choice
from headwise.joint_tags.climbing import Climbing
from headwise.joint_tags.config import JointTagsConfig
from headwise.joint_tags.exact import Agreement, Senses
from headwise.learning.choices import JointTags
from headwise.parser.parser import Parser
from headwise.tagging.tagger import Tagger
from headwise.treebank import Sentence


class TagChooser(Protocol):
    """Chooses tags for sentences."""

    def choose(self, sentences: Sequence[Sentence], *, threads: int = 1) -> list[Choice]:
        """Each sentence with its tags. The result does not depend on ``threads``."""
        ...


WAYS: dict[JointTags, Callable[[JointTagsConfig, Tagger, Parser], TagChooser]] = {
    "climb": Climbing,
    "senses": Senses,
    "agree": Agreement,
}


def tag_chooser(config: JointTagsConfig, tagger: Tagger, parser: Parser) -> TagChooser:
    """What a configuration asks for."""
    return WAYS[config.way](config, tagger, parser)
