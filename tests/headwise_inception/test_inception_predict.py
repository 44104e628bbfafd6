"""POST /predict: suggestions with scores, around what is annotated."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from headwise import Parser, Pipeline
from headwise.components.parser.constraints import Constraints
from headwise.treebank import Sentence
from headwise.web.inception.app import recommender_app
from headwise.web.inception.documents import CasSentence
from headwise.web.inception.layers import DEPENDENCY, FEATURES, LEMMA, POS
from headwise.web.inception.recommender import Recommender
from headwise.web.inception.training import Recommenders
from inception_exchanges import (
    LABEL,
    annotate,
    answered,
    arcs,
    document,
    predict_body,
    suggested,
    tag,
    tokens,
    typesystem,
)

FORMS = ["She", "announced", "a", "program", "to", "promote", "safety", "in", "trucks", "and", "vans", "."]


def client_of(model: Pipeline | Parser, **options: Any) -> TestClient:
    app = recommender_app(Recommenders(Recommender(model, **options)))
    return TestClient(app, base_url="http://localhost", raise_server_exceptions=False)


@pytest.fixture(scope="module")
def client(english: Pipeline) -> TestClient:
    return client_of(english)


def test_arcs_are_suggested_with_scores(client: TestClient, english: Pipeline) -> None:
    parse = next(english.pipe_sentences([Sentence.from_words(FORMS)], confidence=True))
    cas = answered(client.post("/predict", json=predict_body(document([FORMS, ["He", "sleeps", "."]]))))
    found = arcs(cas)
    assert len(found) == len(FORMS) + 3
    assert parse.confidence is not None
    assert parse.label_confidence is not None
    by_word = {a.Dependent.begin: a for a in suggested(cas)}
    for word, token in enumerate(tokens(cas)[: len(FORMS)]):
        head = int(parse.heads[word])
        assert found[word] == (head - 1 if head else word, parse.labels[word])
        arc = by_word[token.begin]
        p, q = parse.confidence[word], parse.label_confidence[word]
        assert arc[f"{LABEL}_score"] == pytest.approx(p * q)
        assert arc[f"{LABEL}_score_explanation"] == f"head {p:.2f}, label {q:.2f}"
        assert (arc.begin, arc.end) == (token.begin, token.end)
    assert found[13] == (13, "root")


def test_annotated_arcs_stay_and_the_rest_is_parsed_around_them(
    client: TestClient, english: Pipeline
) -> None:
    """The annotator hangs "promote" and "trucks" from "announced"; the parser alone would not."""
    cas = document([FORMS])
    annotate(cas, 1, 5, "advcl")
    annotate(cas, 1, 8, "obl")
    cas = answered(client.post("/predict", json=predict_body(cas)))
    tagged = english.tagger(Sentence.from_words(FORMS))
    heads = [2 if word in (5, 8) else -1 for word in range(12)]
    parse = next(english.parser.pipe([tagged], constraints=[Constraints(heads=heads)]))
    assert english.parser(tagged).heads.tolist() != parse.heads.tolist()
    assert {word: head for word, (head, _) in arcs(cas).items()} == {
        word: int(head) - 1 if head else word for word, head in enumerate(parse.heads) if word not in (5, 8)
    }
    assert all(arc[f"{LABEL}_score_explanation"].endswith(", given 2 annotated") for arc in suggested(cas))
    assert len(cas.select(DEPENDENCY)) == 12, "the annotator's own arcs are still there"


def test_arcs_that_make_no_tree_are_set_aside(client: TestClient) -> None:
    cas = document([FORMS])
    annotate(cas, 0, 1, "dep")
    annotate(cas, 1, 0, "dep")
    cas = answered(client.post("/predict", json=predict_body(cas)))
    assert set(arcs(cas)) == set(range(2, 12))
    explanations = {arc[f"{LABEL}_score_explanation"] for arc in suggested(cas)}
    assert all("annotated arcs set aside: no projective tree has them" in text for text in explanations)


def test_suggestions_of_before_are_no_annotation(client: TestClient) -> None:
    cas = document([FORMS])
    annotate(cas, 2, 0, "wrong", inception_internal_predicted=True)
    annotate(cas, 2, 1, "wrong", flavor="enhanced")
    found = answered(client.post("/predict", json=predict_body(cas)))
    assert found is not None
    assert {0, 1} <= set(arcs(found))


def test_the_arcs_of_several_trees(english: Pipeline) -> None:
    cas = answered(client_of(english, k_best=3).post("/predict", json=predict_body(document([FORMS]))))
    governors = [
        a.Governor.get_covered_text() for a in suggested(cas) if a.Dependent.begin == tokens(cas)[5].begin
    ]
    assert governors[0] == "program"
    assert "announced" in governors
    assert len(set(governors)) == len(governors)


EMOJI_XMI = """<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmi:version="2.0"
 xmlns:type="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore">
