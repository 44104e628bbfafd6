"""Learners: from gold trees to weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.lazy import offer

if TYPE_CHECKING:
    from headwise.learning.default_preset import settings_for as settings_for
    from headwise.learning.loop import DevScores as DevScores
    from headwise.learning.loop import EpochReport as EpochReport
    from headwise.learning.loop import Listener as Listener
    from headwise.learning.settings import TrainingSettings as TrainingSettings
    from headwise.learning.train import load_sentences as load_sentences
    from headwise.learning.train import train_parser as train_parser

_HOMES = {
    "DevScores": "headwise.learning.loop",
    "EpochReport": "headwise.learning.loop",
    "Listener": "headwise.learning.loop",
    "TrainingSettings": "headwise.learning.settings",
    "load_sentences": "headwise.learning.train",
    "settings_for": "headwise.learning.default_preset",
    "train_parser": "headwise.learning.train",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
