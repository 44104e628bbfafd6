"""Wherever a model is named, the name of one that comes with the package will do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command_runner import CliRunner
from headwise.cli.app import app
from headwise.treebank import write
from toy_language import toy_treebank


def headwise(*arguments: str) -> Any:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(toy_treebank(20, seed=1), "toy.conllu")


@pytest.mark.parametrize(
    "arguments",
    [
        ["info", "en"],
        ["parse", "toy.conllu", "-m", "en"],
        ["tag", "toy.conllu", "-m", "en"],
        ["doubt", "toy.conllu", "-m", "en"],
        ["compress", "en", "-o", "small.hw"],
        ["calibrate", "en", "toy.conllu", "-o", "own.hw"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_the_bundled_model_has_a_name(arguments: list[str]) -> None:
    result = headwise(*arguments)
    assert result.exit_code == 0, (result.output, result.exception)


def test_the_bundled_model_stays_as_it_is() -> None:
    result = headwise("calibrate", "en", "toy.conllu")
    assert result.exit_code == 2
    assert "name a file with -o" in " ".join(result.output.replace("│", " ").split())
