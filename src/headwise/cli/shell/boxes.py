"""Help and errors as a terminal shows them: paragraphs, and columns in boxes."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterable, Sequence
from typing import TextIO

WIDEST = 100
"""Lines longer than this are hard to read."""
_STYLES = {"name": "1;36", "metavar": "1;33", "dim": "2", "error": "31", "bold": "1"}


class Page:
    """Lines for a terminal or a file, with colours only where they are seen."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.width = max(40, min(WIDEST, shutil.get_terminal_size().columns))
        self._coloured = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"

    def styled(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._coloured and text else text

    def line(self, text: str = "") -> None:
        print(text, file=self._stream)

    def paragraph(self, text: str) -> None:
        """Filled lines; one that is indented is an example, and stays as it is."""
        if text.startswith(" "):
            self.line(f" {text.rstrip()}")
        else:
            for line in textwrap.wrap(" ".join(text.split()), self.width - 2):
                self.line(f" {line}")

    def box(self, title: str, lines: Iterable[tuple[str, str]], style: str = "dim") -> None:
        """A frame around lines, each as it is measured and as it is printed."""
        inside = self.width - 4
        self.line(self.styled(f"╭─ {title} {'─' * (self.width - len(title) - 5)}╮", style))
        bar = self.styled("│", style)
        for plain, printed in lines:
            self.line(f"{bar} {printed}{' ' * (inside - len(plain))} {bar}")
        self.line(self.styled(f"╰{'─' * (self.width - 2)}╯", style))

    def wrapped(self, text: str, width: int | None = None) -> list[str]:
        """Lines of at most so many characters; of a box, without a width."""
        return textwrap.wrap(text, self.width - 4 if width is None else width, break_on_hyphens=False) or [""]

    def two_columns(
        self, rows: Sequence[tuple[Sequence[tuple[str, str]], str, str]], first: int
    ) -> list[tuple[str, str]]:
        """Rows of what is said, in pieces with their styles, and what that means, with a dim end.

        The first column is ``first`` wide; what does not fit into it has a line of its own.
        """
        lines: list[tuple[str, str]] = []
        for pieces, text, end in rows:
            plain = " ".join(piece for piece, _ in pieces)
            left = [(plain, " ".join(self.styled(*piece) for piece in pieces))]
            if len(plain) > self.width - 4:  # a long list of choices
                left = [
                    (piece, self.styled(piece, "name")) for piece in self.wrapped(plain.replace("|", "| "))
                ]
            right = self.wrapped(f"{text} {end}".strip(), self.width - 4 - first)
            if len(left) > 1 or len(plain) >= first:
                lines += left
            else:
                pad = " " * (first - len(plain))
                lines.append((plain + pad + right[0], left[0][1] + pad + self._ending(right[0], end)))
                right = right[1:]
            lines += [(" " * first + line, " " * first + self._ending(line, end)) for line in right]
        return lines

    def _ending(self, line: str, end: str) -> str:
        """A line with the end in dim letters; an end that is broken over lines stays as it is."""
        return line.removesuffix(end) + self.styled(end, "dim") if end and line.endswith(end) else line
