"""A line plot as a self-contained SVG, legible on light and dark pages and without colours."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from plot_parts import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Scale,
    frame,
    line,
    marker,
    text_at,
    ticks,
    x_tick,
)

LABEL_WIDTH = 44
"""Labels of the x axis that would come closer than this are left out."""
CAPACITY = 4
"""As many series as there are colours and markers to tell apart."""


@dataclass(frozen=True)
class Series:
    name: str
    points: Sequence[tuple[float, float]]


def line_plot(series: Sequence[Series], *, title: str, x_label: str, y_label: str) -> str:
    """Draw series over a logarithmic x axis; the x axis is labelled where there are points."""
    if not 1 <= len(series) <= CAPACITY or not all(one.points for one in series):
        raise ValueError(f"a plot needs one to {CAPACITY} series, each with at least one point")
    return "\n".join(_svg(series, title, x_label, y_label)) + "\n"


def _svg(series: Sequence[Series], title: str, x_label: str, y_label: str) -> Iterator[str]:
    xs = sorted({x for one in series for x, _ in one.points})
    ys = [y for one in series for _, y in one.points]
    y_ticks = ticks(min(ys), max(ys))
    x_scale = Scale(math.log(xs[0]), math.log(xs[-1]), LEFT + 12, WIDTH - RIGHT - 12)
    y_scale = Scale(y_ticks[0], y_ticks[-1], HEIGHT - BOTTOM, TOP)

    def x_at(value: float) -> float:
        return x_scale(math.log(value))

    yield from frame(title, x_label, y_label, y_ticks, y_scale)
    for x in _spaced(xs, x_at):
        yield from x_tick(x_at(x), x)
    for index, one in enumerate(series):
        points = [(x_at(x), y_scale(y)) for x, y in one.points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        yield f'<path class="series c{index}" d="M{path}"/>'
        for x, y in points:
            yield marker(index, x, y)
    yield from _legend(series)
    yield "</svg>"


def _legend(series: Sequence[Series]) -> Iterator[str]:
    """At the bottom right, where learning curves leave room; the last series, often the highest, first."""
    x = WIDTH - RIGHT - 150
    for row, index in enumerate(reversed(range(len(series)))):
        y = HEIGHT - BOTTOM - 18 - 20 * (len(series) - 1 - row)
        yield line(f"series c{index}", x, y, x + 28, y)
        yield marker(index, x + 14, y)
        yield text_at(x + 36, y + 4, series[index].name, "start")


def _spaced(values: Sequence[float], place: Callable[[float], float]) -> list[float]:
    """The values whose labels do not touch; the largest always has one."""
    chosen = [values[-1]]
    for value in reversed(values[:-1]):
        if place(chosen[-1]) - place(value) >= LABEL_WIDTH:
            chosen.append(value)
    return chosen[::-1]
