"""Trees to look at: in text, as SVG, as a page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from headwise.base.writing_systems import printable
from headwise.display import DisplayError, Drawing, beside, draw, to_svg, to_text
from headwise.display.html import LEGEND, page_around, row_pieces
from headwise.pipeline.formats.output_file import OutputFile
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.parser.parse import Parse
    from headwise.treebank.parquet import Place

_WIDTH_OF_A_PIPE = 160


class _Drawings(OutputFile):
    """Rows of drawings; a sentence that comes alone is a row."""

    def start(self, **_: Any) -> None:
        """What a page has around them means nothing to others."""

    def put(self, sentence: Sentence, place: Place | None) -> None:
        self.write_row([draw(sentence)])

    def write_parse(self, parse: Parse, place: Place | None = None) -> None:
        self.write_row([parse.drawing()])


class TreeFile(_Drawings):
    """In box characters, an empty line between them.

    Args:
        captions: whether a line before each row says which sentence it is, and an empty one follows.
    """

    def start(self, captions: bool = False, **_: Any) -> None:
        is_terminal = self.output.isatty()
        self._captions, self._between = captions, b""
        self._colour = is_terminal and "NO_COLOR" not in os.environ
        self._width = shutil.get_terminal_size().columns if is_terminal else _WIDTH_OF_A_PIPE

    def write_row(self, row: Sequence[Drawing]) -> None:
        drawn = beside([to_text(drawing, colour=self._colour) for drawing in row], self._width)
        if self._captions:
            drawn = f"{_caption(row)}\n{drawn}\n"
        self.output.write(self._between + drawn.encode(errors="replace"))
        self.output.flush()
        self._between = b"" if self._captions else b"\n"


def _caption(row: Sequence[Drawing]) -> str:
    captions = " | ".join(drawing.caption for drawing in row if drawing.caption)
    return printable(f"# {captions}: {row[0].text}" if captions else f"# {row[0].text}")


class SvgFile(_Drawings):
    """One drawing."""

    def start(self, **_: Any) -> None:
        self._drawing: Drawing | None = None

    def write_row(self, row: Sequence[Drawing]) -> None:
        if self._drawing is not None or len(row) != 1:
            raise _no_single("several")
        self._drawing = row[0]

    def close(self) -> None:
        if self._drawing is None:
            raise _no_single("none")
        self.output.write(to_svg(self._drawing).encode(errors="replace"))


def _no_single(found: str) -> DisplayError:
    remedy = "choose one (--sentence N) or draw them all on a page (html)."
    return DisplayError(f"an SVG file holds one tree, and there are {found}; {remedy}")


class HtmlFile(_Drawings):
    """A page that needs nothing but itself.

    Args:
        title: of the page.
        legend: whether to explain how a comparison with gold is drawn.
    """

    def start(self, title: str = "Dependency trees", legend: bool = False, **_: Any) -> None:
        before, self._after = page_around((), title=title)
        self._put(before + LEGEND * legend)

    def write_row(self, row: Sequence[Drawing]) -> None:
        self._put("".join(row_pieces(row)))

    def close(self) -> None:
        self._put(self._after)

    def _put(self, text: str) -> None:
        self.output.write(text.encode(errors="replace"))
