"""Where words and lines go when words stand side by side, in pixels from the left.

Each line ends at a place of its own over its word. Lines to the left end left of lines to the right, and the
higher ones nearer to the middle, so that arcs of a projective tree never touch. Words are as close as their
text and the labels of the arcs between them allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from headwise.base.writing_systems import em_width, is_right_to_left, printable
from headwise.display.drawing import Arc, Drawing
from headwise.display.levels import arc_levels

WORD_SIZE = 15.0
TAG_SIZE = 9.5
LABEL_SIZE = 11.0

_BETWEEN_WORDS = 16.0
_BETWEEN_ENDS = 7.0
_SHOULDER = 9.0
"""The curve at each end of an arc, where no label can be."""
_AROUND_LABEL = 5.0
_IN_SIGHT = 120.0
"""A label is not further than this from the modifier that it belongs to, however long the arc."""
_MARGIN = 8.0
_WORTH_SAYING = 0.95
"""An arc at least this sure is drawn without its probability."""


@dataclass(frozen=True)
class Line:
    """An arc in its place."""

    arc: Arc
    level: int
    head_x: float
    modifier_x: float
    text: str
    text_x: float

    @property
    def text_width(self) -> float:
        return label_width(self.text)


@dataclass(frozen=True)
class Layout:
    width: float
    words: list[float]
    """The middle of each word."""
    above: list[Line]
    below: list[Line]
    """Gold's arcs for the words that are wrong."""
    alternatives: list[list[Line]]
    """For each word its other heads, to be seen one word at a time."""


def label_width(text: str) -> float:
    return em_width(text) * LABEL_SIZE


def label_text(arc: Arc) -> str:
    """The label, and how sure it is where that is in doubt."""
    label = printable(arc.label)
    if arc.confidence is None or arc.confidence >= _WORTH_SAYING:
        return label
    return f"{label} {100 * arc.confidence:.0f}%".strip()


def lay_out(drawing: Drawing) -> Layout:
    """Places for everything in the drawing, from right to left where its words run that way."""
    bundles = [_Bundle(drawing.arcs), _Bundle(drawing.corrections)]
    bundles += [_Bundle(arcs) for arcs in drawing.alternatives]
    halves = [
        max(
            em_width(printable(word.form)) * WORD_SIZE / 2,
            em_width(printable(word.tag)) * TAG_SIZE / 2,
            *(bundle.reach(m) for bundle in bundles),
        )
        for m, word in enumerate(drawing.words, 1)
    ]
    words = _word_places(halves, bundles)
    # Labels of arcs from the root may be wider than their words, also at the edges of the picture.
    reach = [max(half, *(b.root_reach(m) for b in bundles)) for m, half in enumerate(halves, 1)]
    room = _MARGIN - min(x - r for x, r in zip(words, reach, strict=True))
    words = [x + room for x in words]
    width = max(x + r for x, r in zip(words, reach, strict=True)) + _MARGIN
    if is_right_to_left("".join(word.form for word in drawing.words)):
        words = [width - x for x in words]
        for bundle in bundles:
            bundle.mirror()
    above, below, *alternatives = ([*bundle.lines(words)] for bundle in bundles)
    return Layout(width, words, above, below, alternatives)


class _Bundle:
    """Arcs that are seen together on one side of the words, and where they end around the middle of each."""

    def __init__(self, arcs: Sequence[Arc]) -> None:
        self.arcs = arcs
        self.levels = arc_levels(arcs)
        self.offsets: dict[tuple[int, int], float] = {}
        """(arc, word): how far from the middle of the word the arc ends."""
        ends: dict[int, list[tuple[float, int]]] = {}
        for index, arc in enumerate(arcs):
            left, right = arc.span
            if arc.from_root:
                ends.setdefault(right, []).append((0.0, index))
            else:
                # At its right end the outer arc is further right, at its left end further left.
                ends.setdefault(left, []).append((1 / self.levels[index], index))
                ends.setdefault(right, []).append((-1 / self.levels[index], index))
        for word, places in ends.items():
            for position, (_, index) in enumerate(sorted(places)):
                self.offsets[index, word] = (position - (len(places) - 1) / 2) * _BETWEEN_ENDS

    def reach(self, word: int) -> float:
        """How far from the middle of a word its outermost line ends."""
        return max((abs(x) for (_, at), x in self.offsets.items() if at == word), default=0.0)

    def root_reach(self, word: int) -> float:
        """How far from the middle of a word the label of its arc from the root reaches."""
        roots = (i for i, arc in enumerate(self.arcs) if arc.from_root and arc.modifier == word)
        return max((abs(self.offsets[i, word]) + self._label_width(i) / 2 for i in roots), default=0.0)

    def distances(self) -> list[tuple[int, int, float]]:
        """How far apart the words of each arc must be for its label to fit."""
        return [
            (left, right, self._room(index) + self.offsets[index, left] - self.offsets[index, right])
            for index, arc in enumerate(self.arcs)
            if not arc.from_root
            for left, right in [arc.span]
        ]

    def _room(self, index: int) -> float:
        return 2 * (_SHOULDER + _AROUND_LABEL) + self._label_width(index)

    def _label_width(self, index: int) -> float:
        return label_width(label_text(self.arcs[index]))

    def mirror(self) -> None:
        self.offsets = {end: -x for end, x in self.offsets.items()}

    def lines(self, words: Sequence[float]) -> list[Line]:
        placed = [self._line(index, words) for index in range(len(self.arcs))]
        return [replace(line, text_x=_free_place(line, placed)) for line in placed]

    def _line(self, index: int, words: Sequence[float]) -> Line:
        arc = self.arcs[index]
        modifier_x = words[arc.modifier - 1] + self.offsets[index, arc.modifier]
        head_x = modifier_x if arc.from_root else words[arc.head - 1] + self.offsets[index, arc.head]
        towards_head = max(-_IN_SIGHT, min(_IN_SIGHT, (head_x - modifier_x) / 2))
        return Line(
            arc, self.levels[index], head_x, modifier_x, label_text(arc), text_x=modifier_x + towards_head
        )


def _word_places(halves: Sequence[float], bundles: Sequence[_Bundle]) -> list[float]:
    """The leftmost place for each word that leaves room for its text and for the labels that end at it."""
    wanted: dict[int, list[tuple[int, float]]] = {}
    for bundle in bundles:
        for left, right, distance in bundle.distances():
            wanted.setdefault(right, []).append((left, distance))
    places = [_MARGIN + halves[0]]
    for m in range(2, len(halves) + 1):
        beside_last = places[-1] + halves[m - 2] + _BETWEEN_WORDS + halves[m - 1]
        places.append(
            max([beside_last, *(places[left - 1] + distance for left, distance in wanted.get(m, []))])
        )
    return places


def _free_place(line: Line, lines: Sequence[Line]) -> float:
    """The place for its label nearest to the one proposed where no line that crosses the arc runs through."""
    half = line.text_width / 2 + _AROUND_LABEL
    left, right = sorted((line.head_x, line.modifier_x))
    verticals = [x for other in lines if other.level > line.level for x in (other.head_x, other.modifier_x)]
    verticals = [x for x in verticals if left + 1 < x < right - 1]
    candidates = [line.text_x, *(x + side * (half + 1) for x in verticals for side in (-1, 1))]
    fitting = [
        x
        for x in candidates
        if left + _SHOULDER + half <= x + 0.01
        and x - 0.01 <= right - _SHOULDER - half
        and all(abs(x - vertical) > half for vertical in verticals)
    ]
    return min(fitting, key=lambda x: abs(x - line.text_x), default=line.text_x)
