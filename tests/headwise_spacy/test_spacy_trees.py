"""Several roots and crossing arcs, as spaCy can hold them."""

from __future__ import annotations

import numpy as np
import spacy
from spacy.tokens import Doc, DocBin

from headwise.components.parser.parse import Parse
from headwise.spacy.reading import read_doc
from headwise.spacy.writing import write_doc
from headwise.treebank import Sentence

VOCAB = spacy.blank("xx").vocab


def doc_with(heads: list[int]) -> Doc:
    """A sentence with these heads (from 1, 0 is the root), as the component writes it."""
    words = list("abcdefgh")[: len(heads)]
    doc = Doc(VOCAB, words=words, sent_starts=[i == 0 for i in range(len(words))])
    labels = ["root" if head == 0 else "x" for head in heads]
    parse = Parse(Sentence.from_words(words), np.array(heads, np.int32), labels, 0.0)
    write_doc(doc, read_doc(doc, "doc", None, with_tags=False), [parse], [])
    return doc


def heads_of(doc: Doc) -> list[int]:
    return [0 if token.head.i == token.i else token.head.i + 1 for token in doc]


def stored(doc: Doc) -> Doc:
    return next(DocBin(store_user_data=True).from_bytes(DocBin(docs=[doc]).to_bytes()).get_docs(VOCAB))


def test_crossing_arcs_are_kept() -> None:
    heads = [3, 4, 0, 3, 2]
    doc = doc_with(heads)
    assert heads_of(doc) == heads == heads_of(stored(doc))
    assert [sentence.text for sentence in doc.sents] == ["a b c d e"]
    assert {token.text for token in doc[3].subtree} == {"b", "d", "e"}


def test_several_roots_are_kept_and_begin_sentences() -> None:
    heads = [0, 1, 0, 3]
    doc = doc_with(heads)
    assert heads_of(doc) == heads == heads_of(stored(doc))
    assert [token.dep_ for token in doc] == ["ROOT", "x", "ROOT", "x"]
    assert [sentence.text.strip() for sentence in doc.sents] == ["a b", "c d"]


def test_roots_whose_trees_cross_are_kept() -> None:
    heads = [0, 4, 1, 0]
    doc = doc_with(heads)
    assert heads_of(doc) == heads == heads_of(stored(doc))
    assert [sentence.text.strip() for sentence in doc.sents] == ["a", "b c d"]
