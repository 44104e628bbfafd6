"""The model that comes with the package, as a newcomer meets it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import headwise
from headwise import Pipeline
from headwise.model import ModelError, read_model, weights_digest
from headwise.model.bundled import model_path, names
from headwise.treebank import check_tree, read

SENTENCE = "She announced a program to promote safety in trucks and vans."
README = Path(__file__).parents[2] / "README.md"


@pytest.fixture(scope="module", params=["en", "en-fast"])
def english(request: pytest.FixtureRequest) -> Pipeline:
    loaded = headwise.load(request.param)
    assert isinstance(loaded, Pipeline)
    return loaded


@pytest.mark.parametrize(("name", "megabytes"), [("en", 9.4), ("en-fast", 6.6)])
def test_it_is_small_and_has_a_card_that_is_its_own(name: str, megabytes: float) -> None:
    path = model_path(name)
    assert path.stat().st_size <= 1e6 * megabytes
    card = path.with_suffix(".md").read_text(encoding="utf-8")
    assert weights_digest(read_model(path, "pipeline")[1]) in card
    assert "CC BY-SA 4.0" in card
    assert "@" not in card


def test_a_good_tree(english: Pipeline) -> None:
    (parse,) = english(SENTENCE)
    sentence = parse.to_sentence()
    words = dict(zip(sentence.forms, range(1, 13), strict=True))
    heads = {
        form: sentence.forms[head - 1] for form, head in zip(sentence.forms, parse.heads, strict=True) if head
    }
    assert sentence.text == SENTENCE
    assert parse.heads[words["announced"] - 1] == 0
    assert heads["She"] == heads["program"] == "announced"
    assert heads["promote"] == "program"
    assert heads["safety"] == "promote"
    assert heads["vans"] == "trucks"
    assert sentence.upos[:4] == ["PRON", "VERB", "DET", "NOUN"]
    assert sentence.lemmas[1] == "announce"


def test_the_readme_shows_what_the_command_prints() -> None:
    command = [sys.executable, "-c", "from headwise.cli import main; main()"]
    printed = subprocess.run([*command, "parse", SENTENCE, "--to", "tree"], capture_output=True, check=True)
    shown = re.search(r"```text\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    assert shown[1] == printed.stdout.decode()


def test_it_is_calibrated(english: Pipeline) -> None:
    assert english.parser.config.calibration.is_fitted


def test_other_languages_still_give_trees(english: Pipeline) -> None:
    for parse in english("Это не английский. 这不是英语。 هذه ليست إنجليزية. 🙂"):
        (back,) = read(parse.to_conllu().encode())
        assert check_tree(back.heads, single_root=True) == []


def test_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert names() == ["en", "en-fast"]
    monkeypatch.chdir(tmp_path)
    Path("en").touch()
    assert model_path("en") != model_path("./en") == Path("en")
    with pytest.raises(ModelError, match="no model of this name"):
        headwise.load("klingon")
    with pytest.raises(ModelError, match="no such file"):
        headwise.load(tmp_path / "missing.hw")
