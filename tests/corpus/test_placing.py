"""Sentences are found again in their text."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from headwise import Pipeline
from headwise.components.text import TextError
from headwise.corpus.places import Placer

PIECES = st.sampled_from(
    ["we", "don't", " ", "  ", "\n", "\t", "\u00a0", "\u3000", "\x0b", "\x1c", "\u2028", "."]
)
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=3)


def words(text: str) -> list[str]:
    return re.split(r"[^\S\x1c-\x1f]+", text)


@given(st.lists(PIECES | ANY, max_size=40).map("".join))
@settings(max_examples=300, deadline=None)
def test_places_hold_the_text_of_sentences(pipeline: Pipeline, text: str) -> None:
    placer, last = Placer(text), 0
    try:
        sentences = pipeline.tokenizer(text)
    except TextError:
        return
    for sentence in sentences:
        assert sentence.text is not None
        begin, end = placer.place(sentence.text)
        assert last <= begin < end
        assert words(text[begin:end]) == sentence.text.split(" ")
        last = end
    assert not text[last:].strip()


def test_line_breaks_inside_a_sentence() -> None:
    placer = Placer("\n One  two\nthree.   Four")
    assert placer.place("One two three.") == (2, 17)
    assert placer.place("Four") == (20, 24)
