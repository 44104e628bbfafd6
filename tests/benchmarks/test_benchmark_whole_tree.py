"""benchmarks/whole_tree.py from end to end, on a toy language."""

from __future__ import annotations

from test_benchmark_experiments import rows_below

import whole_tree


def test_it_fills_its_tables(treebank_folder, tmp_path):
    output = tmp_path / "global.md"
    whole_tree.main(
        [
            str(treebank_folder),
            "--quick",
            "--train",
            "40",
            "-k",
            "3",
            "--folds",
            "2",
            "--tables",
            "sets",
            "learning",
            "samplerank",
            "-o",
            str(output),
        ]
    )
    text = output.read_text()
    assert rows_below(text, "learning") == ["none", "stacked", "joint", "reranker, 3 best"]
    assert len(rows_below(text, "samplerank")) == 4
    assert rows_below(text, "Sets of families") == ["Toy"]
    assert all(f" {name} |" in text for name in whole_tree.SETS)
