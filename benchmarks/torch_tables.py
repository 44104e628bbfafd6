"""Tables of what torch_trees.py measures: operations by library and batch, and how they grow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from report import Row, Table

Figures = Mapping[str, float]
"""By the name of the operation: the library, the kind of trees, the verb."""
GRAPH = ", graph"
LARGER = ("siblings", "grandchildren", "model 1")
FIRST_ORDER = "projective"
VERBS = ("argmax", "5 best", "marginals", "loss and gradient")


def speed_tables(by_batch: Mapping[str, Figures], facts: Mapping[str, str]) -> list[Table]:
    """Sentences a second: of trees over arcs by all libraries, and of larger parts beside them."""
    names = list(dict.fromkeys(name for figures in by_batch.values() for name in figures))
    arcs, parts = [], []
    for name in names:
        library, _, operation = name.partition(" ")
        cells = {batch: _shown(figures.get(name)) for batch, figures in by_batch.items()}
        kind, verb = _kind_and_verb(operation)
        if kind not in LARGER:
            arcs.append({"operation": _said(operation), "by": library, **cells})
        if library == "headwise" and kind in (FIRST_ORDER, *LARGER) and verb.removesuffix(GRAPH) in VERBS:
            order = "first order" if kind == FIRST_ORDER else kind
            parts.append({"order": order, "operation": _said(verb), **cells})
    return [
        Table("Sentences a second", facts, _together(arcs, "operation")),
        Table("Sentences a second, larger parts", facts, _together(parts, "order")),
    ]


def growth_tables(figures: Figures, facts: Mapping[str, str]) -> list[Table]:
    """Microseconds of 64 sentences by their words; figures are called "OPERATION n = WORDS"."""
    rows: dict[str, dict[str, str]] = {}
    for name, number in figures.items():
        operation, _, words = name.rpartition(" n = ")
        rows.setdefault(operation.removeprefix("headwise "), {})[f"n = {words}"] = _shown(number)
    larger = {operation: row for operation, row in rows.items() if operation.startswith(LARGER)}
    arcs = {operation: row for operation, row in rows.items() if operation not in larger}
    return [
        Table(title, facts, [{"operation": operation, **row} for operation, row in _filled(chosen).items()])
        for title, chosen in (("Growth", arcs), ("Growth, larger parts", larger))
    ]


def batch_table(figures: Figures, facts: Mapping[str, str]) -> Table:
    """Microseconds by the number of sentences; figures are called "DEVICE B = SENTENCES"."""
    rows: dict[str, dict[str, str]] = {}
    for name, number in figures.items():
        device, _, sentences = name.partition(" ")
        rows.setdefault(device, {})[sentences] = _shown(number)
    return Table("GPU or CPU", facts, [{"on": device, **row} for device, row in rows.items()])


def _kind_and_verb(operation: str) -> tuple[str, str]:
    for kind in LARGER:
        if operation.startswith(f"{kind} "):
            return kind, operation.removeprefix(f"{kind} ")
    kind, _, verb = operation.partition(" ")
    return kind, verb


def _said(operation: str) -> str:
    return operation.replace(GRAPH, ", in a CUDA graph")


def _shown(number: float | None) -> str:
    return "" if number is None else f"{number:,.0f}"


def _together(rows: Iterable[Row], column: str) -> list[Row]:
    """Rows that have the same in a column, one after the other."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[column], []).append(row)
    return [row for group in groups.values() for row in group]


def _filled(rows: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    columns = dict.fromkeys(column for row in rows.values() for column in row)
    return {name: {column: row.get(column, "") for column in columns} for name, row in rows.items()}