<cas:NULL xmi:id="0"/>
<type:Token xmi:id="2" sofa="1" begin="0" end="4"/>
<type:Token xmi:id="3" sofa="1" begin="5" end="8"/>
<type:Token xmi:id="4" sofa="1" begin="9" end="15"/>
<type:Token xmi:id="5" sofa="1" begin="16" end="17"/>
<type:Sentence xmi:id="6" sofa="1" begin="0" end="17"/>
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="🙂🙂 She sleeps ."/>
<cas:View sofa="1" members="2 3 4 5 6"/>
</xmi:XMI>"""


def test_offsets_are_utf16_units(client: TestClient) -> None:
    """As Java counts: each emoji is two."""
    body = predict_body(document([["x"]]))
    body["document"]["xmi"] = EMOJI_XMI
    reply = client.post("/predict", json=body)
    xmi = reply.json()["document"]
    places = re.findall(r'Dependency [^>]*begin="(\d+)" end="(\d+)"', xmi)
    assert sorted((int(a), int(b)) for a, b in places) == [(0, 4), (5, 8), (9, 15), (16, 17)]
    cas = answered(reply)
    assert {a.Dependent.get_covered_text() for a in suggested(cas)} == {"🙂🙂", "She", "sleeps", "."}
    assert arcs(cas)[1] == (2, "nsubj")


@pytest.mark.parametrize(
    ("layer", "feature", "expected"),
    [
        (POS, "PosValue", ["PRP", "VBZ", "NNS", "."]),
        (POS, "coarseValue", ["PRON", "VERB", "NOUN", "PUNCT"]),
        (LEMMA, "value", ["she", "read", "book", "."]),
        (FEATURES, "value", [None, None, "Number=Plur"]),
    ],
)
def test_tags_are_suggested(client: TestClient, layer: str, feature: str, expected: list[str]) -> None:
    body = predict_body(document([["She", "reads", "books", "."]]), layer=layer, feature=feature)
    cas = answered(client.post("/predict", json=body))
    found = suggested(cas, layer)
    values = [annotation[feature] for annotation in found]
    assert len(values) == len(expected)
    assert all(want in (None, value) for want, value in zip(expected, values, strict=True))
    if layer == POS:
        assert all(0.5 < annotation[f"{feature}_score"] <= 1 + 1e-9 for annotation in found)


def test_tags_of_annotators_are_kept_and_followed(client: TestClient) -> None:
    """Where PosValue has universal tags, universal tags are suggested there."""
    cas = document([["She", "reads", "books", "."]])
    tag(cas, 0, POS, PosValue="PRON")
    found = suggested(
        answered(client.post("/predict", json=predict_body(cas, layer=POS, feature="PosValue"))), POS
    )
    assert [annotation["PosValue"] for annotation in found] == ["VERB", "NOUN", "PUNCT"]


def test_a_parser_reads_the_tags_of_annotators(parser: Parser, test_sentences: list[Sentence]) -> None:
    sentence = test_sentences[0]
    cas = document([sentence.forms])
    for word, upos in enumerate(sentence.upos):
        tag(cas, word, POS, coarseValue=upos)
    found = arcs(answered(client_of(parser).post("/predict", json=predict_body(cas))))
    heads = parser(sentence).heads.tolist()
    assert [found[m][0] for m in range(len(heads))] == [h - 1 if h else m for m, h in enumerate(heads)]
    refused = client_of(parser).post("/predict", json=predict_body(cas, layer=POS, feature="PosValue"))
    assert (refused.status_code, "no tagger" in refused.text) == (400, True)


def test_a_relation_that_leads_nowhere_is_left_alone(client: TestClient) -> None:
    cas = document([FORMS])
    annotate(cas, 1, 0, "nsubj")
    body = predict_body(cas)
    body["document"]["xmi"] = re.sub(r'Governor="\d+"', 'Governor="0"', body["document"]["xmi"])
    assert 0 in arcs(answered(client.post("/predict", json=body)))


def test_documents_without_tokens(client: TestClient) -> None:
    for cas in (document([]), document([["\u00a0"]])):
        cas.sofa_string = cas.sofa_string or "Joe waited for the train ."
        assert suggested(answered(client.post("/predict", json=predict_body(cas)))) == []


def test_a_long_document(client: TestClient) -> None:
    cas = answered(client.post("/predict", json=predict_body(document([FORMS] * 100))))
    assert len(suggested(cas)) == 1200


def test_the_example_of_the_guide_is_refused_with_a_reason(client: TestClient) -> None:
    """Named entities are nothing for a parser; the message reaches INCEpTION's log."""
    layer = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
    body = predict_body(document([FORMS]), layer=layer, feature="value")
    reply = client.post("/predict", json=body)
    assert (reply.status_code, reply.text) == (400, f"the type system has no type {layer}.")
    types = typesystem()
    named = types.create_type(layer, supertypeName="uima.tcas.Annotation")
    types.create_feature(named, "value", "uima.cas.String")
    types.create_feature(named, "inception_internal_predicted", "uima.cas.Boolean")
    body["typeSystem"] = types.to_xml()
    reply = client.post("/predict", json=body)
    assert reply.status_code == 400
    assert "a parser suggests relations between tokens" in reply.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda body: body.pop("metadata"), "metadata: is missing"),
        (lambda body: body.pop("document"), "document: is missing"),
        (lambda body: body.update(document="x"), "document: must be an object"),
        (lambda body: body["document"].update(xmi=7), "xmi: must be text"),
        (lambda body: body["document"].update(xmi="<broken"), r"document\.xmi: cannot be read"),
        (
            lambda body: body["document"].update(xmi=EMOJI_XMI.replace('members="2', 'members="99')),
            "it refers to 99, which is not there",
        ),
        (lambda body: body.update(typeSystem="no"), "typeSystem: cannot be read"),
        (lambda body: body["metadata"].update(feature="nothing"), "has no feature nothing"),
        (
            lambda body: body["document"].update(
                xmi='<!DOCTYPE a [<!ENTITY b "c">]>' + body["document"]["xmi"]
            ),
            "entities",
        ),
    ],
)
def test_bad_requests_are_told_what_is_wrong(client: TestClient, change: Any, message: str) -> None:
    body = predict_body(document([FORMS]))
    change(body)
    reply = client.post("/predict", json=body)
    assert reply.status_code == 400
    assert re.search(message, reply.text)


