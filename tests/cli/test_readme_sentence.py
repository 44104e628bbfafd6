"""The sentence that README and docs show has the tree there that the bundled model gives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_runner import CliRunner
from headwise.cli.app import app

SENTENCE = "She announced a program to promote safety in trucks and vans."
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/display.md"])
def test_the_tree_of_the_first_sentence(page: str) -> None:
    if not (ROOT / page).exists():
        pytest.skip(f"{page} is not here")
    text = (ROOT / page).read_text(encoding="utf-8")
    drawn = CliRunner().invoke(app, ["parse", SENTENCE, "--to", "tree"]).stdout.splitlines()
    shown = [line.strip() for line in text.splitlines()]
    for line in drawn:
        assert line.strip() in shown, line
