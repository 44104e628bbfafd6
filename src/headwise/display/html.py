"""Trees as an HTML page that needs nothing but itself: no script, no font, no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from xml.sax.saxutils import escape

from headwise.base.writing_systems import printable
from headwise.display.drawing import Drawing
from headwise.display.svg import stylesheet, to_svg

LEGEND = """<p class="legend headwise">Above the words the system's tree, with
<span class="wrong-head">wrong heads</span> and <span class="wrong-label">wrong labels</span>;
below them <span class="gold">gold's arcs</span> for the same words.</p>
"""


def to_html(
    rows: Iterable[Sequence[Drawing]], *, title: str = "Dependency trees", legend: bool = False
) -> str:
    """A page of drawings, well-formed as XML too. The drawings of a row stand side by side where they fit."""
    return "".join(html_pieces(rows, title=title, legend=legend))


def html_pieces(rows: Iterable[Sequence[Drawing]], *, title: str, legend: bool = False) -> Iterator[str]:
    """The same page bit by bit, for many drawings.

    Args:
        rows: the drawings; those of one row are of the same sentence.
        legend: whether to explain how a comparison with gold is drawn.
    """
    return page_around(_rows(rows, legend), title=title)


def page_around(body: Iterable[str], *, title: str, style: str = "") -> Iterator[str]:
    """A page with this title and the styles of drawings, bit by bit; ``body`` is HTML and ``style`` CSS."""
    name = escape(printable(title))
    yield (
        '<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{name}</title>\n<style>\n{_page_style()}{stylesheet()}{style}</style>\n</head>\n<body>\n"
        f"<h1>{name}</h1>\n"
    )
    yield from body
    yield "</body>\n</html>\n"


def _rows(rows: Iterable[Sequence[Drawing]], legend: bool) -> Iterator[str]:
    if legend:
        yield LEGEND
    for row in rows:
        yield from row_pieces(row)


def row_pieces(row: Sequence[Drawing]) -> Iterator[str]:
    """The drawings of one sentence, side by side where they fit."""
    yield '<div class="sentence">\n'
    yield from map(figure, row)
    yield "</div>\n"


def figure(drawing: Drawing) -> str:
    """A drawing with its caption under it, in a box that scrolls when it is too wide."""
    caption = ": ".join(filter(None, [drawing.caption, drawing.text]))
    return (
        f'<figure>\n<div class="tree" tabindex="0">\n{to_svg(drawing, styled=False)}</div>\n'
        f'<figcaption dir="auto">{escape(printable(caption))}</figcaption>\n</figure>\n'
    )


def to_notebook(drawing: Drawing) -> str:
    """HTML for a cell of a notebook: the drawing in a box that scrolls when it is too wide."""
    return f'<div style="overflow-x: auto">{to_svg(drawing)}</div>'


@cache
def _page_style() -> str:
    return (files("headwise.display") / "page.css").read_text(encoding="utf-8")
