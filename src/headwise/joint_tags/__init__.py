"""Tags and trees chosen together: those that a tagger and a parser find best with one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.joint_tags.config import JointTagsConfig
from headwise.lazy import offer

if TYPE_CHECKING:
    from headwise.joint_tags.choice import Choice
    from headwise.joint_tags.ways import TagChooser, tag_chooser

_HOMES = {
    "Choice": "headwise.joint_tags.choice",
    "TagChooser": "headwise.joint_tags.ways",
    "tag_chooser": "headwise.joint_tags.ways",
}
__all__ = ["Choice", "JointTagsConfig", "TagChooser", "tag_chooser"]
__getattr__, __dir__ = offer(__name__, _HOMES)
