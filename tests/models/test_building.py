"""From toy treebanks to a package that is found by its name."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import headwise
from headwise import Pipeline
from headwise.base.errors import HeadwiseError
from headwise.model.installed import find_installed, how_to_install, installed_models
from headwise.treebank import write
from headwise.web.serve.models import load_model
from models.build import RESULT, Build
from models.cards import SCORES, card_of
from models.data import MissingData, Places
from models.packages import names_of, version_of, write_package
from models.recipe import Recipe, Split
from models.scoring import published
from toy_language import toy_treebank

RECIPE = Recipe.of(
    "toy",
    {
        "language": "Toy",
        "licence": "CC BY-SA 4.0",
        "example": "the dog sees a tree.",
        "text": ["toy"],
        "sources": ["Common Voice"],
        "data": {"train": ["Toy-GSD:train"], "dev": ["Toy-GSD:dev"], "test": ["Toy-GSD:test"]},
        "release": {"train": ["Toy-GSD:train"], "test": ["Toy-GSD:test"]},
        "choices": {"width": 16, "words_read": 1500, "clusters": 4, "vectors": 4, "tagger_bits": 12},
    },
)


@pytest.fixture
def places(treebanks: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    (treebanks / "text").mkdir()
    text = "\n".join(" ".join(sentence.forms) for sentence in toy_treebank(300, seed=9))
    (treebanks / "text" / "toy.txt").write_text(text, encoding="utf-8")
    table = {
        "treebanks": {"Toy-GSD": {"licence": "CC BY-SA 4.0"}},
        "text": {"Common Voice": {"what": "sentences", "licence": "CC0"}},
    }
    monkeypatch.setattr("models.sources._table", lambda: table)
    return Places(treebanks)


def installed(package: Path, code: str, recipe: Recipe) -> Path:
    """What pip leaves of a package: its folder, and what it says of itself."""
    site = package.parent / "site"
    module = recipe.package.replace("-", "_")
    facts = site / f"{module}-1.dist-info"
    facts.mkdir(parents=True)
    (package / module).rename(site / module)
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {recipe.package}\nVersion: 1\n")
    names = "\n".join(f"{name} = {module}" for name in names_of(recipe))
    (facts / "entry_points.txt").write_text(f"[headwise_models]\n{names}\n")
    return site


def test_from_treebanks_to_a_model_by_name(
    places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    build = Build(RECIPE, places, tmp_path / "build", said.append)
    scores = build.run()
    result = json.loads((scores.folder / RESULT).read_text(encoding="utf-8"))
    assert result["scores"]["Toy-GSD"]["upos"] > 60
    assert result["words"] == {
        "train": sum(map(len, toy_treebank(60, 0))),
        "dev": sum(map(len, toy_treebank(20, 1))),
    }
    steps = [line.removeprefix("toy: ") for line in said if line.removeprefix("toy: ") in build.steps.done()]
    assert steps == ["tokenizer", "words", "tagger", "network", "model", "scores"]

    said.clear()
    assert build.run() == scores
    assert said == []  # nothing is done twice
    smaller = Build(
        replace(RECIPE, choices=replace(RECIPE.choices, coarseness=4.0)), places, build.folder, said.append
    )
    smaller.run()
    assert [line for line in said if line in ("toy: network", "toy: model")] == ["toy: model"]

    package = write_package(
        RECIPE, RECIPE.data, scores.folder.parent / "model" / "model.hw", result, tmp_path
    )
    monkeypatch.syspath_prepend(str(installed(package, "toy", RECIPE)))
    for name in ("toy", "Toy", "toy-gsd", "TOY"):
        assert isinstance(headwise.load(name), Pipeline)
    assert [model.name for model in installed_models() if model.name == "toy"] == ["toy"]
    served = load_model("toy")
    assert served.licence == "CC BY-SA 4.0"
    assert list(served.acknowledgements) == ["https://github.com/UniversalDependencies/UD_Toy-GSD"]
    (tmp_path / "site" / "headwise_toy" / "model.hw").unlink()
    with pytest.raises(HeadwiseError, match="install the package of the model toy again"):
        headwise.load("toy")


def test_a_release_has_its_own_names_and_splits(places: Places, tmp_path: Path) -> None:
    folder = tmp_path / "ud-treebanks-v2.17" / "UD_Toy-GSD"
    folder.mkdir(parents=True)
    write(toy_treebank(5, seed=4), folder / "toy_gsd-ud-train.conllu")
    release = Places(places.shared, tmp_path / "ud-treebanks-v2.17")
    assert release.treebank(Split("Toy-GSD", "train")) == folder / "toy_gsd-ud-train.conllu"
    assert release.data_of(RECIPE) == RECIPE.release
    assert places.data_of(RECIPE) == RECIPE.data
    with pytest.raises(MissingData, match=r"there is no Toy-GSD:test under .*v2.17.*--ud FOLDER"):
        release.treebank(Split("Toy-GSD", "test"))


def test_the_card_says_where_a_model_comes_from(places: Places) -> None:
    scores = dict.fromkeys(SCORES, 12.345)
    result = {
        "scores": {"Toy-GSD": scores},
        "words": {"train": 1234, "dev": 56},
        "words_per_second": 7890,
        "bytes": 1_500_000,
        "digest": "abc",
        "release": False,
    }
    card = card_of(RECIPE, RECIPE.data, result)
    for said in (
        "UD_Toy-GSD",
        "CC BY-SA 4.0",
        "1,234 words",
        "1.5 MB",
        "12.3",
        "sentences (CC0)",
        "less than",
    ):
        assert said in card
    assert "less than" not in card_of(replace(RECIPE, complete=True), RECIPE.data, result)


def test_versions_say_program_release_and_recipe() -> None:
    assert version_of(replace(RECIPE, version=3, ud="2.9")) == f"{headwise.__version__}.209.3"


def test_what_others_publish(places: Places) -> None:
    (places.shared / "published-scores.tsv").write_text(
        "# comment\ntreebank\tsystem\ttokens\tsentences\tUPOS\tUAS\tLAS\n"
        "Toy-GSD\tStanza 1.5.1 (UD 2.12)\t99.9\t90.1\t95\t88\t85.5\n"
        "Other\tStanza 1.5.1 (UD 2.12)\t1\t1\t1\t1\t1\n"
    )
    figures = {"tokens": 99.9, "sentences": 90.1, "upos": 95.0, "uas": 88.0, "las": 85.5}
    assert published(places, ["Toy-GSD"]) == {"Toy-GSD": {"Stanza 1.5.1 (UD 2.12)": figures}}


def test_the_command_that_installs_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ready_made = tmp_path / "ready_made.txt"
    ready_made.write_text("toy toy_language toy-gsd\n")
    monkeypatch.setattr("headwise.model.installed.READY_MADE", ready_made)
    monkeypatch.setattr("headwise.model.installed._checkout", lambda: None)
    assert find_installed("toy-gsd") is None
    with pytest.raises(HeadwiseError, match=r"pip install headwise-toy$"):
        headwise.load("Toy Language")
    (tmp_path / "models" / "headwise-toy").mkdir(parents=True)
    monkeypatch.setattr("headwise.model.installed._checkout", lambda: tmp_path)
    assert how_to_install("toy") == f"pip install {tmp_path / 'models' / 'headwise-toy'}"
    assert how_to_install("klingon") is None
    assert sys.modules.get("headwise_toy") is None  # nothing of a package is imported
