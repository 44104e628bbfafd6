"""What a user can choose about training, with defaults that hold for any treebank."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, get_args, get_origin, get_type_hints

Trees = Literal["auto", "projective", "nonprojective"]
Root = Literal["auto", "single", "multi"]
Learner = Literal["mira", "perceptron"]
Labels = Literal["separate", "joint", "none"]


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of a training run. Nothing here depends on the language."""

    trees: Trees = "auto"
    """Search projective trees, all trees, or decide from the training data."""
    root: Root = "auto"
    """One word under the root, several, or decide from the training data."""
    learner: Learner = "mira"
    labels: Labels = "separate"
    """Find labels over the finished tree, inside the search, or not at all."""
    epochs: int = 10
    aggressiveness: float = 0.01
    """MIRA's C: the longest step a single sentence may cause."""
    seed: int = 1
    threads: int = 1
    arc_bits: int = 22
    """The arc weight table has 2**arc_bits entries of 4 bytes."""
    label_bits: int = 22
    arc_templates: tuple[str, ...] | None = None
    """Feature templates of arcs; None takes the built-in table, fitted to the columns of the treebank."""
    label_templates: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for f in fields(self):
            if get_origin(hints[f.name]) is Literal and getattr(self, f.name) not in get_args(hints[f.name]):
                choices = ", ".join(get_args(hints[f.name]))
                raise ValueError(f"{f.name} is {getattr(self, f.name)!r}, must be one of: {choices}")
        if self.epochs < 1:
            raise ValueError(f"epochs is {self.epochs}, must be at least 1")
        if not self.aggressiveness > 0:
            raise ValueError(f"aggressiveness is {self.aggressiveness}, must be positive")
