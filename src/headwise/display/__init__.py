"""Drawings of trees: in the terminal, as SVG, as HTML pages and for displaCy.

All of them draw a `Drawing`, made from a sentence by `draw`, or from two by `compare`; several trees of one
sentence are a `Row`, made by `draw_trees`.
"""

from headwise.display.comparison import DisplayError, compare
from headwise.display.displacy import to_displacy
from headwise.display.drawing import Arc, Drawing, Verdict, Word, draw
from headwise.display.html import html_pieces, to_html, to_notebook
from headwise.display.row import Row, draw_trees
from headwise.display.svg import to_svg
from headwise.display.text import beside, to_text

__all__ = [
    "Arc",
    "DisplayError",
    "Drawing",
    "Row",
    "Verdict",
    "Word",
    "beside",
    "compare",
    "draw",
    "draw_trees",
    "html_pieces",
    "to_displacy",
    "to_html",
    "to_notebook",
    "to_svg",
    "to_text",
]
