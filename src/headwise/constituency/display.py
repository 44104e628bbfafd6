"""Drawings of phrase-structure trees: in the terminal, as SVG, as HTML pages.

In the terminal a tree lies on its side, a word on each line::

    S ─┬─ NP ── PRP ── She
       ╰─ VP ─┬─ VBZ ── reads
              ╰─ NP ── NNS ── books
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from headwise.base.writing_systems import em_width, is_right_to_left, printable, terminal_width
from headwise.constituency.tree import Tree
from headwise.display.svg import stylesheet

_WORD_SIZE, _TAG_SIZE, _LABEL_SIZE = 15.0, 9.5, 12.0
_STEP = 36.0
"""From one level to the next."""
_BEND = 12.0
"""From a label down to where its lines part."""
_BETWEEN = 14.0
_MARGIN = 8.0
_DIM, _BLUE = 2, 36


def to_text(tree: Tree, *, colour: bool = False) -> str:
    """The tree in text, a line for each word; with terminal colours if asked."""
    return "".join(line + "\n" for line in _lines(tree, colour))


def _lines(tree: Tree, colour: bool) -> list[str]:
    label = printable(tree.label)
    shown = _coloured(label, _DIM if tree.is_word else _BLUE, colour) if label else ""
    if tree.is_word:
        word = printable(tree.word or "")
        return [f"{shown} ── {word}" if label else word]
    stem = f"{shown} " if label else ""
    below = " " * (terminal_width(label) + 1) if label else ""
    blocks = [_lines(child, colour) for child in tree.children]
    lines = []
    for k, block in enumerate(blocks):
        if len(blocks) == 1:
            joint, beside = "── ", "   "
        elif k == len(blocks) - 1:
            joint, beside = " ╰─ ", "    "
        else:
            joint, beside = "─┬─ " if k == 0 else " ├─ ", " │  "
        lines.append((stem if k == 0 else below) + joint + block[0])
        lines += [below + beside + line for line in block[1:]]
    return lines


def _coloured(text: str, code: int, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


@dataclass
class _Placed:
    node: Tree
    x: float
    y: float
    children: list[_Placed]


def to_svg(tree: Tree, *, styled: bool = True) -> str:
    """The tree as an SVG element, complete as a file: the root on top, words in a row at the bottom."""
    width, placed = _lay_out(tree)
    depth = tree.height
    height = depth * _STEP + 2 * _MARGIN + 8
    text = printable(" ".join(tree.words))
    name = quoteattr("Tree of: " + text)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="headwise" role="img" aria-label={name}'
        f' width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">\n'
        f"<title>{escape(text)}</title>\n<desc>{escape(printable(str(tree)))}</desc>\n"
    ]
    if styled:
        parts.append(f"<style>\n{stylesheet()}</style>\n")
    stack = [placed]
    while stack:
        at = stack.pop()
        stack.extend(reversed(at.children))
        if at.children:
            parts.append(_lines_below(at))
        if at.node.is_word:
            tag, form = _text(at, "tag", at.node.label), _text(at, "form", at.node.word or "", below=19)
            parts.append(f'<g class="word">{tag}{form}</g>\n')
        elif at.node.label:
            parts.append(f'<g class="arc">{_text(at, "label", at.node.label)}</g>\n')
    parts.append("</svg>\n")
    return "".join(parts)


def _lines_below(at: _Placed) -> str:
    """Down, along and down: no line crosses another, nor a label, as a slanting one to a far word would."""
    bend = at.y + _BEND
    ends = [child.x for child in at.children]
    path = f"M{at.x:.1f} {at.y + 4:.1f}V{bend:.1f}M{min(ends):.1f} {bend:.1f}H{max(ends):.1f}"
    path += "".join(f"M{child.x:.1f} {bend:.1f}V{child.y - _LABEL_SIZE:.1f}" for child in at.children)
    return f'<path class="line" d="{path}"/>\n'


def _text(at: _Placed, kind: str, text: str, below: float = 0.0) -> str:
    return f'<text class="{kind}" x="{at.x:.1f}" y="{at.y + below:.1f}">{escape(printable(text))}</text>'


def _lay_out(tree: Tree) -> tuple[float, _Placed]:
    """Places for all nodes: words side by side, phrases over the middle of their children."""
    depth = tree.height
    edge = _MARGIN

    def place(node: Tree, level: int) -> _Placed:
        nonlocal edge
        own = max(
            em_width(printable(node.label)) * (_TAG_SIZE if node.is_word else _LABEL_SIZE),
            em_width(printable(node.word or "")) * _WORD_SIZE,
        )
        if node.is_word:
            x = edge + own / 2
            edge += own + _BETWEEN
            return _Placed(node, x, (depth - 1) * _STEP + _MARGIN + _LABEL_SIZE, [])
        begin = edge
        children = [place(child, level + 1) for child in node.children]
        x = (children[0].x + children[-1].x) / 2
        if (missing := begin + own / 2 - x) > 0:  # a label wider than what is below it
            for child in children:
                _move(child, lambda x: x + missing)
            x += missing
        edge = max(edge + max(missing, 0.0), x + own / 2 + _BETWEEN)
        return _Placed(node, x, level * _STEP + _MARGIN + _LABEL_SIZE, children)

    placed = place(tree, 0)
    width = edge - _BETWEEN + _MARGIN
    if is_right_to_left("".join(tree.words)):
        _move(placed, lambda x: width - x)
    return width, placed


def _move(placed: _Placed, to: Callable[[float], float]) -> None:
    stack = [placed]
    while stack:
        at = stack.pop()
        at.x = to(at.x)
        stack.extend(at.children)


def to_notebook(tree: Tree) -> str:
    """HTML for a cell of a notebook."""
    return f'<div style="overflow-x: auto">{to_svg(tree)}</div>'


def html_pieces(trees: Iterable[Tree], *, title: str) -> Iterator[str]:
    """A page of drawings bit by bit, in the style of the pages of dependency trees."""
    from headwise.display.html import html_pieces as page

    start, *_, end = page([], title=title)
    yield start
    for tree in trees:
        caption = escape(printable(" ".join(tree.words)))
        yield '<div class="sentence">\n<figure>\n<div class="tree" tabindex="0">\n'
        yield f'{to_svg(tree, styled=False)}</div>\n<figcaption dir="auto">{caption}</figcaption>\n'
        yield "</figure>\n</div>\n"
    yield end


def to_html(trees: Iterable[Tree], *, title: str = "Phrase-structure trees") -> str:
    """A page of drawings that needs nothing but itself."""
    return "".join(html_pieces(trees, title=title))
