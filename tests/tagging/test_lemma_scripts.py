"""Edit scripts: what is made of a form and a lemma turns the form into the lemma again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise._native.tagging import apply_lemma_script
from headwise.components.tagging.lemma_scripts import KEEP_FORM, lemma_script

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=12)


@given(TEXT, TEXT)
def test_script_leads_to_the_lemma(form: str, lemma: str) -> None:
    assert apply_lemma_script(lemma_script(form, lemma), form) == lemma


@given(TEXT, st.integers(0, 5), TEXT)
def test_script_of_related_words_leads_to_the_lemma(form: str, cut: int, ending: str) -> None:
    lemma = form[: len(form) - cut].lower() + ending
    assert apply_lemma_script(lemma_script(form, lemma), form) == lemma


@pytest.mark.parametrize(
    ("form", "lemma", "script"),
    [
        ("Families", "family", "l0+/3+y"),
        ("the", "the", "l0+/0+"),
        ("Cairo", "Cairo", "k0+/0+"),
        ("went", "go", "=go"),
        ("gemacht", "machen", "l2+/1+en"),
        ("ÉCOLES", "école", "l0+/1+"),
    ],
)
def test_scripts_are_what_one_would_write(form: str, lemma: str, script: str) -> None:
    assert lemma_script(form, lemma) == script


def test_new_words_share_the_scripts_of_others() -> None:
    assert apply_lemma_script(lemma_script("Families", "family"), "Πολίties") == "πολίty"
    assert apply_lemma_script(KEEP_FORM, "İstanbul") == "İstanbul"


@pytest.mark.parametrize("script", ["", "x0+/0+", "l+/0+", "l0+0+", "l0+/1"])
def test_broken_scripts_are_refused(script: str) -> None:
    with pytest.raises(ValueError, match="not a lemma script"):
        apply_lemma_script(script, "form")
