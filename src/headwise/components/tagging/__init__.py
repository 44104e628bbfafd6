"""Tags and lemmas: parts of speech, language-specific tags, morphological features, and base forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer

if TYPE_CHECKING:
    from headwise.components.tagging.accuracy import TagScores as TagScores
    from headwise.components.tagging.accuracy import tag_scores as tag_scores
    from headwise.components.tagging.jackknifing import jackknife as jackknife
    from headwise.components.tagging.jackknifing import realistic_tags as realistic_tags
    from headwise.components.tagging.settings import TaggerSettings as TaggerSettings
    from headwise.components.tagging.tagger import Tagger as Tagger
    from headwise.components.tagging.tagger import TagSequence as TagSequence
    from headwise.components.tagging.train import train_tagger as train_tagger

_HOMES = {
    "TagScores": "headwise.components.tagging.accuracy",
    "TagSequence": "headwise.components.tagging.tagger",
    "Tagger": "headwise.components.tagging.tagger",
    "TaggerSettings": "headwise.components.tagging.settings",
    "jackknife": "headwise.components.tagging.jackknifing",
    "realistic_tags": "headwise.components.tagging.jackknifing",
    "tag_scores": "headwise.components.tagging.accuracy",
    "train_tagger": "headwise.components.tagging.train",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
