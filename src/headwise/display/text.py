"""Trees for the terminal: a word on each line, arcs in box characters on the left.

      ╭──▶ 1 She    PRON   nsubj
  ●─┬─┼─── 2 reads  VERB   root
    │ ╰──▶ 3 books  NOUN   obj
    ╰────▶ 4 .      PUNCT  punct

A line leads from each head to its modifiers. It ends in an arrow: before the word if the word heads no other
word, else ▼ or ▲ where it comes in from above or below. ● is the root. Lines that cross do not join.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from headwise.base.writing_systems import (
    LEFT_TO_RIGHT_MARK,
    has_right_to_left,
    printable,
    terminal_width,
)
from headwise.display.drawing import Arc, Drawing
from headwise.display.levels import arc_levels

_CORNERS = {  # (to the left, up, down): the character; every line goes on to the right
    (False, False, False): "─",
    (True, False, False): "─",
    (False, True, False): "╰",
    (False, False, True): "╭",
    (False, True, True): "├",
    (True, True, False): "┴",
    (True, False, True): "┬",
    (True, True, True): "┼",
}
_DIM, _RED, _GREEN, _YELLOW, _CYAN = 2, 31, 32, 33, 36


def to_text(drawing: Drawing, *, colour: bool = False) -> str:
    """The drawing in text, a line for each word; with terminal colours if asked."""
    arcs = {arc.modifier: arc for arc in drawing.arcs}
    corrections = {arc.modifier: arc for arc in drawing.corrections}
    rows = []
    for m, word in enumerate(drawing.words, 1):
        arc = arcs.get(m)
        rows.append(
            [
                _Field(str(m), _DIM, right_aligned=True),
                _Field(printable(word.form), _GREEN if word.mark else None),
                _Field(printable(word.tag), _DIM),
                _Field(printable(arc.label) if arc else "", _label_colour(arc)),
                _Field(_percent(arc.confidence) if arc else "", _label_colour(arc), right_aligned=True),
                _Field(_correction(corrections.get(m), drawing.corrector), _RED),
                _Field(_other_heads(drawing, m), _DIM),
                _Field(f"◀ {printable(word.mark)}" if word.mark else "", _GREEN),
            ]
        )
    table = _aligned(rows, colour)
    return "".join(f"{line} {row}".rstrip() + "\n" for line, row in zip(_lines(drawing), table, strict=True))


def _lines(drawing: Drawing) -> list[str]:
    """The arcs: for each word the piece of them on its line."""
    levels = arc_levels(drawing.arcs)
    between_words = [
        (arc, level) for arc, level in zip(drawing.arcs, levels, strict=True) if not arc.from_root
    ]
    width = 2 * max((level for _, level in between_words), default=0) + 2
    roots = {arc.modifier for arc in drawing.arcs if arc.from_root}
    start = 2 if roots else 0
    placed = [_Placed(arc, start + width - 2 - 2 * level) for arc, level in between_words]
    return [_line(m, m in roots, placed, start + width) for m in range(1, len(drawing.words) + 1)]


@dataclass(frozen=True)
class _Placed:
    arc: Arc
    column: int


def _line(m: int, is_root: bool, placed: Sequence[_Placed], width: int) -> str:
    """One line: the horizontal of its word, the corners where arcs end on it, the verticals that pass by."""
    ends = [it for it in placed if m in it.arc.span]
    cells = [" "] * width
    if ends or is_root:
        begin = 0 if is_root else min(it.column for it in ends)
        cells[begin:] = "─" * (width - begin)
        for it in ends:
            cells[it.column] = _corner(
                m, [other.arc for other in ends if other.column == it.column], it.column > begin
            )
        heads_others = any(it.arc.head == m for it in ends)
        incoming = [it for it in ends if it.arc.modifier == m]
        if heads_others:
            for it in incoming:
                cells[it.column] = "▼" if it.arc.head < m else "▲"
        else:
            cells[-1] = "▶"
        if is_root:
            cells[0] = "●"
    for it in placed:
        if it.arc.span[0] < m < it.arc.span[1]:
            cells[it.column] = "│"
    return "".join(cells)


def _corner(m: int, arcs: Sequence[Arc], goes_on: bool) -> str:
    """Where arcs of one column end on the line of a word; whether the line goes on to the left."""
    up, down = any(arc.span[1] == m for arc in arcs), any(arc.span[0] == m for arc in arcs)
    return _CORNERS[goes_on, up, down]


@dataclass(frozen=True)
class _Field:
    text: str
    colour: int | None = None
    right_aligned: bool = False

    def aligned(self, width: int, colour: bool) -> str:
        text = self.text
        if has_right_to_left(text):
            text += LEFT_TO_RIGHT_MARK  # what follows stays on its right
        if colour and self.colour and text:
            text = f"\x1b[{self.colour}m{text}\x1b[0m"
        padding = " " * (width - terminal_width(self.text))
        return padding + text if self.right_aligned else text + padding


def _aligned(rows: list[list[_Field]], colour: bool) -> list[str]:
    """The fields under one another; a column with nothing in it is left out."""
    widths = [max(terminal_width(field.text) for field in column) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        number, *fields = (
            field.aligned(width, colour) for field, width in zip(row, widths, strict=True) if width
        )
        lines.append(f"{number} {'  '.join(fields)}")
    return lines


def _label_colour(arc: Arc | None) -> int:
    if arc is not None and arc.verdict is not None:
        return _RED
    return _YELLOW if arc is not None and arc.is_unsure else _CYAN


def _percent(probability: float | None) -> str:
    return "" if probability is None else f"{100 * probability:.0f}%"


def _correction(arc: Arc | None, corrector: str) -> str:
    sign = "≠" if corrector == "gold" else f"{corrector}:"
    return "" if arc is None else f"{sign} {printable(arc.label)} ◂ {arc.head}"


def _other_heads(drawing: Drawing, m: int) -> str:
    arcs = drawing.alternatives[m - 1] if drawing.alternatives else ()
    return ", ".join(f"or {arc.head} {_percent(arc.confidence)}" for arc in arcs)


def beside(blocks: Sequence[str], width: int) -> str:
    """Blocks of text next to one another, or, where that is wider than `width`, below one another."""
    split = [block.splitlines() for block in blocks]
    widths = [max(map(_visible_width, lines), default=0) for lines in split]
    if sum(widths) + 4 * (len(blocks) - 1) > width:
        return "\n".join(blocks)
    rows = []
    for index in range(max(map(len, split), default=0)):
        cells = [lines[index] if index < len(lines) else "" for lines in split]
        padded = (cell + " " * (w - _visible_width(cell)) for cell, w in zip(cells, widths, strict=True))
        rows.append("    ".join(padded).rstrip())
    return "".join(f"{row}\n" for row in rows)


def _visible_width(line: str) -> int:
    return terminal_width(re.sub(r"\x1b\[\d+m", "", line))
