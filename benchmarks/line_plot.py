"""A line plot as a self-contained SVG, legible on light and dark pages and without colours."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 40, 56
"""Margins around the plotting area."""
LABEL_WIDTH = 44
"""Labels of the x axis that would come closer than this are left out."""
CAPACITY = 4
"""As many series as there are colours and markers to tell apart."""

STYLE = """\
svg { color: #222; background: #fff; font: 13px system-ui, sans-serif }
text { fill: currentColor }
.axis { stroke: currentColor; fill: none }
.grid { stroke: currentColor; opacity: 0.15 }
.series { fill: none; stroke-width: 2 }
.c0 { color: #0060b0 } .c1 { color: #c04a00 } .c2 { color: #00784f } .c3 { color: #8a3d9c }
.c0, .c1, .c2, .c3 { stroke: currentColor }
.marker { fill: currentColor }
@media (prefers-color-scheme: dark) {
  svg { color: #ddd; background: #181818 }
  .c0 { color: #62b0f5 } .c1 { color: #ff9b5c } .c2 { color: #4fd0a0 } .c3 { color: #d59be6 }
}
"""


@dataclass(frozen=True)
class Series:
    name: str
    points: Sequence[tuple[float, float]]


def line_plot(series: Sequence[Series], *, title: str, x_label: str, y_label: str) -> str:
    """Draw series over a logarithmic x axis; the x axis is labelled where there are points."""
    if not 1 <= len(series) <= CAPACITY or not all(one.points for one in series):
        raise ValueError(f"a plot needs one to {CAPACITY} series, each with at least one point")
    return "\n".join(_svg(series, title, x_label, y_label)) + "\n"


def ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Round numbers, evenly spaced, that enclose the range: steps of 1, 2 or 5 times a power of ten."""
    if high <= low:
        low, high = low - 0.5, high + 0.5
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(f * power for f in (1, 2, 5, 10, 20) if (high - low) / (f * power) <= most)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(i * step, 10) for i in range(first, last + 1)]


@dataclass(frozen=True)
class _Scale:
    """From values to places on the paper."""

    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        if self.high == self.low:  # a single value lies in the middle
            return (self.begin + self.end) / 2
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)


def _svg(series: Sequence[Series], title: str, x_label: str, y_label: str) -> Iterator[str]:
    xs = sorted({x for one in series for x, _ in one.points})
    ys = [y for one in series for _, y in one.points]
    y_ticks = ticks(min(ys), max(ys))
    x_scale = _Scale(math.log(xs[0]), math.log(xs[-1]), LEFT + 12, WIDTH - RIGHT - 12)
    y_scale = _Scale(y_ticks[0], y_ticks[-1], HEIGHT - BOTTOM, TOP)

    def x_at(value: float) -> float:
        return x_scale(math.log(value))

    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{WIDTH}" height="{HEIGHT}"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}">'
    )
    yield f"<title>{escape(title)}</title>\n<style>{STYLE}</style>"
    yield _text(WIDTH / 2, 22, title, "middle")
    for y in y_ticks:
        yield _line("grid", LEFT, y_scale(y), WIDTH - RIGHT, y_scale(y))
        yield _text(LEFT - 8, y_scale(y) + 4, f"{y:g}", "end")
    for x in _spaced(xs, x_at):
        yield _line("axis", x_at(x), HEIGHT - BOTTOM, x_at(x), HEIGHT - BOTTOM + 5)
        yield _text(x_at(x), HEIGHT - BOTTOM + 20, f"{x:,.0f}", "middle")
    yield f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>'
    yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x_label, "middle")
    middle = (TOP + HEIGHT - BOTTOM) / 2
    yield (
        f'<text x="16" y="{middle:.1f}" text-anchor="middle"'
        f' transform="rotate(-90 16 {middle:.1f})">{escape(y_label)}</text>'
    )
    for index, one in enumerate(series):
        points = [(x_at(x), y_scale(y)) for x, y in one.points]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        yield f'<path class="series c{index}" d="M{path}"/>'
        for x, y in points:
            yield _marker(index, x, y)
    yield from _legend(series)
    yield "</svg>"


def _legend(series: Sequence[Series]) -> Iterator[str]:
    """At the bottom right, where learning curves leave room; the last series, often the highest, first."""
    x = WIDTH - RIGHT - 150
    for row, index in enumerate(reversed(range(len(series)))):
        y = HEIGHT - BOTTOM - 18 - 20 * (len(series) - 1 - row)
        yield _line(f"series c{index}", x, y, x + 28, y)
        yield _marker(index, x + 14, y)
        yield _text(x + 36, y + 4, series[index].name, "start")


def _spaced(values: Sequence[float], place: Callable[[float], float]) -> list[float]:
    """The values whose labels do not touch; the largest always has one."""
    chosen = [values[-1]]
    for value in reversed(values[:-1]):
        if place(chosen[-1]) - place(value) >= LABEL_WIDTH:
            chosen.append(value)
    return chosen[::-1]


def _marker(index: int, x: float, y: float) -> str:
    """A disc, square, triangle or diamond: series differ in shape as well as in colour."""
    if index == 0:
        return f'<circle class="marker c0" cx="{x:.1f}" cy="{y:.1f}" r="4"/>'
    corners = {
        1: [(-4, -4), (4, -4), (4, 4), (-4, 4)],
        2: [(0, -5), (5, 4), (-5, 4)],
        3: [(0, -6), (5, 0), (0, 6), (-5, 0)],
    }[index]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon class="marker c{index}" points="{points}"/>'


def _line(style: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{style}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
