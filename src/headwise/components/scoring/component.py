"""What a parser is made of beside its features: each component says itself what it stores and computes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy.typing as npt

from headwise._native import scoring as native
from headwise.model.file import Table

LABEL_PADDING = 256
"""Numbers after the last row of a table of labels."""
Tables = Mapping[str, npt.NDArray[Any]]


class Host(Protocol):
    """What a component may ask of the parser that it is part of."""

    @property
    def labels(self) -> list[str]: ...
    @property
    def tags(self) -> list[str]: ...
    @property
    def arc_limits(self) -> list[int]: ...


class Component:
    """The stored configuration of a component. A parser asks all of its components alike."""

    def tables_of(self, host: Host, rows: Mapping[str, int]) -> dict[str, Table]:
        """Its tables, by name; ``rows`` are how many numbers those of one dimension have in a file."""
        return {}

    def scorers_of(self, host: Host, tables: Tables) -> list[native.ScorerShape]:
        """What it scores with, made with the tables that words are looked up in."""
        return []

    def describe(self, rows: Mapping[str, int]) -> tuple[str, str] | None:
        """What it is, and how large, for `headwise info`; None where there is nothing to tell."""
        return None
