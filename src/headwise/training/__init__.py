"""From treebanks to models: settings, the steps of a training run, and what each of them learns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headwise.base.lazy import offer

if TYPE_CHECKING:
    from headwise.training.default_preset import settings_for as settings_for
    from headwise.training.pipeline_settings import PipelineSettings as PipelineSettings
    from headwise.training.settings import TrainingSettings as TrainingSettings
    from headwise.training.train import load_sentences as load_sentences
    from headwise.training.train import train_parser as train_parser

_HOMES = {
    "PipelineSettings": "headwise.training.pipeline_settings",
    "TrainingSettings": "headwise.training.settings",
    "load_sentences": "headwise.training.train",
    "settings_for": "headwise.training.default_preset",
    "train_parser": "headwise.training.train",
}
__all__ = list(_HOMES)
__getattr__, __dir__ = offer(__name__, _HOMES)
