"""Plots as small SVGs, by matplotlib: pip install matplotlib. Nothing else needs it."""

from __future__ import annotations

from pathlib import Path

from papers.page import Plot

MARKERS = "osD^vxP*"
SIZE = (5.2, 3.2)
NO_FACTS = ("Creator", "Date", "Format", "Type")
"""What a file need not say of itself."""


def draw(plot: Plot, path: Path) -> None:
    """The same plot gives the same bytes."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    fixed = {"svg.fonttype": "none", "svg.hashsalt": "headwise", "font.size": 9, "axes.grid": True}
    with mpl.rc_context({**fixed, "grid.alpha": 0.3, "legend.frameon": False}):
        figure, axes = pyplot.subplots(figsize=SIZE, layout="constrained")
        if plot.groups:
            _bars(axes, plot)
        else:
            for line, marker in zip(plot.lines, MARKERS, strict=False):
                x, y = zip(*line.points, strict=True)
                axes.plot(x, y, label=line.label, marker=marker, markersize=3, linewidth=1.2)
        if plot.logarithmic:
            axes.set_xscale("log")
        axes.set(title=plot.title, xlabel=plot.x_label, ylabel=plot.y_label)
        axes.legend()
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, format="svg", metadata=dict.fromkeys(NO_FACTS))
        pyplot.close(figure)


def _bars(axes, plot: Plot) -> None:  # type: ignore[no-untyped-def]
    width = 0.8 / len(plot.lines)
    for i, line in enumerate(plot.lines):
        places = [x + (i - (len(plot.lines) - 1) / 2) * width for x, _ in line.points]
        axes.bar(places, [y for _, y in line.points], width, label=line.label)
    axes.set_xticks(range(len(plot.groups)), plot.groups)
    heights = [y for line in plot.lines for _, y in line.points]
    if min(heights) > 50:  # percentages: what matters is their difference
        axes.set_ylim(min(heights) - 1, max(heights) + 1)
