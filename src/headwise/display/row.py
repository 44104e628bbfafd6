"""Several trees of one sentence, side by side."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from headwise.base.writing_systems import printable
from headwise.display.drawing import Drawing, draw
from headwise.display.html import to_notebook
from headwise.display.text import beside, to_text
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.parser.parse import Parse

_WIDTH = 160
"""Of text: more stand below one another."""


class Row(tuple[Drawing, ...]):
    """Drawings of one sentence: printed as text, drawn in a notebook, a row of `to_html`."""

    __slots__ = ()

    def __str__(self) -> str:
        return beside([f"{drawing.caption}\n{to_text(drawing)}" for drawing in self], _WIDTH)

    def _repr_html_(self) -> str:
        """The trees as a notebook shows them, side by side where they fit."""
        figures = (
            f'<div style="max-width: 100%"><div>{escape(printable(drawing.caption))}</div>'
            f"{to_notebook(drawing)}</div>"
            for drawing in self
        )
        return f'<div style="display: flex; flex-wrap: wrap; gap: 1em 3em">{"".join(figures)}</div>'


def draw_trees(
    trees: Iterable[Any],
    sentence: Sentence | Sequence[str] | None = None,
    *,
    log_probs: Iterable[float] | None = None,
) -> Row:
    """The k best trees of a sentence, with their ranks and, where they are known, their probabilities.

    Args:
        trees: parses (`Parser.k_best`), or trees of `headwise.trees` (`top_k`, `sample`).
        sentence: the words, for trees that do not know them.
        log_probs: of the trees; those of parses are known.
    """
    found = list(trees)
    known: list[float | None] = [None] * len(found) if log_probs is None else [*log_probs]
    drawings = []
    for rank, (tree, log_prob) in enumerate(zip(found, known, strict=True), 1):
        if hasattr(tree, "drawing"):
            drawings.append(tree.drawing(caption=caption(tree.rank or rank, tree.log_prob)))
        elif sentence is None:
            raise ValueError("these trees do not know their words: give a sentence, or a list of words")
        else:
            drawings.append(draw(sentence, tree, caption=caption(rank, log_prob)))
    return Row(drawings)


def caption_of(parse: Parse) -> str:
    """The name of one of the k best parses."""
    return f"{parse.sentence.sent_id or ''} {caption(parse.rank, parse.log_prob)}".lstrip()


def caption(rank: int | None, log_prob: float | None) -> str:
    if log_prob is None:
        return f"tree {rank}"
    probability = math.exp(log_prob)
    return f"tree {rank} ({probability:.0%})" if probability >= 0.005 else f"tree {rank} (<1%)"
