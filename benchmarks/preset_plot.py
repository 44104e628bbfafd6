"""Accuracy against speed, presets and other parsers: ``python benchmarks/preset_plot.py`` draws it again.

Figures of presets are in presets.json (``python benchmarks/figures.py presets`` measures and draws them),
those of other parsers are in peers.json. Nothing is measured here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import preset_figures
from point_plot import Point, point_plot

HERE = Path(__file__).parent
PEERS = HERE / "peers.json"
PICTURE = HERE.parent / "docs/figures/presets-EWT.svg"
TREEBANK = "UD_English-EWT"
NAMES = {
    "first": "first",
    "second": "fast",
    "third": "third",
    "network": "accurate",
    "torch-network": "network --torch",
    "torch-third": "accurate --torch",
    "taught-network": "network --teacher",
    "taught-third": "accurate --teacher",
}
"""Of the columns that are shown."""


def points(cells: Iterable[preset_figures.Cell]) -> list[Point]:
    found = {cell["column"]: cell for cell in cells if cell["treebank"] == TREEBANK}
    presets = [
        Point(name, found[column]["tokens_per_cpu_second"], found[column]["las"])
        for column, name in NAMES.items()
    ]
    peers = json.loads(PEERS.read_text(encoding="utf-8"))["peers"]
    return [Point(peer["name"], peer["tokens_per_second"], peer["las"], 1) for peer in peers] + presets


def drawn(cells: Iterable[preset_figures.Cell]) -> str:
    return point_plot(
        points(cells),
        title="English EWT, gold tags: accuracy against speed",
        x_label="tokens a second, one core",
        y_label="LAS",
        kinds=("Headwise", "others"),
    )


def write() -> None:
    PICTURE.write_text(drawn(preset_figures.load()), encoding="utf-8")


if __name__ == "__main__":
    write()
