"""benchmarks/greedy.py from end to end, on a toy language."""

from __future__ import annotations

from test_benchmark_experiments import rows_below

import greedy


def test_greedy_fills_every_table(treebank_folder, tmp_path):
    output = tmp_path / "greedy.md"
    greedy.main([str(treebank_folder), "--quick", "--epochs", "1", "-o", str(output)])
    text = output.read_text()
    assert rows_below(text, "local optima") == ["Toy"]
    assert rows_below(text, "certified optima reached") == list(greedy.SEARCHES)
    assert rows_below(text, "decoders") == ["map", "climb", "sample"]
    assert rows_below(text, "Best trees found") == ["Toy"]
    columns = [*greedy.SUMMARY, "ms, climb", "ms, as published", "tokens/s, map", "tokens/s, climb"]
    assert all(f" {column} |" in text for column in columns)
