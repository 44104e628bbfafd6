"""The model of arcs alone that decides which arcs larger parts are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from headwise.base.limits import of_core
from headwise.components.scoring.component import Component, Host
from headwise.model.file import Table
from headwise.model.schema import Bits


@dataclass(frozen=True)
class PrunerConfig(Component):
    """The first-order model whose probabilities say which arcs are scored in full."""

    templates: list[str]
    bits: Bits
    threshold: Annotated[float, of_core("pruner.threshold")]
    most_heads: Annotated[int, of_core("pruner.most_heads")]

    def tables_of(self, host: Host, rows: Mapping[str, int]) -> dict[str, Table]:
        return {"pruner": Table.floats(1 << self.bits)}
