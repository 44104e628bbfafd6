"""Real treebanks, where they are at hand: $HEADWISE_DATA, or ../shared beside the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from headwise.treebank import Sentence, Treebank

DATA = Path(os.environ.get("HEADWISE_DATA", Path(__file__).parents[2] / "shared"))


def shared_treebank(name: str, part: str) -> list[Sentence]:
    """The sentences of a treebank; the test is skipped where it is not there."""
    path = DATA / "treebanks" / name / f"{part}.conllu.xz"
    if not path.exists():
        pytest.skip(f"no treebank {path} (set HEADWISE_DATA)")
    return list(Treebank.load(path, validate="columns"))
