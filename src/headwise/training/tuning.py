"""Settings that the development set chooses: a parser for each combination of values, and the best of them.

Koo's thesis (2010), 4.6.2, chooses C and the number of iterations so; Zhang et al. (2014, "Steps to
excellence", section 5) C and the number of epochs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from itertools import product
from typing import Any, get_type_hints

from headwise.components.parser.parser import Parser
from headwise.learning.loop import DevScores, Listener
from headwise.learning.setting_types import from_text, kind_of
from headwise.training.setting_effects import why_without_effect
from headwise.training.settings import TrainingSettings
from headwise.training.train import dev_scores, train_parser
from headwise.treebank import Sentence

STANDS_FOR = {"network": bool, "torch": bool, "tensor": int}
"""What a single value of a group is, which stands for its main setting."""


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
        reasons = [why_without_effect(trial, name) for trial in trials]
        if all(reasons):
            raise ValueError(f"{_shown(name)} has no effect here: {reasons[0]}")


def _combinations(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def distinct_trials(grid: Mapping[str, Sequence[Any]], settings: TrainingSettings) -> list[dict[str, Any]]:
    """The combinations, each without what has no effect in it, and none twice."""
    found: list[dict[str, Any]] = []
    for changes in _combinations(grid):
        trial = settings.changed(**changes)
        own = {name: value for name, value in changes.items() if not why_without_effect(trial, name)}
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
        hint = _type_of(name)
        grid[name] = [_value(_shown(name), value, hint) for value in values.split(",")]
    return grid


def _shown(name: str) -> str:
    return name.replace("__", ".")


def _type_of(name: str) -> Any:
    """That of a setting; of a group, that of the single value that may stand for it."""
    group, _, setting = name.partition("__")
    hints = get_type_hints(TrainingSettings)
    if group not in hints or group == "templates":
        known = [known for known in hints if known != "templates"]
        raise ValueError(f"there is no setting {_shown(name)} (there are: {', '.join(sorted(known))})")
    hint = hints[group]
    if not is_dataclass(hint):
        if setting:
            raise ValueError(f"there is no setting {_shown(name)}: {group} is no group of settings")
        return hint
    own = get_type_hints(hint)
    if setting:
        if setting not in own:
            raise ValueError(f"there is no setting {_shown(name)} (there are: {', '.join(own)})")
        return own[setting]
    if group not in STANDS_FOR:
        raise ValueError(f"{group} is a group of settings: name one of them ({', '.join(own)})")
    return STANDS_FOR[group]


def _value(name: str, text: str, hint: Any) -> Any:
    try:
        return from_text(text, hint)
    except ValueError:
        raise ValueError(f"{name} is {text!r}, must be {kind_of(hint)}") from None
