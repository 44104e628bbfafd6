"""How large networks should be: its table has a row for each size, with and without features."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.parametrize("alone", [False, True])
def test_sizes_have_a_row_each(treebank_folder: Path, tmp_path: Path, alone: bool) -> None:
    import network_sizes

    output = tmp_path / "sizes.md"
    options = ["--quick", "--sizes", "16", "32x2", *(["--alone"] if alone else [])]
    network_sizes.main([str(treebank_folder), *options, "-o", str(output)])
    text = output.read_text()
    assert text.count("| 16x2 |") == text.count("| 32x2 |") == 1
    assert ("with third" in text) != alone
