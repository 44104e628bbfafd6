"""Which parts each factorization scores, and the template tables that describe them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from headwise.scoring.templates import TemplateTable

Factorization = Literal["arc", "sibling", "carreras", "model0", "model1", "model2"]

PARTS: dict[str, tuple[str, ...]] = {
    "arc": (),
    "sibling": ("sibling",),
    "carreras": ("sibling", "grandchild"),
    "model0": ("grandchild",),
    "model1": ("sibling", "grandchild", "grand_sibling"),
    "model2": ("sibling", "grandchild", "grand_sibling", "tri_sibling"),
}
"""The parts of each factorization that are larger than an arc; each has a template table of its name."""


def part_tables(
    factorization: str,
    columns: Collection[str],
    without: Collection[str] = (),
    overrides: dict[str, TemplateTable] | None = None,
) -> dict[str, list[str]]:
    """The templates of a factorization's parts, fitted to the columns that a treebank fills.

    ``without`` names kinds of parts to leave out, ``overrides`` gives tables other than the built-in ones.
    """
    tables = {}
    for part in PARTS[factorization]:
        table = (overrides or {}).get(part) or TemplateTable.built_in(part)
        tables[part] = [] if part in without else list(table.for_columns(columns).lines)
    return tables
