"""Tags and lemmas: parts of speech, language-specific tags, morphological features, and base forms."""

from headwise.tagging.accuracy import TagScores, tag_scores
from headwise.tagging.jackknife import jackknife, realistic_tags
from headwise.tagging.settings import TaggerSettings
from headwise.tagging.tagger import Tagger, TagSequence
from headwise.tagging.train import train_tagger

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
