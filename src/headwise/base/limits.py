"""Limits of values: of settings, of the command line, of what a stored header may say.

A limit is said once. Where the core has it too (``native/base/limits.hpp``), `of_core` is that one.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Protocol

_SHOWN = 40


class Limit(Protocol):
    """What a value must be, beside being of its type."""

    def problem(self, value: Any) -> str | None:
        """What is wrong with a value, as the end of a sentence that it begins; None: nothing."""
        ...


def shown(value: Any) -> str:
    """A value as messages show it, long ones cut."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def number(value: float) -> str:
    """A limit as messages show it."""
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


@dataclass(frozen=True)
class Within:
    """A number from ``least`` to ``most``."""

    least: float
    most: float

    def problem(self, value: Any) -> str | None:
        if self.least <= value <= self.most:
            return None
        return f"is {shown(value)}, must be from {number(self.least)} to {number(self.most)}"

    def beyond(self) -> list[float]:
        """Wrong numbers, for tests."""
        return [self.least - 1, self.most + 1]


@dataclass(frozen=True)
class AtLeast:
    """A number that has no upper limit."""

    least: float

    def problem(self, value: Any) -> str | None:
        if self.least <= value < math.inf:
            return None
        must = "not be negative" if self.least == 0 else f"be at least {number(self.least)}"
        return f"is {shown(value)}, must {must}"

    def beyond(self) -> list[float]:
        return [self.least - 1]


@dataclass(frozen=True)
class Positive:
    """A number that can be divided by."""

    def problem(self, value: Any) -> str | None:
        return None if 1e-30 < value < math.inf else f"is {shown(value)}, must be positive"

    def beyond(self) -> list[float]:
        return [0, -1]


@dataclass(frozen=True)
class Below:
    """A share of what cannot be all of it: from 0 to below ``most``."""

    most: float

    def problem(self, value: Any) -> str | None:
        if 0 <= value < self.most:
            return None
        return f"is {shown(value)}, must be from 0 to below {number(self.most)}"

    def beyond(self) -> list[float]:
        return [-1, self.most]


@dataclass(frozen=True)
class MultipleOf:
    """A number that is computed so many at a time; at most ``most``."""

    step: int
    most: int

    def problem(self, value: Any) -> str | None:
        if self.step <= value <= self.most and value % self.step == 0:
            return None
        return f"is {shown(value)}, must be a multiple of {self.step}, at most {self.most}"

    def beyond(self) -> list[float]:
        return [0, self.step + 1, self.most + self.step]


@dataclass(frozen=True)
class Among:
    """A list of such names and no others."""

    names: Collection[str]
    what: str

    def problem(self, value: Collection[str]) -> str | None:
        unknown = sorted(set(value) - set(self.names))
        if not unknown:
            return None
        return f"names no {self.what}: {shown(', '.join(unknown))} (use {', '.join(self.names)})"

    def beyond(self) -> list[tuple[str, ...]]:
        return [("no-such-name",)]


@dataclass(frozen=True)
class AtMost:
    """A list that is not longer."""

    most: int
    what: str = "entries"

    def problem(self, value: Collection[Any]) -> str | None:
        if len(value) <= self.most:
            return None
        return f"names {len(value)} {self.what}, must be at most {self.most}"

    def beyond(self) -> list[tuple[str, ...]]:
        return [("name",) * (self.most + 1)]


@dataclass(frozen=True)
class Each:
    """A list whose entries keep to a limit."""

    limit: Within

    def problem(self, value: Collection[Any]) -> str | None:
        return next((problem for entry in value if (problem := self.limit.problem(entry))), None)

    def beyond(self) -> list[tuple[float, ...]]:
        return [(self.limit.least - 1,) * 2]


def of_core(name: str) -> Within:
    """A limit that the core has too, by its name there."""
    from headwise._native.base import limits

    least, most = limits[name]
    return Within(least, most)


COUNT = AtLeast(1)
SHARE = Within(0, 1)
POSITIVE = Positive()
NOT_NEGATIVE = AtLeast(0)
BITS = of_core("table.bits")
"""Of a table of 2**bits weights."""
SEED = Within(0, 2**63 - 1)
LAYER_WIDTH = MultipleOf(16, int(of_core("network.lstm").most))
"""Of layers of networks, whose numbers are computed sixteen at a time."""
