"""Tags and lemmas: parts of speech, language-specific tags, morphological features, and base forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer
from headwise.components.tagging.settings import TaggerSettings
from headwise.components.tagging.tagger import Tagger, TagSequence

if TYPE_CHECKING:
    from headwise.components.tagging.accuracy import TagScores, tag_scores
    from headwise.components.tagging.jackknifing import jackknife, realistic_tags
    from headwise.components.tagging.train import train_tagger

_HOMES = {
    "TagScores": "headwise.components.tagging.accuracy",
    "tag_scores": "headwise.components.tagging.accuracy",
    "jackknife": "headwise.components.tagging.jackknifing",
    "realistic_tags": "headwise.components.tagging.jackknifing",
    "train_tagger": "headwise.components.tagging.train",
}
__all__ = [
    "TagScores",
    "TagSequence",
    "Tagger",
    "TaggerSettings",
    "jackknife",
    "realistic_tags",
    "tag_scores",
    "train_tagger",
]
__getattr__, __dir__ = offer(__name__, _HOMES)
