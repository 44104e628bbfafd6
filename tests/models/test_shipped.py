"""Every package in the repository: it loads, parses its language, and keeps to what is promised."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from headwise import Pipeline
from headwise.model.installed import READY_MADE
from headwise.treebank import check_tree, read
from models.packages import HERE, MOST_BYTES, RESULTS, names_of
from models.recipe import Recipe, codes

MOST_BYTES_OF_ALL = 160_000_000
PACKAGES = [code for code in codes() if Recipe.load(code).place == "package"]


def inside(code: str) -> Path:
    return HERE / f"headwise-{code}" / f"headwise_{code.replace('-', '_')}"


@pytest.mark.parametrize("code", PACKAGES)
def test_a_package_parses_its_language(code: str) -> None:
    path = inside(code) / "model.hw"
    if not path.is_file():
        pytest.skip(f"there is no package of {code} yet: python -m models build {code}")
    recipe = Recipe.load(code)
    assert path.stat().st_size <= MOST_BYTES
    for parse in Pipeline.load(path)(recipe.example):
        (back,) = read(parse.to_conllu().encode())
        assert check_tree(back.heads, single_root=True) == []
    facts = json.loads((inside(code) / "model.json").read_text(encoding="utf-8"))
    assert facts["names"] == names_of(recipe)
    assert facts["licence"] == recipe.licence
    assert hashlib.sha256(path.read_bytes()).hexdigest().startswith(facts["digest"])
    card = (inside(code) / "card.md").read_text(encoding="utf-8")
    assert facts["digest"] in card
    assert f"**{recipe.licence}**" in card


@pytest.mark.parametrize("code", PACKAGES)
def test_a_package_has_a_valid_result(code: str) -> None:
    if not inside(code).is_dir():
        pytest.skip(f"there is no package of {code} yet: python -m models build {code}")
    result = json.loads((RESULTS / f"{code}.json").read_text(encoding="utf-8"))
    facts = json.loads((inside(code) / "model.json").read_text(encoding="utf-8"))
    assert result["digest"] == facts["digest"]
    assert result["valid"]["2"]


def test_all_packages_together() -> None:
    packages = [path for path in HERE.glob("headwise-*") if path.is_dir()]
    assert sum(path.stat().st_size for path in HERE.glob("headwise-*/*/model.hw")) <= MOST_BYTES_OF_ALL
    known = [line.split()[0] for line in READY_MADE.read_text(encoding="utf-8").splitlines()]
    assert known == sorted(path.name.removeprefix("headwise-") for path in packages)


def test_the_program_is_built_without_them() -> None:
    settings = (HERE.parent / "pyproject.toml").read_text(encoding="utf-8")
    assert '"/models/headwise-*"' in settings.partition("sdist.exclude")[2].partition("\n")[0]
