"""Our tokenizer in spaCy: every character of the text is kept."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc

import headwise.spacy
from headwise import Pipeline

TEXTS = [
    "",
    " ",
    "She reads.",
    "  leading and trailing  ",
    "two  spaces,\ttabs\n\nand lines\r\n.",
    "I don't know 🙂🏽. Do you? Don't!",
    "👩‍👩‍👧‍👦 family. é combining. שלום עולם. \u200fمرحبا\u200e!",
    "NUL \0 inside. Next.",
    "vertical\x0btab\x0cform\x1cfeed\u2028line\u2029paragraph\x85next",
    "\u00a0\u3000wide\u3000spaces\u00a0",
    "word " * 300,
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_is_kept(whole: Language, text: str) -> None:
    doc = whole(text)
    assert doc.text == text
    for token in doc:
        assert text[token.idx : token.idx + len(token)] == token.text


@given(st.text(st.characters(codec="utf-8"), max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_text_is_kept(text: str) -> None:
    assert WHOLE.make_doc(text).text == text


@given(st.text(st.sampled_from("ab.🙂é \n\t\u00a0\u2028\0'\u200d"), max_size=30))
@settings(max_examples=50, deadline=None)
def test_any_text_is_parsed(text: str) -> None:
    doc = WHOLE(text)
    assert doc.text == text
    assert all(token.dep_ for token in doc)
    assert sum(len(sentence) for sentence in doc.sents) == len(doc)


WHOLE = headwise.spacy.load("en")


def test_tokens_are_those_of_the_model(whole: Language, english: Pipeline) -> None:
    text = "I don't know 🙂. It's 3.5% of U.S. trucks,  isn't it?\n\nYes."
    doc = whole(text)
    parsed = english(text)
    assert [s.text.strip() for s in doc.sents] == [
        text[parse[0].start : parse[len(parse) - 1].end] for parse in parsed
    ]
    places = {(word.start, word.end) for parse in parsed for word in parse}
    assert {(t.idx, t.idx + len(t)) for t in doc if not t.is_space} == places


def test_offsets_count_characters_not_bytes_or_utf16_units(whole: Language) -> None:
    doc = whole("🙂🙂 She reads.")
    assert [(token.text, token.idx) for token in doc][-3:] == [("She", 3), ("reads", 7), (".", 12)]


@pytest.mark.parametrize("text", ["a b", "a  b", "a\nb", "a \n b", " a", "a ", "a  ", "\n\na", "a\t\tb"])
def test_space_is_cut_as_spacy_cuts_it(nlp: Language, whole: Language, text: str) -> None:
    def shape(doc: Doc) -> list[tuple[str, str]]:
        return [(token.text, token.whitespace_) for token in doc]

    assert shape(whole(text)) == shape(nlp(text))


def test_sentences_begin_at_words_and_space_follows(whole: Language) -> None:
    doc = whole.make_doc("  One sentence here.\n\n Another sentence there. ")
    assert [sentence.text for sentence in doc.sents] == [
        "  One sentence here.\n\n ",
        "Another sentence there.",
    ]


def test_multiword_tokens_stay_whole(whole: Language) -> None:
    doc = whole.make_doc("I don't know.")
    assert [token.text for token in doc] == ["I", "don't", "know", "."]
    assert [token._.inner_words for token in doc] == [None, [{"form": "do"}, {"form": "n't"}], None, None]


def test_one_file_is_read_once(whole: Language) -> None:
    assert whole.get_pipe("headwise").model.tokenizer is whole.tokenizer.model  # type: ignore[attr-defined]


def test_the_language_is_that_of_the_model() -> None:
    assert headwise.spacy.load("en").lang == "en"
    assert headwise.spacy.load("en", lang="xx").lang == "xx"
