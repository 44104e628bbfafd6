"""POST /train: a parser of the annotator's own, used once it is better."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from headwise import Parser
from headwise.treebank import Sentence
from headwise.web.inception import training
from headwise.web.inception.app import recommender_app
from headwise.web.inception.layers import POS
from headwise.web.inception.recommender import Recommender
from headwise.web.inception.training import Learning, Recommenders, accuracy
from inception_exchanges import annotate, answered, arcs, document, predict_body, tag, train_body
from toy_language import SMALL, toy_treebank

QUICK = {name: value for name, value in SMALL.items() if name != "preset"}


@pytest.fixture(scope="module")
def contrary(train_sentences: list[Sentence]) -> Parser:
    """A parser of another scheme: each word hangs from the one before it."""
    chains = [s.with_tree(np.arange(len(s)), ["root"] + ["next"] * (len(s) - 1)) for s in train_sentences]
    return Parser.train(chains, **SMALL)


def annotated(sentences: list[Sentence], share: float = 1.0) -> Any:
    """A document with the tags of these sentences, and a share of their arcs."""
    cas = document([sentence.forms for sentence in sentences])
    begin = 0
    for sentence in sentences:
        for word, (head, label, upos) in enumerate(
            zip(sentence.heads.tolist(), sentence.labels, sentence.upos, strict=True)
        ):
            tag(cas, begin + word, POS, coarseValue=upos)
            if (7 * (begin + word)) % 10 < 10 * share:
                annotate(cas, begin + (head - 1 if head else word), begin + word, label)
        begin += len(sentence)
    return cas


class Exchange:
    """A server, and what it tells."""

    def __init__(self, first: Parser, **options: Any) -> None:
        self.told: list[str] = []
        self.recommenders = Recommenders(
            Recommender(first),
            Learning(factorization="arc", settings=QUICK, tell=self.told.append, **options),
        )
        self.client = TestClient(recommender_app(self.recommenders), base_url="http://localhost")

    def train(self, *documents: Any, **options: Any) -> int:
        status = self.client.post("/train", json=train_body(documents, **options)).status_code
        self.recommenders.wait()
        return status

    def heads(self, sentence: Sentence) -> list[int]:
        cas = annotated([sentence], share=0)
        found = arcs(answered(self.client.post("/predict", json=predict_body(cas))))
        return [0 if found[m][0] == m else found[m][0] + 1 for m in range(len(sentence))]


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_annotators_are_learned_from(contrary: Parser, share: float, tmp_path: Path) -> None:
    """Also where half of the words have no head yet."""
    exchange = Exchange(contrary, folder=tmp_path)
    test = toy_treebank(10, seed=9)
    assert exchange.heads(test[0]) == list(range(len(test[0])))
    status = exchange.train(
        annotated(toy_treebank(25, seed=3), share), annotated(toy_treebank(25, seed=4), share)
    )
    assert status == 204
    assert len(exchange.told) == 1
    assert exchange.told[0].startswith("project 1337, testuser: 50 annotated sentences, on a fifth of them ")
    assert exchange.told[0].endswith(": the new model is used")
    right = [exchange.heads(sentence) == sentence.heads.tolist() for sentence in test]
    assert sum(right) >= 8
    again = Exchange(contrary, folder=tmp_path)  # the next run finds it
    assert [again.heads(s) for s in test] == [exchange.heads(s) for s in test]


def test_each_annotator_has_one(contrary: Parser) -> None:
    exchange = Exchange(contrary)
    exchange.train(annotated(toy_treebank(30, seed=3)), user="somebody else")
    assert exchange.told[0].endswith("the new model is used")
    sentence = toy_treebank(1, seed=9)[0]
    assert exchange.heads(sentence) == list(range(len(sentence)))


def test_a_better_first_model_stays(parser: Parser) -> None:
    """Here it is the one that the annotation comes from."""
    exchange = Exchange(parser)
    exchange.train(annotated(toy_treebank(22, seed=3)))
    assert exchange.told[0].endswith("the first model stays")


def test_nothing_is_learned_from_little(contrary: Parser) -> None:
    exchange = Exchange(contrary)
    assert exchange.train(annotated(toy_treebank(30, seed=3), share=0)) == 204
    assert exchange.told == ["project 1337, testuser: 0 annotated sentences; training begins with 20"]


def test_arcs_in_a_circle_are_left_out(contrary: Parser) -> None:
    exchange = Exchange(contrary)
    cas = document([["the", "dog", "sees"]])
    annotate(cas, 0, 1, "x")
    annotate(cas, 1, 0, "x")
    exchange.train(cas)
    assert exchange.told[0].endswith("0 annotated sentences; training begins with 20")


def test_a_second_request_is_told_to_wait(contrary: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(*_: Any) -> float:
        begun.set()
        go_on.wait(60)
        return 1.0

    monkeypatch.setattr(training, "accuracy", slow)
    exchange = Exchange(contrary)
    body = train_body([annotated(toy_treebank(25, seed=3))])
    assert exchange.client.post("/train", json=body).status_code == 204
    assert begun.wait(60)
    busy = exchange.client.post("/train", json=body)
    assert (busy.status_code, "Ask again later" in busy.text) == (429, True)
    sentence = toy_treebank(1, seed=9)[0]
    assert exchange.heads(sentence), "it still answers"
    go_on.set()
    exchange.recommenders.wait()
    assert exchange.train(annotated(toy_treebank(2, seed=3))) == 204


def test_a_treebank_is_learned_from_too(contrary: Parser) -> None:
    exchange = Exchange(contrary, treebank=toy_treebank(60, seed=5))
    exchange.train(annotated(toy_treebank(20, seed=3), share=0.3))
    assert exchange.told[0].endswith("the new model is used")


def test_accuracy_counts_what_is_annotated(parser: Parser, test_sentences: list[Sentence]) -> None:
    parsed = [parse.to_sentence() for parse in parser.pipe(test_sentences[:5])]
    assert accuracy(parser, parsed) == 1.0
    unlabelled = [s.with_tree(s.heads, ["_"] * len(s)) for s in parsed]
    assert accuracy(parser, unlabelled) == 1.0
    wrong = [s.with_tree(np.full(len(s), -1), ["_"] * len(s)) for s in parsed]
    assert accuracy(parser, wrong) == 0.0


@pytest.mark.parametrize("documents", [[], "x", [7], None])
def test_requests_without_documents_are_refused(contrary: Parser, documents: Any) -> None:
    body = train_body([annotated(toy_treebank(1, seed=3))])
    body["documents"] = documents
    assert Exchange(contrary).client.post("/train", json=body).status_code == 400
