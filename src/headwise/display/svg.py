"""Trees as SVG: words in a row, arcs above them, gold's corrections and other possible heads below.

The drawing takes its colour from the text around it (currentColor), so that it fits light and dark pages;
alone in a file it follows the reader's colour scheme. Words and arcs carry their numbers (``data-word``,
``data-head``, ``data-modifier``), for pages that do more with them than show them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from xml.sax.saxutils import escape, quoteattr

from headwise.base.writing_systems import printable
from headwise.display.drawing import Arc, Drawing
from headwise.display.layout import LABEL_SIZE, Layout, Line, lay_out

_STEP = 20.0
"""From one level to the next."""
_LIFT = 6.0
"""From the words to level 0."""
_CORNER = 9.0
_TEXT_HEIGHT = 40.0
"""Of the words and the tags under them."""
_BASELINE = 17.0
_TAG_BASELINE = 32.0
_ARROW = 3.0, 6.5
"""Half its width, and its length."""
_MARGIN = 6.0


def to_svg(drawing: Drawing, *, styled: bool = True) -> str:
    """The drawing as an SVG element, complete as a file.

    With `styled=False` it has no style sheet, for a page that has `stylesheet()` already.
    """
    if not drawing.words:
        raise ValueError("a sentence without words cannot be drawn")
    layout = lay_out(drawing)
    return "".join(_svg(drawing, layout, styled))


@cache
def stylesheet() -> str:
    """The style of all drawings."""
    return (files("headwise.display") / "figure.css").read_text(encoding="utf-8")


def _svg(drawing: Drawing, layout: Layout, styled: bool) -> Iterator[str]:
    top = _height(layout.above) + _MARGIN
    below = _height(layout.below)
    height = (
        top + _TEXT_HEIGHT + max([below, *(_height(lines, below) for lines in layout.alternatives)]) + _MARGIN
    )
    name = quoteattr(f"Dependency tree of: {printable(drawing.text)}")
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="headwise" role="img" aria-label={name}'
        f' width="{layout.width:.0f}" height="{height:.0f}" viewBox="0 0 {layout.width:.0f} {height:.0f}">\n'
    )
    yield f"<title>{_text(drawing.text)}</title>\n<desc>{escape(_description(drawing))}</desc>\n"
    if styled:
        yield f"<style>\n{stylesheet()}</style>\n"
    for line in layout.above:
        yield _arc(line, drawing, top, -1)
    for line in layout.below:
        yield _arc(line, drawing, top + _TEXT_HEIGHT, 1, drawing.corrector)
    yield from _words(drawing, layout, top, below)
    yield "</svg>\n"


def _height(lines: Iterable[Line], offset: float = 0.0) -> float:
    """How far these lines reach from the words, with the label of the uppermost."""
    highest = max((line.level + line.arc.from_root * 0.4 for line in lines), default=None)
    return 0.0 if highest is None else offset + _LIFT + highest * _STEP + LABEL_SIZE / 2 + 1


def _words(drawing: Drawing, layout: Layout, top: float, below: float) -> Iterator[str]:
    """The words; with each its other heads, which are seen while the pointer is on the word."""
    for m, (word, x) in enumerate(zip(drawing.words, layout.words, strict=True), 1):
        others = layout.alternatives[m - 1] if layout.alternatives else []
        classes = f"word{' has-alternatives' if others else ''}{' marked' if word.mark else ''}"
        yield f'<g class="{classes}" data-word="{m}">'
        if word.mark:
            yield f"<title>{_text(word.mark)}</title>"
        if others:  # something to point at between the letters
            yield f'<rect x="{x - 18:.1f}" y="{top:.1f}" width="36" height="{_TEXT_HEIGHT:.1f}"/>'
        yield f'<text class="form" x="{x:.1f}" y="{top + _BASELINE:.1f}">{_text(word.form)}</text>'
        if word.tag:
            yield f'<text class="tag" x="{x:.1f}" y="{top + _TAG_BASELINE:.1f}">{_text(word.tag)}</text>'
        for line in others:
            yield _arc(line, drawing, top + _TEXT_HEIGHT + below, 1, "alternative")
        yield "</g>\n"


def _arc(line: Line, drawing: Drawing, base: float, side: int, kind: str = "") -> str:
    """An arc with its label; `side` is -1 above the words and 1 below them."""
    arc = line.arc
    classes = " ".join(filter(None, ["arc", kind, arc.verdict, "unsure" if arc.is_unsure else ""]))
    weight = "" if arc.confidence is None else f' stroke-width="{0.5 + arc.confidence:.2f}"'
    peak = base + side * (_LIFT + line.level * _STEP)
    label_y = peak + (side * 0.4 * _STEP if arc.from_root else 0) + 0.35 * LABEL_SIZE
    label = f'<text x="{line.text_x:.1f}" y="{label_y:.1f}">{escape(line.text)}</text>' if line.text else ""
    return (
        f'<g class="{classes}" data-head="{arc.head}" data-modifier="{arc.modifier}">'
        f"<title>{escape(describe(arc, drawing))}</title>"
        f'<path class="line" d="{_path(line, base, peak)}"{weight}/>'
        f'<path class="tip" d="{_tip(line.modifier_x, base, side)}"/>{label}</g>\n'
    )


def _path(line: Line, base: float, peak: float) -> str:
    """From the head over the shoulders to the modifier, with a gap for the label."""
    tip = base + (_ARROW[1] - 1.5 if peak > base else 1.5 - _ARROW[1])
    if line.arc.from_root:
        return f"M{line.modifier_x:.1f} {peak:.1f}V{tip:.1f}"
    forward = 1 if line.modifier_x > line.head_x else -1
    corner = forward * min(_CORNER, abs(line.modifier_x - line.head_x) / 2)
    rise = min(_CORNER, abs(peak - base)) * (1 if peak > base else -1)
    gap = forward * (line.text_width / 2 + 3) if line.text else 0.0
    left_of_label, right_of_label = line.text_x - gap, line.text_x + gap
    return (
        f"M{line.head_x:.1f} {base:.1f}V{peak - rise:.1f}"
        f"Q{line.head_x:.1f} {peak:.1f} {line.head_x + corner:.1f} {peak:.1f}"
        f"H{left_of_label:.1f}M{right_of_label:.1f} {peak:.1f}H{line.modifier_x - corner:.1f}"
        f"Q{line.modifier_x:.1f} {peak:.1f} {line.modifier_x:.1f} {peak - rise:.1f}V{tip:.1f}"
    )


def _tip(x: float, base: float, side: int) -> str:
    half, length = _ARROW
    return (
        f"M{x:.1f} {base:.1f}l{-half:.1f} {side * length:.1f}q{half:.1f} {-side * 1.5:.1f} {2 * half:.1f} 0z"
    )


def describe(arc: Arc, drawing: Drawing) -> str:
    """An arc in words, for the pointer and for screen readers."""
    head = "the root" if arc.from_root else drawing.words[arc.head - 1].form
    label = f"{arc.label} of " if arc.label else "under "
    sure = "" if arc.confidence is None else f", {100 * arc.confidence:.0f} %"
    wrong = f" ({arc.verdict.replace('-', ' ')})" if arc.verdict else ""
    return printable(f"{drawing.words[arc.modifier - 1].form}: {label}{head}{sure}{wrong}")


def _description(drawing: Drawing) -> str:
    who = {"gold": "in gold", "model": "the model says"}[drawing.corrector]
    others_say = [f"{who}, {describe(arc, drawing)}" for arc in drawing.corrections]
    others = [f"or, {describe(arc, drawing)}" for arcs in drawing.alternatives for arc in arcs]
    return "; ".join([*(describe(arc, drawing) for arc in drawing.arcs), *others_say, *others])


def _text(text: str) -> str:
    return escape(printable(text))
