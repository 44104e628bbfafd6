"""What is attacked: how a case is made from a number, and what may come of it."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import Literal

Outcome = Literal["accepted", "refused"]


class BrokenPromiseError(AssertionError):
    """Something other than what docs/promises.md says."""


class Target(ABC):
    """A part of Headwise that takes files of others."""

    name: str
    patience = 10.0
    """Processor seconds that a case may take; six times as many by the clock, as other programs run too."""
    cases_a_process = 20_000
    """After so many, what has piled up is not blamed on the next."""

    def case(self, seed: int, number: int) -> bytes:
        """Mutant ``number`` of a run: the same whenever and wherever it is made."""
        return self.mutant(random.Random(f"{self.name}/{seed}/{number}"))

    @abstractmethod
    def mutant(self, rng: random.Random) -> bytes:
        """A damaged file."""

    @abstractmethod
    def attack(self, data: bytes) -> Outcome:
        """Use the file. Whatever is raised here is a failure."""
