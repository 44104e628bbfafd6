"""Probabilities, in Docs and in their files."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from headwise import Pipeline

TEXT = "She announced a program  to promote safety in trucks 🙂 and vans.\nI don't know."


def probabilities(doc: Doc) -> list[Any]:
    return [
        [(token._.head_prob, token._.dep_prob, token._.inner_words) for token in doc],
        [sentence._.tree_prob for sentence in doc.sents],
        doc._.k_best,
    ]


@pytest.fixture(scope="module")
def doc(whole: Language) -> Doc:
    return whole(TEXT)


def test_they_are_those_of_the_parse(doc: Doc, english: Pipeline) -> None:
    parses = english(TEXT, confidence=True)
    sentences = list(doc.sents)
    assert len(sentences) == len(parses) == 2
    for sentence, parse in zip(sentences, parses, strict=True):
        words = [word for word in parse if word.form != "n't"]
        tokens = [token for token in sentence if not token.is_space]
        assert [t._.head_prob for t in tokens] == [word.probability for word in words]
        assert [t._.dep_prob for t in tokens] == [word.label_probability for word in words]
        assert parse.log_prob is not None
        assert sentence._.tree_prob == math.exp(parse.log_prob)
    assert all(token._.head_prob is None for token in doc if token.is_space)


def test_the_k_best_trees_are_those_of_the_parser(doc: Doc, english: Pipeline) -> None:
    first, sentence = english.k_best(TEXT, 3)[0], next(doc.sents)
    trees = doc._.k_best[0]
    assert trees == sentence._.k_best
    assert len(trees) == len(first) == 3
    assert [tree["prob"] for tree in trees] == [math.exp(parse.log_prob or 0) for parse in first]
    assert [sentence[head].i for head in trees[0]["heads"]] == [token.head.i for token in sentence]
    assert trees[0]["deps"] == [token.dep_ for token in sentence]
    for tree, parse in zip(trees, first, strict=True):
        words = [token for token in sentence if not token.is_space]
        heads = [sentence[tree["heads"][token.i]] for token in words]
        places = {token.i: place for place, token in enumerate(words, 1)}
        found = [0 if h.i == t.i else places[h.i] for h, t in zip(heads, words, strict=True)]
        assert found == parse.heads.tolist()


def test_without_being_asked_there_are_none(nlp: Language) -> None:
    assert probabilities(nlp("She reads."))[:2] == [[(None, None, None)] * 3, [None]]
    assert nlp("She reads.")._.k_best == []


def test_parsing_again_forgets_them(doc: Doc, nlp: Language, whole: Language) -> None:
    again = nlp.get_pipe("headwise")(whole(TEXT))
    assert {token._.head_prob for token in again} == {None}
    assert again._.k_best == []


def test_docbin_keeps_them(doc: Doc, whole: Language) -> None:
    stored = DocBin(docs=[doc], store_user_data=True).to_bytes()
    other = next(DocBin().from_bytes(stored).get_docs(whole.vocab))
    # Lists come back as tuples, which is how DocBin reads user data.
    assert json.dumps(probabilities(other)) == json.dumps(probabilities(doc))
    assert other.to_json() == doc.to_json()


def test_bytes_and_copies_keep_them(doc: Doc, whole: Language) -> None:
    assert probabilities(Doc(whole.vocab).from_bytes(doc.to_bytes())) == probabilities(doc)
    assert probabilities(doc.copy()) == probabilities(doc)


def test_parts_and_joins_keep_them(doc: Doc) -> None:
    parts = [sentence.as_doc(copy_user_data=True) for sentence in doc.sents]
    assert [t._.head_prob for part in parts for t in part] == [t._.head_prob for t in doc]
    assert [next(part.sents)._.tree_prob for part in parts] == [s._.tree_prob for s in doc.sents]
    joined = Doc.from_docs(parts)
    assert [t._.head_prob for t in joined] == [t._.head_prob for t in doc]
    assert joined._.k_best == doc._.k_best


def test_processes_give_the_same(whole: Language) -> None:
    texts = [TEXT, "", "She reads.", " ", "I don't know.", TEXT]
    alone = [(doc.to_json(), probabilities(doc)) for doc in whole.pipe(texts)]
    together = [(doc.to_json(), probabilities(doc)) for doc in whole.pipe(texts, n_process=2, batch_size=2)]
    assert together == alone
