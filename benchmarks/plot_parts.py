"""What plots are made of: paper, scales, ticks, markers; self-contained SVG, for light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 40, 56
"""Margins around the plotting area."""

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


def ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Round numbers, evenly spaced, that enclose the range: steps of 1, 2 or 5 times a power of ten."""
    if high <= low:
        low, high = low - 0.5, high + 0.5
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(f * power for f in (1, 2, 5, 10, 20) if (high - low) / (f * power) <= most)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(i * step, 10) for i in range(first, last + 1)]


@dataclass(frozen=True)
class Scale:
    """From values to places on the paper."""

    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        if self.high == self.low:  # a single value lies in the middle
            return (self.begin + self.end) / 2
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)


def frame(
    title: str, x_label: str, y_label: str, y_ticks: Sequence[float], y_at: Callable[[float], float]
) -> Iterator[str]:
    """The beginning of a picture: its title, the axes, and lines across it at the ticks of the y axis."""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{WIDTH}" height="{HEIGHT}"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}">'
    )
    yield f"<title>{escape(title)}</title>\n<style>{STYLE}</style>"
    yield text_at(WIDTH / 2, 22, title, "middle")
    for y in y_ticks:
        yield line("grid", LEFT, y_at(y), WIDTH - RIGHT, y_at(y))
        yield text_at(LEFT - 8, y_at(y) + 4, f"{y:g}", "end")
    yield f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>'
    yield text_at((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x_label, "middle")
    middle = (TOP + HEIGHT - BOTTOM) / 2
    yield (
        f'<text x="16" y="{middle:.1f}" text-anchor="middle"'
        f' transform="rotate(-90 16 {middle:.1f})">{escape(y_label)}</text>'
    )


def x_tick(x: float, value: float) -> Iterator[str]:
    """A mark below the x axis, and its number."""
    yield line("axis", x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 5)
    yield text_at(x, HEIGHT - BOTTOM + 20, f"{value:,.0f}", "middle")


def marker(index: int, x: float, y: float) -> str:
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


def line(style: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{style}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def text_at(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
