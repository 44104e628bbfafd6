"""Pipelines on disk, in bytes, in pickles; models by name and as objects."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest
import spacy
from spacy.language import Language

import headwise.spacy
from headwise import Parser, Pipeline
from headwise.base.errors import HeadwiseError
from headwise.components.tagging import Tagger
from headwise.model.bundled import model_path
from headwise.spacy import HeadwiseParser, HeadwiseTokenizer

TEXT = "She doesn't announce a program.  It promotes safety."


def test_a_saved_pipeline_has_its_model_in_it(tmp_path: Path) -> None:
    model = tmp_path / "mine.hw"
    shutil.copy(model_path("en"), model)
    nlp = headwise.spacy.load(model, lang="en", confidence=True)
    expected = nlp(TEXT)
    nlp.to_disk(tmp_path / "saved")
    model.unlink()
    (tmp_path / "saved").rename(tmp_path / "moved")
    again = spacy.load(tmp_path / "moved")
    doc = again(TEXT)
    assert doc.to_json() == expected.to_json()
    assert [t._.head_prob for t in doc] == [t._.head_prob for t in expected] != [None] * len(doc)
    # The file is copied as it is, packed: not the tables that it expands to.
    assert (tmp_path / "moved" / "headwise" / "model.hw").stat().st_size == model_path("en").stat().st_size


def test_what_was_saved_can_be_saved_again(tmp_path: Path) -> None:
    nlp = headwise.spacy.load("en")
    nlp.to_disk(tmp_path / "one")
    spacy.load(tmp_path / "one").to_disk(tmp_path / "two")
    assert spacy.load(tmp_path / "two")(TEXT).to_json() == nlp(TEXT).to_json()


def test_a_model_whose_file_is_gone_is_saved_from_memory(tmp_path: Path, parser: Parser) -> None:
    parser.save(tmp_path / "parser.hw")
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    component = nlp.add_pipe("headwise", config={"model": str(tmp_path / "parser.hw"), "tags": "doc"})
    assert isinstance(component, HeadwiseParser)
    labels = component.model.parts()[0].labels
    (tmp_path / "parser.hw").unlink()
    nlp.to_disk(tmp_path / "saved")
    again = spacy.load(tmp_path / "saved").get_pipe("headwise")
    assert isinstance(again, HeadwiseParser)
    assert again.model.parts()[0].labels == labels
    assert again.options.tags == "doc"


def test_bytes(whole: Language) -> None:
    again = headwise.spacy.load("en")
    again.from_bytes(whole.to_bytes())
    assert again(TEXT).to_json() == whole(TEXT).to_json()
    assert [t._.head_prob for t in again(TEXT)] == [t._.head_prob for t in whole(TEXT)]


def test_objects_as_models(tmp_path: Path, english: Pipeline) -> None:
    nlp = headwise.spacy.load(english, lang="en")
    assert nlp.get_pipe("headwise").model is english  # type: ignore[attr-defined]
    expected = headwise.spacy.load("en")(TEXT)
    assert nlp(TEXT).to_json() == expected.to_json()
    nlp.to_disk(tmp_path / "saved")
    assert spacy.load(tmp_path / "saved")(TEXT).to_json() == expected.to_json()


def test_pickles(whole: Language, parser: Parser) -> None:
    component = pickle.loads(pickle.dumps(whole.get_pipe("headwise")))
    tokenizer = pickle.loads(pickle.dumps(whole.tokenizer))
    assert component(tokenizer(TEXT)).to_json() == whole(TEXT).to_json()
    named = len(pickle.dumps(whole.get_pipe("headwise")))
    assert named < 1000, "the weights of a model that has a file were pickled"
    again = pickle.loads(pickle.dumps(HeadwiseParser(parser)))
    assert again.model.config.labels == parser.config.labels


def test_a_model_that_is_not_there_is_missed_when_it_is_needed(tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("headwise", config={"model": str(tmp_path / "nowhere.hw")})
    with pytest.raises(HeadwiseError, match=r"nowhere\.hw: no such file"):
        nlp("She reads.")
    nothing = spacy.blank("en")
    nothing.add_pipe("headwise", config={"model": None})
    with pytest.raises(HeadwiseError, match="there is no model: name one"):
        nothing("She reads.")
    unknown = spacy.blank("en")
    unknown.add_pipe("headwise", config={"model": "tlh"})
    with pytest.raises(HeadwiseError, match="no model of this name"):
        unknown("She reads.")


def test_models_of_another_kind(english: Pipeline, parser: Parser) -> None:
    vocab = spacy.blank("en").vocab
    assert isinstance(english.tagger, Tagger)
    with pytest.raises(HeadwiseError, match="is a tagger, where a parser or a pipeline is needed"):
        _ = HeadwiseParser(english.tagger).model
    with pytest.raises(HeadwiseError, match="is a parser, where a tokenizer or a pipeline is needed"):
        _ = HeadwiseTokenizer(vocab, parser).model
    assert [token.text for token in HeadwiseTokenizer(vocab, english.tokenizer)("I don't.")] == [
        "I",
        "don't",
        ".",
    ]


def test_a_component_can_come_from_another_pipeline(whole: Language) -> None:
    other = spacy.blank("en")
    other.add_pipe("headwise", source=whole)
    assert other("She reads.")[0]._.head_prob is not None
