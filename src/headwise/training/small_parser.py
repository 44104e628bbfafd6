"""A run that was interrupted before its parser was begun still ends with a model that parses."""

from __future__ import annotations

from headwise.training.settings import TrainingSettings

SMALL_PARSER = "interrupted: training a small parser for one epoch, so that there is a usable model"


def settings_of_small_parser(settings: TrainingSettings) -> TrainingSettings:
    """Those of a parser of arcs alone, after one epoch; of the others what can be kept."""
    return TrainingSettings.preset(
        "first",
        epochs=1,
        trees=settings.trees,
        root=settings.root,
        seed=settings.seed,
        threads=settings.threads,
        words=settings.words,
        calibrate=False,
    )
