"""Plots as small SVGs, by matplotlib (the extra ``benchmarks``). Nothing else needs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MARKERS = "osD^vxP*"
SIZE = (5.2, 3.2)
PLACES = {
    "left center": (6, 0),
    "right center": (-6, 0),
    "center bottom": (0, 5),
    "center top": (0, -5),
    "left bottom": (4, 4),
    "left top": (4, -4),
    "right top": (-4, -4),
    "right bottom": (-4, 4),
}
"""Where a name may stand: what of it is at the point, and how far off."""
NO_FACTS = ("Creator", "Date", "Format", "Type")
"""What a file need not say of itself."""


@dataclass(frozen=True)
class Line:
    label: str
    points: Sequence[Sequence[float]]
    names: Sequence[str] = ()
    """Of the points, which are then not joined by a line."""


@dataclass(frozen=True)
class Plot:
    """Lines, named points, or bars by group."""

    name: str
    title: str
    lines: Sequence[Line]
    x_label: str
    y_label: str
    logarithmic: bool = False
    groups: Sequence[str] = ()
    """For bars: the names of the groups; the points of a line are then (place of the group, height)."""


def has_matplotlib() -> bool:
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def draw(plot: Plot, path: Path) -> None:
    """The same plot gives the same bytes."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    fixed = {"svg.fonttype": "none", "svg.hashsalt": "headwise", "font.size": 9, "axes.grid": True}
    is_named = any(line.names for line in plot.lines)
    with mpl.rc_context({**fixed, "grid.alpha": 0.3, "legend.frameon": False}):
        figure, axes = pyplot.subplots(figsize=(7.5, 4.8) if is_named else SIZE, layout="constrained")
        if plot.logarithmic:
            axes.set_xscale("log")
        if plot.groups:
            _bars(axes, plot)
        else:
            _lines(axes, plot)
        axes.set(title=plot.title, xlabel=plot.x_label, ylabel=plot.y_label)
        axes.legend()
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, format="svg", metadata=dict.fromkeys(NO_FACTS))
        pyplot.close(figure)


def _lines(axes: Any, plot: Plot) -> None:
    for line, marker in zip(plot.lines, MARKERS, strict=False):
        x, y = zip(*line.points, strict=True)
        style = {"linestyle": "none", "markersize": 5} if line.names else {"linewidth": 1.2, "markersize": 3}
        axes.plot(x, y, label=line.label, marker=marker, **style)
    if any(line.names for line in plot.lines):
        from matplotlib.ticker import StrMethodFormatter

        axes.margins(0.12)
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        _names(
            axes,
            [
                (name, point)
                for line in plot.lines
                for name, point in zip(line.names, line.points, strict=True)
            ],
        )


def _names(axes: Any, points: Sequence[tuple[str, Sequence[float]]]) -> None:
    """Each beside its point, where no other name and no other point is."""
    axes.figure.draw_without_rendering()
    taken = [axes.transData.transform(point) for _, point in points]
    boxes: list[Any] = []
    for number, (name, point) in enumerate(points):
        others = [place for i, place in enumerate(taken) if i != number]
        for anchor, offset in PLACES.items():
            horizontal, vertical = anchor.split()
            text = axes.annotate(
                name, point, offset, textcoords="offset points", fontsize=8, ha=horizontal, va=vertical
            )
            box = text.get_window_extent().padded(2)
            if not any(map(box.overlaps, boxes)) and not any(box.contains(*place) for place in others):
                boxes.append(box)
                break
            text.remove()
        else:
            raise ValueError(f"there is no room for the name of {name}")


def _bars(axes: Any, plot: Plot) -> None:
    width = 0.8 / len(plot.lines)
    for i, line in enumerate(plot.lines):
        places = [x + (i - (len(plot.lines) - 1) / 2) * width for x, _ in line.points]
        axes.bar(places, [y for _, y in line.points], width, label=line.label)
    axes.set_xticks(range(len(plot.groups)), plot.groups)
    heights = [y for line in plot.lines for _, y in line.points]
    if min(heights) > 50:  # percentages: what matters is their difference
        axes.set_ylim(min(heights) - 1, max(heights) + 1)
