"""Tags and lemmas: parts of speech, language-specific tags, morphological features, and base forms."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    """Import what is for training when it is asked for: tagging does without, and starts sooner."""
    if name not in _HOMES:
        raise AttributeError(f"module 'headwise.tagging' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
