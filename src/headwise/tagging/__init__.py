"""Tags and lemmas: parts of speech, language-specific tags, morphological features, and base forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.lazy import offer
from headwise.tagging.settings import TaggerSettings
from headwise.tagging.tagger import Tagger, TagSequence

if TYPE_CHECKING:
    from headwise.tagging.accuracy import TagScores, tag_scores
    from headwise.tagging.jackknifing import jackknife, realistic_tags
    from headwise.tagging.train import train_tagger

_HOMES = {
    "TagScores": "headwise.tagging.accuracy",
    "tag_scores": "headwise.tagging.accuracy",
    "jackknife": "headwise.tagging.jackknifing",
    "realistic_tags": "headwise.tagging.jackknifing",
    "train_tagger": "headwise.tagging.train",
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
