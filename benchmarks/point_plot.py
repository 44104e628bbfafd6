"""Named points over a logarithmic x axis as a self-contained SVG, legible on light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from plot_parts import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Scale, frame, marker, text_at, ticks, x_tick

ROUND = (1, 2, 5)
"""Numbers of the x axis, times powers of ten."""
LETTER, LINE = 7.0, 15.0
"""At most the width of a letter, and the height of a line of text."""
MARK = 7.0
"""From the middle of a marker to where its name begins."""


@dataclass(frozen=True)
class Point:
    name: str
    x: float
    y: float
    kind: int = 0
    """Which of the markers and colours it has."""


@dataclass(frozen=True)
class Box:
    """A rectangle on the paper."""

    left: float
    top: float
    width: float
    height: float

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.left + other.width
            and other.left < self.left + self.width
            and self.top < other.top + other.height
            and other.top < self.top + self.height
        )

    def is_inside(self) -> bool:
        """Within the axes."""
        right, bottom = self.left + self.width, self.top + self.height
        return self.left > LEFT and right < WIDTH and self.top > TOP - LINE and bottom < HEIGHT - BOTTOM


@dataclass(frozen=True)
class Placed:
    """A point on the paper, and where its name stands."""

    point: Point
    x: float
    y: float
    name: Box


def point_plot(
    points: Sequence[Point], *, title: str, x_label: str, y_label: str, kinds: Sequence[str]
) -> str:
    """Draw points with their names beside them; ``kinds`` name the markers."""
    return "\n".join(_svg(points, title, x_label, y_label, kinds)) + "\n"


def placed(points: Sequence[Point]) -> list[Placed]:
    """Where points lie, and their names: beside them, where nothing else is."""
    x_scale, y_scale = _scales(points)
    places = [(x_scale(math.log(point.x)), y_scale(point.y)) for point in points]
    taken = [Box(x - MARK, y - MARK, 2 * MARK, 2 * MARK) for x, y in places]
    found = []
    for index, (point, (x, y)) in enumerate(zip(points, places, strict=True)):
        others = taken[:index] + taken[index + 1 :]
        boxes = [box for box in _around(x, y, LETTER * len(point.name)) if box.is_inside()]
        free = [box for box in boxes if not any(box.meets(other) for other in others)]
        if not free:
            raise ValueError(f"there is no room for the name of {point.name}")
        taken.append(free[0])
        found.append(Placed(point, x, y, free[0]))
    return found


def _around(x: float, y: float, width: float) -> Iterator[Box]:
    """To the right of a place, to the left, above and below it, and then at the corners."""
    yield Box(x + MARK, y - LINE / 2, width, LINE)
    yield Box(x - MARK - width, y - LINE / 2, width, LINE)
    yield Box(x - width / 2, y - MARK - LINE, width, LINE)
    yield Box(x - width / 2, y + MARK, width, LINE)
    for left, top in product((x, x - width), (y - MARK - LINE, y + MARK)):
        yield Box(left, top, width, LINE)


def _scales(points: Sequence[Point]) -> tuple[Scale, Scale]:
    xs, y_ticks = [math.log(point.x) for point in points], _y_ticks(points)
    room = 0.06 * (max(xs) - min(xs))
    return (
        Scale(min(xs) - room, max(xs) + room, LEFT, WIDTH - RIGHT),
        Scale(y_ticks[0], y_ticks[-1], HEIGHT - BOTTOM, TOP),
    )


def _y_ticks(points: Sequence[Point]) -> list[float]:
    return ticks(min(point.y for point in points), max(point.y for point in points))


def _svg(
    points: Sequence[Point], title: str, x_label: str, y_label: str, kinds: Sequence[str]
) -> Iterator[str]:
    x_scale, y_scale = _scales(points)
    yield from frame(title, x_label, y_label, _y_ticks(points), y_scale)
    for power, factor in product(range(12), ROUND):
        value = factor * 10.0**power
        if x_scale.low <= math.log(value) <= x_scale.high:
            yield from x_tick(x_scale(math.log(value)), value)
    for one in placed(points):
        yield marker(one.point.kind, one.x, one.y)
        box = one.name
        anchor = "start" if box.left > one.x else "end" if box.left + box.width < one.x else "middle"
        x = box.left + {"start": 0, "middle": 0.5, "end": 1}[anchor] * box.width
        yield text_at(x, box.top + LINE - 4, one.point.name, anchor)
    for row, name in enumerate(kinds):
        y = HEIGHT - BOTTOM - 16 - 20 * (len(kinds) - 1 - row)
        yield marker(row, WIDTH - RIGHT - 110, y)
        yield text_at(WIDTH - RIGHT - 98, y + 4, name, "start")
    yield "</svg>"
