"""What a benchmark found: Markdown tables that say how they were made, shown and saved as they come."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import headwise

Row = dict[str, str]


@dataclass(frozen=True)
class Table:
    """Rows with the same columns, and above them the facts that are needed to read and repeat them."""

    title: str
    facts: Mapping[str, str | list[str]]
    """A list becomes a list in the text as well."""
    rows: list[Row]

    def to_markdown(self) -> str:
        facts = "\n".join(
            f"- {name}: {value}" if isinstance(value, str) else "\n  - ".join([f"- {name}:", *value])
            for name, value in self.facts.items()
        )
        return f"## {self.title}\n\n{facts}\n\n{markdown_table(self.rows)}"


def markdown_table(rows: list[Row]) -> str:
    """Aligned in plain text too: the first column to the left, figures to the right."""
    if not rows:
        raise ValueError("a table needs at least one row")
    lines = [list(rows[0]), *([*row.values()] for row in rows)]
    cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]

    def line(row: list[str]) -> str:
        first, *others = zip(row, widths, strict=True)
        padded = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        return f"| {' | '.join(padded)} |"

    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    return "\n".join([line(cells[0]), line(rule), *map(line, cells[1:])]) + "\n"


@dataclass
class Report:
    """A Markdown document that grows: printed at once, and in its file after every part.

    Long runs are interrupted; what is finished by then is not lost.
    """

    file: Path | None = None
    _parts: list[str] = field(default_factory=list)

    def add(self, part: Table | str) -> None:
        text = part.to_markdown() if isinstance(part, Table) else part
        print(text, flush=True)
        self._parts.append(text)
        self._write(self._parts)

    def draft(self, *tables: Table) -> None:
        """Tables that still grow: in the file only, until the next part replaces them."""
        self._write([*self._parts, *(table.to_markdown() for table in tables)])

    def _write(self, parts: list[str]) -> None:
        if self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text("\n".join(parts), encoding="utf-8")

    def add_plot(self, svg: str, name: str, description: str) -> None:
        """A plot goes into a file beside the report, and a link to it into the report."""
        if self.file is None:
            print(f"({description}: give -o FILE to have it drawn)", file=sys.stderr)
            return
        path = self.file.with_name(f"{self.file.stem}-{name}.svg")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(svg, encoding="utf-8")
        self.add(f"![{description}]({path.name})\n")


def command_line(script: str, arguments: list[str]) -> str:
    return f"`{shlex.join(['python', f'benchmarks/{Path(script).name}', *arguments])}`"


def machine() -> str:
    """The program and the machine, in a line."""
    return (
        f"Headwise {headwise.__version__}, Python {platform.python_version()}, {_processor()},"
        f" {os.cpu_count()} cores"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:  # not Linux
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
