"""The picture of accuracy against speed shows the figures that are stored, and can be read."""

from __future__ import annotations

from itertools import combinations

import pytest

import preset_figures
import preset_plot
from point_plot import MARK, Box, Point, placed, point_plot


def test_the_picture_is_in_step_with_the_figures() -> None:
    """After a change, ``python benchmarks/preset_plot.py`` draws it again."""
    assert preset_plot.PICTURE.read_text(encoding="utf-8") == preset_plot.drawn(preset_figures.load())


def test_another_figure_gives_another_picture() -> None:
    cells = preset_figures.load()
    changed = [
        {**cell, "las": cell["las"] - 0.5}
        if (cell["treebank"], cell["column"]) == (preset_plot.TREEBANK, "network")
        else cell
        for cell in cells
    ]
    assert preset_plot.drawn(changed) != preset_plot.drawn(cells)


def test_names_stand_beside_their_points_and_hide_nothing() -> None:
    found = placed(preset_plot.points(preset_figures.load()))
    assert {one.point.name for one in found} >= {"fast", "accurate", "UDPipe 1.4", "spaCy 3.8 (no tags)"}
    markers = [Box(one.x - MARK, one.y - MARK, 2 * MARK, 2 * MARK) for one in found]
    for one, other in combinations(found, 2):
        assert not one.name.meets(other.name)
    for index, one in enumerate(found):
        assert one.name.is_inside()
        assert not any(one.name.meets(box) for i, box in enumerate(markers) if i != index)


def test_points_without_room_for_their_names_are_refused() -> None:
    crowd = [Point(f"a long name {i}", 10 + 0.001 * i, 1.0) for i in range(20)]
    with pytest.raises(ValueError, match="no room"):
        point_plot([*crowd, Point("far", 1000, 2.0)], title="", x_label="", y_label="", kinds=("all",))
