"""One way of sentences through a model, whoever asks: what is wanted is a `Search`, checked in one place."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from headwise import HeadwiseError, Parser, Pipeline, Search, load
from headwise.components.parser.constraints import ConstraintError, Constraints
from headwise.components.parser.search import SearchOptions
from headwise.dual import KOO_2010
from headwise.treebank import Sentence

WRONG_TAGS = Sentence.from_words(["She", "reads", "."], upos=["NOUN", "NOUN", "PUNCT"])
PARTLY_TAGGED = Sentence.from_words(["She", "reads", "."], upos=["NOUN", "_", "PUNCT"])


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    loaded = load()
    assert isinstance(loaded, Pipeline)
    return loaded


def test_keywords_are_the_fields() -> None:
    assert SearchOptions.__optional_keys__ == {field.name for field in fields(Search)}


def test_keywords_stand_for_a_search(parser: Parser, test_sentences: list[Sentence]) -> None:
    by_name = parser.pipe(test_sentences, confidence=True, decoder="minimum-risk", threads=2, batch_size=7)
    by_object = parser.pipe(test_sentences, Search(confidence=True, decoder="minimum-risk"))
    both = parser.pipe(test_sentences, Search(confidence=True), decoder="minimum-risk")
    written = [[str(parse.to_annotated_sentence()) for parse in way] for way in (by_name, by_object, both)]
    assert written[0] == written[1] == written[2]


def test_a_search_says_only_what_is_unusual() -> None:
    assert repr(Search()) == "Search()"
    assert repr(Search(k=3, threads=2)) == "Search(k=3, threads=2)"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decoder": "climb"}, "'climb' is for trees of higher order"),
        ({"limits": KOO_2010}, "are for the decoder 'dual'"),
        ({"decoder": "minimum-risk", "k": 2}, "Leave out one"),
        ({"k": 0}, "must be at least 1"),
        ({"tags": "replace"}, "a parser alone has no tagger"),
        ({"tags": "some"}, "must be one of: keep, replace, given"),
        ({"threads": -1}, "must be at least 0"),
    ],
)
def test_what_cannot_be_had_is_said_before_anything_is_read(
    parser: Parser, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(HeadwiseError, match=message):
        parser.pipe(iter(()), **options)


def test_unknown_keywords_name_the_nearest(parser: Parser) -> None:
    with pytest.raises(TypeError, match="Did you mean threads"):
        parser.pipe([], thread=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"is a headwise\.Search"):
        parser.pipe([], "map")  # type: ignore[arg-type]


def test_tags_that_are_whole_are_kept(nlp: Pipeline) -> None:
    sentences = [WRONG_TAGS, PARTLY_TAGGED, Sentence.from_words(WRONG_TAGS.forms)]

    def tags(**options: Any) -> list[list[str]]:
        return [parse.sentence.upos for parse in nlp.pipe_sentences(sentences, **options)]

    found = ["PRON", "VERB", "PUNCT"]
    assert tags() == [["NOUN", "NOUN", "PUNCT"], found, found]
    assert tags(tags="replace") == [found] * 3
    assert tags(tags="given") == [sentence.upos for sentence in sentences]
    assert [sentence.upos for sentence in nlp.tag(sentences)] == [found] * 3
    flow = nlp.flow()
    list(flow.rows(sentences))
    assert (flow.tags.kept, flow.tags.found) == (1, 2)


def test_a_sentence_that_cannot_be_parsed_is_passed_over(
    parser: Parser, test_sentences: list[Sentence]
) -> None:
    wanted = [None, Constraints(required=[(2, 1), (1, 2)]), None]
    three = test_sentences[:3]
    found = parser.pipe(three, constraints=wanted)
    assert next(found).heads.tolist() == parser(three[0]).heads.tolist(), "it came before the error"
    with pytest.raises(ConstraintError):
        next(found)
    for threads in (1, 2):
        flow = parser.flow(constraints=wanted, on_error="skip", threads=threads)
        assert [len(row) for row in flow.rows(three)] == [1, 0, 1]
        assert [type(error) for error in flow.skipped] == [ConstraintError]


def test_constraints_may_be_those_of_every_sentence(parser: Parser, test_sentences: list[Sentence]) -> None:
    for parse in parser.pipe(test_sentences[:3], constraints=Constraints(forbidden=[(0, 1)])):
        assert parse.heads[0] != 0


def test_a_shorter_limit_of_probabilities(parser: Parser, test_sentences: list[Sentence]) -> None:
    for parse in parser.pipe(test_sentences, confidence=True, longest=8):
        assert (parse.confidence is None) == (len(parse) > 8) == bool(parse.left_out)
        comment = "# headwise_limit = long sentence: no probabilities"
        assert (comment in parse.sentence.comments) == (len(parse) > 8)


def test_models_are_loaded_by_name_and_say_what_they_are(nlp: Pipeline, tmp_path: Path) -> None:
    again = Pipeline.load("en")
    assert again.parser.config == nlp.parser.config
    assert repr(nlp).startswith("<Pipeline: tokenizer, tagger of ")
    assert repr(nlp.parser).startswith("<Parser of projective trees, ")
    assert len(repr(nlp)) < 200
    assert nlp.parser.parser is nlp.parser
    assert nlp.parser.tagger is None
