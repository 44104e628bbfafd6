"""Markdown tables and plots of the benchmarks."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from line_plot import Series, line_plot
from plot_parts import ticks
from report import Report, Table, markdown_table

SVG = "{http://www.w3.org/2000/svg}"


def test_a_table_is_aligned():
    text = markdown_table([{"Parser": "a|b", "UAS": "9.10"}, {"Parser": "longer", "UAS": "100.00"}])
    assert text.splitlines() == [
        "| Parser |    UAS |",
        "| ------ | -----: |",
        "| a\\|b   |   9.10 |",
        "| longer | 100.00 |",
    ]


def test_a_table_without_rows_is_refused():
    with pytest.raises(ValueError, match="at least one row"):
        markdown_table([])


def test_a_report_is_in_its_file_after_every_part(tmp_path, capsys):
    file = tmp_path / "new" / "report.md"
    report = Report(file)
    table = Table("Title", {"seed": "1", "treebanks": ["a", "b"]}, [{"x": "1"}])
    report.draft(table)
    draft = file.read_text()
    assert "## Title\n\n- seed: 1\n- treebanks:\n  - a\n  - b\n\n| x" in draft
    assert capsys.readouterr().out == ""
    report.add(table)
    assert file.read_text() == draft
    report.add_plot("<svg/>", "curve", "A curve")
    assert (tmp_path / "new" / "report-curve.svg").read_text() == "<svg/>"
    assert file.read_text().endswith("![A curve](report-curve.svg)\n")


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (76.2, 82.1, [76, 77, 78, 79, 80, 81, 82, 83]),
        (0.0, 100.0, [0, 20, 40, 60, 80, 100]),
        (88.11, 88.24, [88.1, 88.12, 88.14, 88.16, 88.18, 88.2, 88.22, 88.24]),
    ],
)
def test_ticks_are_round_and_enclose_the_range(low, high, expected):
    assert ticks(low, high) == expected


def test_ticks_of_a_single_value_enclose_it():
    found = ticks(50.0, 50.0)
    assert found[0] < 50 < found[-1]


def test_a_plot_has_every_point_inside_its_frame_and_every_name():
    series = [
        Series("first & last", [(100, 80.0), (1000, 85.5), (10000, 88.0)]),
        Series("second", [(100, 79.0), (10000, 90.0)]),
    ]
    root = ElementTree.fromstring(line_plot(series, title="T", x_label="x axis", y_label="y axis"))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert {"T", "x axis", "y axis", "first & last", "second", "100", "1,000", "10,000"} <= set(texts)
    paths = [p for p in root.iter(f"{SVG}path") if "series" in p.get("class", "")]
    places = [
        [tuple(map(float, point.split())) for point in path.get("d", "")[1:].split("L")] for path in paths
    ]
    assert [len(points) for points in places] == [3, 2]
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    assert all(0 < x < width and 0 < y < height for points in places for x, y in points)
    # A logarithmic axis: the same factor is the same distance; and larger values lie higher.
    (x1, y1), (x2, y2), (x3, y3) = places[0]
    assert x2 - x1 == pytest.approx(x3 - x2, abs=0.2)
    assert y1 > y2 > y3


def test_labels_too_close_to_each_other_are_left_out():
    points = [(8000.0, 1.0), (8001.0, 2.0), (100.0, 0.0)]
    texts = line_plot([Series("s", sorted(points))], title="", x_label="", y_label="")
    assert ">8,001<" in texts
    assert ">8,000<" not in texts
    assert ">100<" in texts


def test_more_series_than_can_be_told_apart_are_refused():
    with pytest.raises(ValueError, match="one to 4 series"):
        line_plot([Series("s", [(1, 1)])] * 5, title="", x_label="", y_label="")
