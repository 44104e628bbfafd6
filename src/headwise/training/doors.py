"""What ``Parser.train`` and ``Pipeline.train`` do: settings from single options, then training."""

from __future__ import annotations

from typing import Any

from headwise.base.fields import fields_of
from headwise.components.parser import Parser
from headwise.learning import Listener
from headwise.pipeline import Pipeline
from headwise.training.default_preset import settings_for
from headwise.training.pipeline_settings import PipelineSettings
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
    how: PipelineSettings | None,
    listener: Listener | None,
    options: dict[str, Any],
    **states: Any,
) -> Pipeline:
    of_pipeline = {name: options.pop(name) for name in list(options) if name in OF_PIPELINE}
    how = (how or PipelineSettings()).changed(**of_pipeline)
    train, settings, listener = _settled(
        train, settings, listener, options, features_alone=how.features_alone
    )
    return train_pipeline(train, dev, settings, how, listener=listener, **states)


OF_PIPELINE = {name.partition(".")[0] for name in fields_of(PipelineSettings)}
"""Names of single options that are not of the parser."""
