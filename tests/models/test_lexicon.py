"""Lexicons as word clusters."""

from __future__ import annotations

from pathlib import Path

from headwise.words.clusters import Clusters
from models.lexicon import best_forms, inflection_class, write_lexicon

LEMMAS = {
    "dogs": "dog",
    "cats": "cat",
    "trees": "tree",
    "rats": "rat",
    "walked": "walk",
    "talked": "talk",
    "balked": "balk",
    "oxen": "ox",
}


def test_what_a_form_loses_and_its_lemma_has_instead() -> None:
    assert inflection_class("Namuose", "namas") == ("uose", "as", "as")
    assert inflection_class("dog", "dog") == ("", "", "og")


def test_forms_of_frequent_lemmas_come_first() -> None:
    lemmas = {"sees": "see", "saw": "see", "seen": "see", "goes": "go", "went": "go", "xes": "x"}
    assert best_forms(lemmas, {"saw": 3, "goes": 2, "went": 2, "other": 9}, 4) == [
        "goes",
        "went",
        "saw",
        "seen",
    ]
    assert best_forms(lemmas, {"saw": 1}, 9) == ["saw", "seen", "sees"]


def test_words_that_inflect_alike_are_together(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.clusters.txt"
    lemmas = {**LEMMAS, **{f"{a}ats": f"{a}at" for a in "bfhmp"}}
    assert write_lexicon(lemmas, lemmas, path) == 10
    found = Clusters.load(path)
    assert found["walked"] == found["talked"] != found["rats"] == found["bats"]
    assert "oxen" not in found
    assert write_lexicon(LEMMAS, ["oxen"], tmp_path / "none.txt") == 0
    assert not (tmp_path / "none.txt").exists()