@pytest.mark.parametrize(
    "body", [b"", b"no json", b"[]", b'{"metadata":', b"\xff\xfe", json.dumps("x").encode()]
)
@pytest.mark.parametrize("address", ["/predict", "/train"])
def test_what_is_no_request_is_refused(client: TestClient, address: str, body: bytes) -> None:
    reply = client.post(address, content=body)
    assert reply.status_code == 400
    assert "JSON" in reply.text


def test_the_address_says_what_it_is(client: TestClient) -> None:
    assert "Remote classifier" in client.get("/").text
    assert client.get("/predict").status_code == 405


def _hidden(encoding: str, text: str) -> str:
    """A document type in another encoding, as letters that look like none."""
    hidden = '<!DOCTYPE a [<!ENTITY b "c">]>'.encode("utf-7").decode("ascii").replace("<", "+ADw-")
    return f'<?xml version="1.0" encoding="{encoding}"?>{hidden}{text}'


@pytest.mark.parametrize(
    ("change", "message"),
    [
        *(
            (lambda body, name=name: body["document"].update(xmi=_hidden(name, "<a/>")), "encoding")
            for name in ("UTF-7", "hz-gb-2312", "ISO-2022-JP", "latin-1")
        ),
        (lambda body: body.update(typeSystem=_hidden("UTF-7", "<a/>")), "typeSystem: its encoding"),
        (lambda body: body["document"].update(xmi="<?xml odd?><a/>"), "it has no text"),
        (lambda body: body["document"].update(xmi=body["document"]["xmi"] + "\ud800"), "cannot be read"),
        (lambda body: body["document"].update(userId="x" * 5000), "userId: must have at most"),
        (lambda body: body["document"].update(userId="\ud800"), "userId: must be printable"),
        (lambda body: body["metadata"].update(feature="x" * 5000), "feature: must have at most"),
        (lambda body: body["metadata"].update(feature="\udfff"), "feature: must be printable"),
        (lambda body: body["metadata"].update(layer="a\0b"), "layer: must be printable"),
        (
            lambda body: body["document"].update(
                xmi=re.sub(r'sofaString="[^"]*"', "", body["document"]["xmi"])
            ),
            "it has no text",
        ),
    ],
)
@pytest.mark.parametrize("address", ["/predict", "/train"])
def test_what_would_lead_the_reader_astray_is_refused(
    client: TestClient, address: str, change: Any, message: str
) -> None:
    body = predict_body(document([FORMS]))
    change(body)
    if address == "/train":
        body["documents"] = [body.pop("document")]
    reply = client.post(address, content=json.dumps(body))
    assert reply.status_code == 400, reply.text
    assert re.search(message, reply.text)


def test_declared_encodings_of_text_say_nothing(client: TestClient) -> None:
    body = predict_body(document([FORMS]))
    for encoding in ("UTF-8", "utf-16"):
        plain = body["document"]["xmi"].partition("?>")[2]
        body["document"]["xmi"] = f"\ufeff<?xml version='1.0' encoding='{encoding}' standalone='yes'?>{plain}"
        assert client.post("/predict", content=json.dumps(body)).status_code == 200


def test_a_sentence_too_long_for_annotated_arcs_says_so(parser: Parser) -> None:
    words = ["the", "dog"] * 501
    recommender = Recommender(parser)
    annotated = Sentence.from_words(words, upos=["DET", "NOUN"] * 501, heads=[2, *[-1] * 1001])
    place = CasSentence([], annotated)
    (tree,), note = recommender._trees(place.sentence, place)
    assert tree.left_out == ("constraints",)
    assert note == ", annotated arcs set aside: a long sentence"
