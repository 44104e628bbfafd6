"""Reliability drawn as SVG: accuracy over probability, and errors found over words looked at."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape

from headwise.evaluation.reliability import Reliability

_SIDE = 260.0
_LEFT, _TOP, _GAP, _BOTTOM = 52.0, 44.0, 86.0, 48.0
_SMALLEST, _LARGEST = 2.0, 9.0
"""Radii of points."""
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)

_STYLE = """
.reliability { font: 12px system-ui, "Segoe UI", "Noto Sans", Arial, sans-serif; color: #1c2024; }
.reliability text { fill: currentColor; }
.reliability .frame { fill: none; stroke: currentColor; opacity: 0.35; }
.reliability .ideal { stroke: currentColor; stroke-dasharray: 4 4; opacity: 0.45; fill: none; }
.reliability .curve { fill: none; stroke: #2a6fc9; stroke-width: 2; stroke-linejoin: round; }
.reliability .point { fill: #2a6fc9; fill-opacity: 0.7; }
.reliability .mark { stroke: #a86200; stroke-dasharray: 2 3; fill: none; }
.reliability .note { opacity: 0.65; }
.reliability .name { font-weight: 600; }
@media screen and (prefers-color-scheme: dark) {
  .reliability { color: #e4e8ec; }
  .reliability .curve { stroke: #7db4ff; }
  .reliability .point { fill: #7db4ff; }
  .reliability .mark { stroke: #e5a84b; }
}
"""


def reliability_svg(found: Sequence[Reliability]) -> str:
    """One row for each thing assessed: the reliability diagram and the error-detection curve."""
    return "".join(_picture(found))


def reliability_html(found: Sequence[Reliability], *, title: str) -> str:
    """The same as a page that needs nothing but itself."""
    return (
        '<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml">\n<head>\n<meta charset="utf-8"/>\n'
        f"<title>{escape(title)}</title>\n"
        "<style>:root { color-scheme: light dark; } body { margin: 2rem; font-family: system-ui; }"
        f"</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n{reliability_svg(found)}</body>\n</html>\n"
    )


def _picture(found: Sequence[Reliability]) -> Iterator[str]:
    width, row = _LEFT + 2 * _SIDE + _GAP + 16, _TOP + _SIDE + _BOTTOM
    height = row * len(found)
    names = ", ".join(item.name for item in found)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="reliability" role="img" width="{width:.0f}"'
        f' height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' aria-label="Reliability of probabilities: {escape(names)}">\n<style>{_STYLE}</style>\n'
    )
    for number, item in enumerate(found):
        yield f'<g transform="translate({_LEFT:.0f} {number * row + _TOP:.0f})">\n'
        yield from _diagram(item)
        yield f'</g>\n<g transform="translate({_LEFT + _SIDE + _GAP:.0f} {number * row + _TOP:.0f})">\n'
        yield from _detection(item)
        yield "</g>\n"
    yield "</svg>\n"


def _diagram(item: Reliability) -> Iterator[str]:
    """Accuracy over mean probability, a point for each bin of equal width; its area says how many words."""
    yield from _frame(f"{item.name}: {item.words:,} words", "probability", "share right")
    yield f'<path class="ideal" d="M0 {_SIDE:.0f}L{_SIDE:.0f} 0"/>\n'
    points = [(bin.confidence, bin.accuracy) for bin in item.equal_width]
    yield f'<path class="curve" d="{_path(points)}"/>\n'
    most = max(bin.words for bin in item.equal_width)
    for bin in item.equal_width:
        x, y = bin.confidence * _SIDE, (1 - bin.accuracy) * _SIDE
        radius = max(_SMALLEST, _LARGEST * math.sqrt(bin.words / most))
        words = f"{bin.words:,} words of probability {bin.confidence:.3f}: {bin.accuracy:.1%} right"
        circle = f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}">'
        yield f"{circle}<title>{words}</title></circle>\n"
    errors = " / ".join(f"{item.error_of(bins):.2%}" for bins in (item.equal_width, item.equal_mass))
    yield _note('x="10" y="20"', f"calibration error {errors}")
    yield _note('x="10" y="36"', "(bins of equal width / mass)")


def _detection(item: Reliability) -> Iterator[str]:
    half = item.looked_at_to_find(0.5)
    yield from _frame("finding errors", "share of words looked at, least probable first", "errors found")
    yield f'<path class="ideal" d="M0 {_SIDE:.0f}L{_SIDE:.0f} 0"/>\n'
    looked_at, found = item.detection
    step = max(1, len(looked_at) // 400)  # finer than the eye
    points = [*zip(looked_at[::step].tolist(), found[::step].tolist(), strict=True), (1.0, 1.0)]
    yield f'<path class="curve" d="{_path(points)}"/>\n'
    x = half * _SIDE
    yield f'<path class="mark" d="M0 {_SIDE / 2:.1f}H{x:.1f}V{_SIDE:.1f}"/>\n'
    yield (
        f'<text class="note" x="{x + 8:.1f}" y="{_SIDE - 28:.1f}">half of the errors in {half:.1%}</text>\n'
        f'<text class="note" x="{x + 8:.1f}" y="{_SIDE - 12:.1f}">area {item.detection_area:.3f}'
        f" of {item.best_detection_area:.3f}</text>\n"
    )


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x * _SIDE:.1f} {(1 - y) * _SIDE:.1f}" for x, y in points)


def _frame(name: str, across: str, up: str) -> Iterator[str]:
    yield f'<rect class="frame" width="{_SIDE:.0f}" height="{_SIDE:.0f}"/>\n'
    yield f'<text class="name" x="0" y="-14">{escape(name)}</text>\n'
    yield _note(f'x="{_SIDE / 2:.0f}" y="{_SIDE + 36:.0f}" text-anchor="middle"', across)
    yield _note(f'transform="translate(-38 {_SIDE / 2:.0f}) rotate(-90)" text-anchor="middle"', up)
    for tick in _TICKS:
        place = tick * _SIDE
        yield _note(f'x="{place:.0f}" y="{_SIDE + 17:.0f}" text-anchor="middle"', f"{tick:g}")
        yield _note(f'x="-7" y="{_SIDE - place + 4:.0f}" text-anchor="end"', f"{tick:g}")


def _note(attributes: str, text: str) -> str:
    return f'<text class="note" {attributes}>{escape(text)}</text>\n'
