"""How large networks should be: its tables have a column for each size, with and without features."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.parametrize("alone", [False, True])
def test_sizes_have_a_column_each(treebank_folder: Path, tmp_path: Path, alone: bool) -> None:
    import network_sizes

    output = tmp_path / "sizes.md"
    options = ["--quick", "--sizes", "16", "32x2", *(["--alone"] if alone else [])]
    network_sizes.main([str(treebank_folder), *options, "-o", str(output)])
    text = output.read_text()
    headings = [line.split() for line in text.splitlines() if line.startswith("| treebank")]
    assert len(headings) == (3 if alone else 5)
    assert all(heading[-4:] == ["16", "|", "32x2", "|"] for heading in headings)
    assert ("Beside features" in text) != alone
