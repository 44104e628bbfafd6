"""Tags and trees chosen together: those that a tagger and a parser find best with one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer
from headwise.components.tagging.joint.config import JointTagsConfig

if TYPE_CHECKING:
    from headwise.components.tagging.joint.ways import TagChooser, tag_chooser

_HOMES = {
    "TagChooser": "headwise.components.tagging.joint.ways",
    "tag_chooser": "headwise.components.tagging.joint.ways",
}
__all__ = ["JointTagsConfig", "TagChooser", "tag_chooser"]
__getattr__, __dir__ = offer(__name__, _HOMES)
