"""Settings that the development set chooses: a parser for each combination of values, and the best of them.

Koo's thesis (2010), 4.6.2, chooses C and the number of iterations so; Zhang et al. (2014, "Steps to
excellence", section 5) C and the number of epochs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from headwise.base.fields import Setting, fields_of, from_text, in_words
from headwise.components.parser.parser import Parser
from headwise.learning.loop import DevScores, Listener
from headwise.training.settings import MAIN, TrainingSettings
from headwise.training.train import dev_scores, train_parser
from headwise.treebank import Sentence


@dataclass(frozen=True)
class Trial:
    """A combination of values, and how well it does on the development set."""

    changes: dict[str, Any]
    scores: DevScores

    def __str__(self) -> str:
        values = (f"{_shown(name)} = {value}" for name, value in self.changes.items())
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
    """Train with every combination of the values of a grid that differs, and keep what parses dev best.

    Names of settings are those of `TrainingSettings`, ``gradient__step`` for one of a group.
    """
    listener = listener or Listener()
    sentences, judges = list(train), list(dev)
    check_grid(grid, settings)
    best: tuple[Parser, Trial] | None = None
    trials = []
    for changes in distinct_trials(grid, settings):
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


def check_grid(grid: Mapping[str, Sequence[Any]], settings: TrainingSettings) -> None:
    """ValueError where a trial would fail, or where values of a setting would all train the same parser."""
    if not grid or not all(grid.values()):
        raise ValueError("a grid needs settings, and values for each of them")
    for name, values in grid.items():
        for i, value in enumerate(values):
            if value in values[:i]:
                raise ValueError(f"{_shown(name)} is to be {value} twice")
    trials = [settings.changed(**changes) for changes in _combinations(grid)]
    for name in grid:
        reasons = [trial.without_effect(name) for trial in trials]
        if all(reasons):
            raise ValueError(f"{_shown(name)} has no effect here: {reasons[0]}")


def _combinations(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def distinct_trials(grid: Mapping[str, Sequence[Any]], settings: TrainingSettings) -> list[dict[str, Any]]:
    """The combinations, each without what has no effect in it, and none twice."""
    found: list[dict[str, Any]] = []
    for changes in _combinations(grid):
        trial = settings.changed(**changes)
        own = {name: value for name, value in changes.items() if not trial.without_effect(name)}
        if own not in found:
            found.append(own)
    return found


def parsed_grid(texts: Iterable[str]) -> dict[str, list[Any]]:
    """``NAME=VALUE,VALUE…`` as a grid; values are of the type of their setting."""
    grid: dict[str, list[Any]] = {}
    for text in texts:
        typed, equals, values = text.partition("=")
        if not typed or not equals or not values:
            raise ValueError(f"{text!r} must be NAME=VALUE,VALUE…")
        name = typed.replace(".", "__").replace("-", "_")
        if name in grid:
            raise ValueError(f"{_shown(name)} is given twice: name all its values at once")
        setting = _named(_shown(name))
        grid[name] = [_value(_shown(name), value, setting.hint) for value in values.split(",")]
    return grid


def _shown(name: str) -> str:
    return name.replace("__", ".")


def _named(name: str) -> Setting:
    """A setting by its whole name; of a group, the one that a single value of the group stands for."""
    settings = {one: field for one, field in fields_of(TrainingSettings).items() if one != "templates"}
    if name in MAIN:
        return settings[MAIN[name]]
    if name in settings:
        return settings[name]
    group = name.partition(".")[0]
    known = [one.partition(".")[2] for one in settings if one.startswith(f"{group}.")]
    if not known:
        groups = sorted({one.partition(".")[0] for one in settings})
        if group in settings:
            raise ValueError(f"there is no setting {name}: {group} is no group of settings")
        raise ValueError(f"there is no setting {name} (there are: {', '.join(groups)})")
    if name == group:
        raise ValueError(f"{group} is a group of settings: name one of them ({', '.join(known)})")
    raise ValueError(f"there is no setting {name} (there are: {', '.join(known)})")


def _value(name: str, text: str, hint: Any) -> Any:
    try:
        return from_text(text, hint)
    except ValueError:
        raise ValueError(f"{name} is {text!r}, must be {in_words(hint)}") from None
