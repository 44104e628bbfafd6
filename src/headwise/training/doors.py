"""What ``Parser.train`` and ``Pipeline.train`` do: settings from single options, then training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from headwise.components.parser import Parser
from headwise.learning import Listener
from headwise.learning.choices import EXACT_JOINT_TAGS
from headwise.pipeline import Pipeline
from headwise.training.default_preset import settings_for
from headwise.training.pipeline_steps.run import Choices
from headwise.training.pipeline_training import train_pipeline
from headwise.training.settings import TrainingSettings
from headwise.training.train import Source, load_sentences, train_parser


def _settled(
    train: Source,
    settings: TrainingSettings | None,
    listener: Listener | None,
    options: dict[str, Any],
    *,
    features_alone: bool = False,
) -> tuple[Source, TrainingSettings, Listener]:
    """Settings, or those that single options make: the default preset depends on the treebank."""
    listener = listener or Listener()
    if settings is None:
        train = load_sentences(train)
        return train, settings_for(train, listener, features_alone=features_alone, **options), listener
    if options:
        raise TypeError("give either settings or single options, not both")
    return train, settings, listener


def trained_parser(
    train: Source,
    dev: Source | None,
    settings: TrainingSettings | None,
    listener: Listener | None,
    options: dict[str, Any],
) -> Parser:
    train, settings, listener = _settled(train, settings, listener, options)
    return train_parser(train, dev, settings, listener=listener)


def trained_pipeline(
    train: Source,
    dev: Source | None,
    settings: TrainingSettings | None,
    listener: Listener | None,
    options: dict[str, Any],
    *,
    model_path: str | Path | None,
    resume: bool,
    **choices: Any,
) -> Pipeline:
    chosen = Choices(**choices)
    exact = chosen.joint_tags in EXACT_JOINT_TAGS
    train, settings, listener = _settled(train, settings, listener, options, features_alone=exact)
    return train_pipeline(
        train, dev, settings, chosen, listener=listener, model_path=model_path, resume=resume
    )
