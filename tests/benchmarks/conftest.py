"""Benchmarks are scripts beside the package: their folder is made importable, and read a toy language."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from toy_language import toy_treebank


@pytest.fixture
def treebank_folder(tmp_path):
    """A treebank as benchmarks find them, in a folder."""
    from headwise.treebank import write

    folder = tmp_path / "Toy"
    folder.mkdir()
    for seed, (part, count) in enumerate({"train": 60, "dev": 15, "test": 15}.items()):
        write(toy_treebank(count, seed=seed), folder / f"{part}.conllu")
    return folder
