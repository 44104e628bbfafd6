"""What a user can choose about a tagger, with defaults that hold for any treebank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Learner = Literal["mira", "perceptron", "log-linear"]


@dataclass(frozen=True)
class TaggerSettings:
    """Settings of a training run. Nothing here depends on the language."""

    learner: Learner = "mira"
    """Large-margin (mira), averaged perceptron, or the log-linear model by stochastic gradient ascent."""
    epochs: int = 10
    lemmas: bool = True
    """Learn lemmas as well, where the treebank has them."""
    frequent: int = 20
    """A word seen this often has only the tags it was seen with; a rarer one may have those of its ending."""
    forgetting: float = 2.0
    """While learning, a word seen n times passes for a new one at a rate of forgetting/(forgetting + n)."""
    aggressiveness: float = 0.02
    """MIRA's C: the longest step a single sentence may cause."""
    rate: float = 0.1
    """The first step of the log-linear learner; by the last epoch it has fallen to a quarter."""
    bits: int = 21
    """The weight table of the tags has 2**bits entries of 4 bytes; that of the lemmas a quarter of them."""
    clusters: tuple[str, ...] = ()
    """Files of word clusters (`headwise.words.clusters`), for features that ask for them."""
    seed: int = 1
    threads: int = 1
    """For tagging the development set; learning itself is one step after the other."""
    templates: tuple[str, ...] | None = None
    """Feature templates of tags; None takes the built-in table."""

    def __post_init__(self) -> None:
        if self.learner not in get_args(Learner):
            raise ValueError(f"learner is {self.learner!r}, must be one of: {', '.join(get_args(Learner))}")
        for name in ("epochs", "frequent"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, must be at least 1")
        if not self.forgetting >= 0:
            raise ValueError(f"forgetting is {self.forgetting}, must not be negative")
        for name in ("aggressiveness", "rate"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} is {getattr(self, name)}, must be positive")
        if not 10 <= self.bits <= 28:
            raise ValueError(f"bits is {self.bits}, must be from 10 to 28")
