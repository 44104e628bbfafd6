"""Tables in the Markdown that a command prints, and what of them a page shows.

A page shows the columns that its own table has, of the one table of the report that has them all; where
several do, its marker says which, by words of the title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CELLS = re.compile(r"(?<!\\)\|")
_BLOCKS = re.compile(r"^#+ (?P<title>.*)$|^(?P<table>(?:\|.*\n)+)", re.MULTILINE)


class TableError(Exception):
    """A report that does not have the table of a page."""


@dataclass(frozen=True)
class PrintedTable:
    """A table, and the heading that it stands under."""

    title: str
    text: str

    @property
    def columns(self) -> tuple[str, ...]:
        return _cells(self.text.splitlines()[0])

    def with_columns(self, columns: tuple[str, ...]) -> str:
        """Only these columns, in this order."""
        if columns == self.columns:
            return self.text
        places = [self.columns.index(column) for column in columns]
        lines = self.text.splitlines()
        header, rule, *rows = ([_cells(line)[place] for place in places] for line in lines)
        return markdown_lines(header, ["---:" if cell.endswith(":") else "---" for cell in rule], rows)


def printed_tables(report: str) -> Iterator[PrintedTable]:
    title = ""
    for block in _BLOCKS.finditer(report):
        if block["table"] is None:
            title = block["title"]
        else:
            yield PrintedTable(title, block["table"])


def with_tables(page: str, report: str, title: str = "") -> str:
    """The text of a page with each of its tables as the report has it now."""
    printed = [table for table in printed_tables(report) if title in table.title]
    for old in printed_tables(page):
        fitting = [table for table in printed if set(old.columns) <= set(table.columns)]
        if not fitting:
            raise TableError(
                f"the command makes no table {title!r} with the columns {' | '.join(old.columns)}"
            )
        if len(fitting) > 1:
            titles = "; ".join(table.title for table in fitting)
            raise TableError(f"the marker must say which table it is, by words of its title: {titles}")
        page = page.replace(old.text, fitting[0].with_columns(old.columns))
    return page


def markdown_lines(header: list[str], rule: list[str], rows: list[list[str]]) -> str:
    """A table whose columns are not padded: lines are short, and change only with their figures."""
    lines = ["|".join(f" {cell} " if cell else " " for cell in row) for row in (header, *rows)]
    return "".join(f"|{line}|\n" for line in (lines[0], "|".join(rule), *lines[1:]))


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in _CELLS.split(line)[1:-1])
