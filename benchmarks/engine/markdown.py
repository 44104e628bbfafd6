"""Tables in Markdown, and numbers as they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Row = dict[str, str]


def markdown_table(rows: Sequence[Row], *, padded: bool = True) -> str:
    """Aligned in plain text too, unless lines shall change only with their figures: the first column to the
    left, figures to the right. What a row does not have is left empty."""
    if not rows:
        raise ValueError("a table needs at least one row")
    columns = list(dict.fromkeys(column for row in rows for column in row))
    lines = [columns, *([row.get(column, "") for column in columns] for row in rows)]
    # Spaces at its end tell a column from another one of the same name.
    cells = [[cell.strip().replace("|", "\\|") for cell in line] for line in lines]
    widths = [max(3, *map(len, column)) if padded else 0 for column in zip(*cells, strict=True)]

    def line(row: list[str]) -> str:
        texts = [
            cell.ljust(w) if not i else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        return "|" + "|".join(f" {text} " if text else " " for text in texts) + "|"

    if padded:
        rule = (
            "| " + " | ".join("-" * w if not i else "-" * (w - 1) + ":" for i, w in enumerate(widths)) + " |"
        )
    else:
        rule = "|".join(["", "---", *["---:"] * (len(widths) - 1), ""])
    return "\n".join([line(cells[0]), rule, *map(line, cells[1:])]) + "\n"


def shown(value: Any, digits: int = 2) -> str:
    """Numbers with a fraction have so many digits, whole ones commas; None is left empty."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.{digits}f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def both(uas: float, las: float) -> str:
    """UAS / LAS."""
    return f"{uas:.2f} / {las:.2f}"
