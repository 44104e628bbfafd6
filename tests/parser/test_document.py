"""Texts in, documents out: their words, spans and places in the text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import headwise
import headwise.words.clusters
from headwise.pipeline.document import Document


@pytest.fixture(scope="module")
def nlp() -> headwise.Pipeline:
    loaded = headwise.load("en")
    assert isinstance(loaded, headwise.Pipeline)
    return loaded


TEXT = "She didn't see  the old cat.\nIt slept, though!"


def test_one_document_a_text(nlp: headwise.Pipeline) -> None:
    texts = ["Great phone", "", "I hate it. Really.", "  \n ", "Yes"]
    documents = list(nlp.pipe(texts))
    assert [d.text for d in documents] == texts
    assert [len(d) for d in documents] == [1, 0, 2, 0, 1]
    assert [w.form for w in documents[0].words] == ["Great", "phone"]
    for document, text in zip(documents, texts, strict=True):
        assert document.to_conllu() == nlp(text).to_conllu()


@pytest.mark.parametrize("threads", [1, 2])
def test_generators_contexts_and_threads(nlp: headwise.Pipeline, threads: int) -> None:
    def texts() -> Iterator[tuple[str, int]]:
        for number in range(30):
            yield ("It works. " * (number % 3), number)

    found = list(nlp.pipe(texts(), as_tuples=True, threads=threads, confidence=True))
    assert [context for _, context in found] == list(range(30))
    assert [len(document) for document, _ in found] == [number % 3 for number in range(30)]
    assert all(
        0 < word.probability <= 1 for document, _ in found for word in document.words if word.probability
    )


@pytest.mark.parametrize("wrong", [None, float("nan"), 3, b"bytes", ["a", "list"]])
def test_what_is_no_text_is_refused(nlp: headwise.Pipeline, wrong: object) -> None:
    with pytest.raises(TypeError, match="a text is a str"):
        nlp(wrong)  # type: ignore[arg-type]


def test_one_string_is_not_many_texts(nlp: headwise.Pipeline) -> None:
    with pytest.raises(TypeError, match=r"nlp\(text\)"):
        nlp.pipe("I am one text.")


def test_words_know_their_tree(nlp: headwise.Pipeline) -> None:
    (parse,) = nlp("The old man reads a book.")
    assert [word.form for word in parse] == ["The", "old", "man", "reads", "a", "book", "."]
    root = parse.root
    assert root.form == "reads"
    assert root.head is None
    assert root.is_root
    man = parse[2]
    assert man.head == root
    assert man.label == "nsubj"
    assert man.upos == "NOUN"
    assert [str(child) for child in man.children] == ["The", "old"]
    assert [str(word) for word in man.subtree] == ["The", "old", "man"]
    assert [str(word) for word in parse[0].ancestors] == ["man", "reads"]
    assert [word.id for word in root.lefts] == [3]
    assert [word.id for word in root.rights] == [6, 7]
    assert man.feats.get("Number") == "Sing"
    assert man.probability is None
    assert parse[-1].form == "."
    assert set(parse) >= {man, root}


def test_spans(nlp: headwise.Pipeline) -> None:
    document = nlp(TEXT)
    span = document[0][4:7]
    assert [str(word) for word in span] == ["the", "old", "cat"]
    assert span.text == "the old cat"
    assert span.root.form == "cat"
    assert span[1:].text == "old cat"
    assert document[0][0:0].text == ""


def test_places_in_the_text(nlp: headwise.Pipeline) -> None:
    document = nlp(TEXT)
    assert len(document.sentences) == 2
    for word in document.words:
        assert word.start is not None
        assert TEXT[word.start : word.end] in (word.form, "didn't")  # two words of one token
    assert document[0][:].text == "She didn't see  the old cat."


def test_no_stale_heads(nlp: headwise.Pipeline) -> None:
    for parse in nlp(TEXT):
        assert parse.sentence.heads.tolist() == parse.heads.tolist()


def test_documents_begin_in_conllu(nlp: headwise.Pipeline) -> None:
    written = nlp(TEXT).to_conllu()
    assert written.startswith("# newdoc\n")
    assert written.count("# newdoc") == 1


def test_notebooks_and_tables(nlp: headwise.Pipeline) -> None:
    document = nlp(TEXT, confidence=True)
    assert document._repr_html_().count("<svg") == 2
    assert isinstance(document, Document)
    pandas = pytest.importorskip("pandas")
    table = document.to_dataframe()
    assert isinstance(table, pandas.DataFrame)
    assert table["form"].tolist() == [word.form for word in document.words]
    assert table["probability"].between(0, 1).all()


def test_what_there_is_can_be_listed() -> None:
    assert {"load", "Parser", "Pipeline", "Document", "Parse", "HeadwiseError"} <= set(dir(headwise))
    assert "Clusters" in dir(headwise.words.clusters)
