"""Settings that the development set chooses: a parser for each combination of values, and the best of them.

Koo's thesis (2010), 4.6.2, chooses C and the number of iterations so; Zhang et al. (2014, "Steps to
excellence", section 5) C and the number of epochs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from headwise.learning.loop import DevScores, Listener
from headwise.learning.settings import TrainingSettings
from headwise.learning.train import dev_scores, train_parser
from headwise.parser.parser import Parser
from headwise.treebank import Sentence


@dataclass(frozen=True)
class Trial:
    """A combination of values, and how well it does on the development set."""

    changes: dict[str, Any]
    scores: DevScores

    def __str__(self) -> str:
        values = (f"{name.replace('__', '.')} = {value}" for name, value in self.changes.items())
        return f"{', '.join(values)}: {self.scores}"


@dataclass(frozen=True)
class Tuned:
    """The parser of the best trial, and all of them."""

    parser: Parser
    best: Trial
    trials: list[Trial]


def tuned_parser(
    train: Iterable[Sentence],
    dev: Iterable[Sentence],
    settings: TrainingSettings,
    grid: Mapping[str, Sequence[Any]],
    *,
    listener: Listener | None = None,
) -> Tuned:
    """Train with every combination of the values of a grid, and keep what parses dev best.

    Names of settings are those of `TrainingSettings`, ``gradient__step`` for one of a group.
    """
    listener = listener or Listener()
    sentences, judges = list(train), list(dev)
    if not grid or not all(grid.values()):
        raise ValueError("a grid needs settings, and values for each of them")
    best: tuple[Parser, Trial] | None = None
    trials = []
    for values in product(*grid.values()):
        changes = dict(zip(grid, values, strict=True))
        parser = train_parser(sentences, judges, settings.changed(**changes), listener=listener)
        scores = dev_scores(parser, judges, settings.threads, parser.config.decoder)
        trial = Trial(changes, scores)
        listener.message(str(trial))
        trials.append(trial)
        if best is None or scores.selection > best[1].scores.selection:
            best = parser, trial
    assert best is not None
    listener.message(f"best: {best[1]}")
    return Tuned(*best, trials)


def parsed_grid(texts: Iterable[str]) -> dict[str, list[Any]]:
    """``NAME=VALUE,VALUE…`` as a grid; values are numbers where they look like some."""
    grid: dict[str, list[Any]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not name or not equals or not values:
            raise ValueError(f"{text!r} must be NAME=VALUE,VALUE…")
        grid[name.replace(".", "__").replace("-", "_")] = [_value(value) for value in values.split(",")]
    return grid


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
