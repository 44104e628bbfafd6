"""benchmarks/compression.py from end to end, on a toy language."""

from __future__ import annotations

from test_benchmark_experiments import rows_below

import compression


def test_every_step_is_scored(treebank_folder, tmp_path):
    output = tmp_path / "compression.md"
    compression.main(
        [str(treebank_folder), "--quick", "--preset", "first", "--jackknife", "2", "-o", str(output)]
    )
    text = output.read_text()
    assert rows_below(text, "steps of compression") == ["none", "0.25 (default)", "0.5", "1", "2", "4"]
    table = [line.split("|") for line in text.splitlines() if line.startswith("|")]
    sizes = [float(cells[2].split()[0]) for cells in table[2:]]
    assert sizes[0] > 5 * sizes[1] >= sizes[-1]
