"""The benchmark of weights of a network."""

from __future__ import annotations

from pathlib import Path

import network_weights


def test_weights_are_chosen_with_and_without_a_development_set(treebank_folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "weights.md"
    network_weights.main([str(treebank_folder), "--quick", "--epochs", "1", "-o", str(output)])
    text = output.read_text()
    assert "Weight by dev" in text
    assert "Weight by held-out" in text
    assert "default weight: 0.3" in text
