"""How tags are chosen together with trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from headwise.base.limits import of_core
from headwise.learning.choices import JointTags
from headwise.model.schema import Bits

PARSER_WEIGHT = 0.2
"""Where there is no development set to fit it on."""


@dataclass(frozen=True)
class JointTagsConfig:
    """Stored in the header of a pipeline's file."""

    way: JointTags = "climb"
    parser_weight: Annotated[float, of_core("joint_tags.parser_weight")] = PARSER_WEIGHT
    """How much the parser's score counts beside the tagger's."""
    margin: Annotated[float, of_core("joint_tags.margin")] = 0.35
    """Tags are considered that lower the tagger's score by at most this much; …"""
    most: Annotated[int, of_core("joint_tags.most")] = 4
    """… at most so many sequences of a sentence, beside the best."""
    confusions: list[list[int]] | None = None
    """With these, instead of the margin: for each tag those that it is taken for (`confusions.py`)."""
    bits: Bits | None = None
    """Of the table of weights of tags in trees; None: there are none, and the two models decide."""
