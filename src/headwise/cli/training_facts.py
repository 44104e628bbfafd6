"""How a parser was made, as its model file tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from headwise.base.limits import Within
from headwise.model.schema import from_json

Count = Annotated[int, Within(0, 1 << 62)]


@dataclass(frozen=True)
class EpochFacts:
    """One pass over the data."""

    epoch: Count
    loss: float
    dev: dict[str, float] | None = None


@dataclass(frozen=True)
class TrainingFacts:
    """What the header of a model says of its training. A parser that was not trained says nothing."""

    sentences: Count = 0
    words: Count = 0
    settings: dict[str, Any] = field(default_factory=dict)
    best_epoch: Count = 0
    history: list[dict[str, Any]] = field(default_factory=list)

    @property
    def best_scores(self) -> dict[str, float]:
        """On the development set, of the epoch that was kept; none where there was no such set."""
        if not 0 < self.best_epoch <= len(self.history):
            return {}
        return from_json(EpochFacts, self.history[self.best_epoch - 1], ignore_others=True).dev or {}


def training_facts(training: Mapping[str, Any]) -> TrainingFacts:
    """ModelError where they are of another kind."""
    facts = from_json(TrainingFacts, dict(training), ignore_others=True)
    _ = facts.best_scores
    return facts
