"""benchmarks/trees.py, on short sentences."""

from __future__ import annotations

import importlib.util

from test_benchmark_experiments import rows_below

from figure_markers import REPOSITORY


def benchmark():
    """The script; a folder of tests has its name."""
    spec = importlib.util.spec_from_file_location("benchmark_trees", REPOSITORY / "benchmarks/trees.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_every_operation_has_a_row(tmp_path):
    output = tmp_path / "trees.md"
    chosen = ["siblings", "model 1, 5 heads"]
    lengths = ["--lengths", "4", "90", "--batch", "1", "--no-peers"]
    operations = ["--operations", "construct", "argmax"]
    benchmark().main([*lengths, "--structures", *chosen, *operations, "-o", str(output)])
    text = output.read_text()
    assert rows_below(text, "Microseconds") == ["siblings", "siblings", *["model 1, 5 heads"] * 2]
    cells = [[cell.strip() for cell in line.split("|")] for line in text.splitlines() if line.startswith("|")]
    assert [row[2] for row in cells[2:]] == ["construct", "argmax"] * 2
    assert all(row[4] for row in cells[2:])
    assert [bool(row[5]) for row in cells[2:]] == [
        True,
        True,
        False,
        False,
    ]  # too long for parts under a mask
