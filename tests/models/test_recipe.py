"""Recipes: what they must say, and those that there are."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwise.treebank import read
from models.data import Corpus, held_out_of, of_documents
from models.packages import names_of
from models.recipe import Choices, Recipe, RecipeError, Split, codes
from models.sources import licence_link, text_sources, treebank_sources
from models.training import Lessons, network_settings, passes
from toy_language import toy_treebank

TOY = {"language": "Toy", "licence": "CC BY-SA 4.0", "data": {"train": ["Toy-GSD:train"]}}


def test_a_recipe_says_what_differs() -> None:
    recipe = Recipe.of("toy", {**TOY, "choices": {"width": 64, "epochs": [2, 3]}})
    assert recipe.data.train == (Split("Toy-GSD", "train"),)
    assert recipe.choices == Choices(width=64, epochs=(2, 3))
    assert recipe.package == "headwise-toy"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"colour": "red"}, "a recipe has no colour"),
        ({"choices": {"widht": 64}}, r"\[choices\] has no widht"),
        ({"data": {"test": ["Toy-GSD:test"]}}, "must say what to train on"),
        ({"data": {"train": ["Toy-GSD:train"], "tset": []}}, r"\[data\] has no tset"),
        ({"data": {"train": ["Toy-GSD"]}}, "is no part of a treebank"),
        ({"licence": None}, "licence"),
        ({"place": "shelf"}, "place is 'shelf', must be one of: package, bundled, nowhere"),
    ],
)
def test_what_a_recipe_cannot_say(change: dict[str, object], message: str) -> None:
    table = {key: value for key, value in {**TOY, **change}.items() if value is not None}
    with pytest.raises(RecipeError, match=message):
        Recipe.of("toy", table)


def test_an_unknown_recipe_is_told_from_known_ones() -> None:
    with pytest.raises(RecipeError, match=r"there is no recipe klingon \(there are: .*\bcy\b"):
        Recipe.load("klingon")


@pytest.mark.parametrize("code", codes())
def test_recipes_name_licences_and_sources(code: str) -> None:
    recipe = Recipe.load(code)
    for data in filter(None, (recipe.data, recipe.release)):
        assert treebank_sources(recipe, data.treebanks)
        assert not set(data.train) & set(data.test)
    text_sources(recipe)
    licence_link(recipe)
    assert recipe.example
    assert names_of(recipe)[0] == code


def test_share_alike_data_make_share_alike_models() -> None:
    """The licence of a model is at least as strict as those of what it learned from."""
    for code in codes():
        recipe = Recipe.load(code)
        licences = " ".join(source.licence for source in treebank_sources(recipe, recipe.data.treebanks))
        if "GPL 3" in licences:
            assert recipe.licence == "GNU GPL 3.0", code
        elif "LGPL-LR" in licences:
            assert recipe.licence == "LGPL-LR", code
        elif "BY-SA" in licences:
            assert "BY-SA" in recipe.licence, code


def test_treebanks_for_research_alone_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    licences = {"Toy-GSD": {"licence": "CC BY-NC-SA 4.0"}}
    monkeypatch.setattr("models.sources._table", lambda: {"treebanks": licences})
    recipe = Recipe.of("toy", TOY)
    with pytest.raises(RecipeError, match="not for commercial use"):
        treebank_sources(recipe, recipe.data.treebanks)
    with pytest.raises(RecipeError, match="does not say under which licence UD_Other"):
        treebank_sources(recipe, ["Other"])


def test_what_is_held_out_is_left_out() -> None:
    sentences = toy_treebank(100, seed=3)
    train, dev = held_out_of(sentences, 0.1)
    assert (len(train), len(dev)) == (90, 10)
    assert {id(s) for s in train} | {id(s) for s in dev} == {id(s) for s in sentences}
    with pytest.raises(RecipeError, match="too few"):
        held_out_of(sentences[:20], 0.1)


def test_some_documents_of_a_treebank() -> None:
    rest = "\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    names = {0: "GUM_news_one", 2: "GUM_letter_two", 3: "GUM_bio_three"}
    text = "".join(
        (f"# newdoc id = {names[i]}\n" if i in names else "") + f"1\tword{i}{rest}" for i in range(5)
    )
    found = of_documents(read(text.encode()), ("GUM_news", "GUM_bio"))
    assert [sentence.forms[0] for sentence in found] == ["word0", "word1", "word3", "word4"]


def test_a_small_treebank_is_read_more_often() -> None:
    choices = Choices(words_read=1000, epochs=(2, 20))
    assert [passes(words, choices) for words in (10, 100, 1000)] == [20, 10, 2]


def test_english_learns_from_a_teacher(tmp_path: Path) -> None:
    (tmp_path / "clusters.txt").touch()
    lessons = Lessons(tmp_path, teacher=tmp_path / "model.hw", unlabelled=tmp_path / "text.txt")
    corpus = Corpus(toy_treebank(20, seed=1), [])
    settings = network_settings(Recipe.load("en-fast"), corpus, lessons, threads=1)
    assert settings.torch.use
    network = settings.network
    assert (network.width, network.epochs, network.tags, network.reads_tags) == (128, 20, 64, False)
    assert settings.teaching.teachers == (str(tmp_path / "model.hw"),)
    assert (settings.teaching.unlabelled, settings.teaching.words) == (str(tmp_path / "text.txt"), 3.0)
    assert settings.words.clusters == (str(tmp_path / "clusters.txt"),)
    assert settings.network.bits == 32
    large = network_settings(
        Recipe.load("en-large"), corpus, Lessons(pretrained=tmp_path / "en.hwe"), threads=1
    )
    assert (large.torch.pretrained, large.teaching.teachers) == (str(tmp_path / "en.hwe"), ())
