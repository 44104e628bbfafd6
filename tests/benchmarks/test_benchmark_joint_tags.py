"""benchmarks/joint_tags.py from end to end, on a toy language."""

from __future__ import annotations

from test_benchmark_experiments import rows_below

import joint_tags


def test_every_way_has_a_row(treebank_folder, tmp_path):
    output = tmp_path / "joint.md"
    small = ["--quick", "--epochs", "1", "--tagger-epochs", "1", "--jackknife", "2"]
    of_first_order = ["--preset", "first", "--trees", "projective", "--ways", "climb", "senses", "agree"]
    learned = ["--learners", "mira"]
    joint_tags.main([str(treebank_folder), *small, *of_first_order, *learned, "-o", str(output)])
    assert rows_below(output.read_text(), "Tags and trees together") == ["Toy"] * 5 + ["all"] * 5
