"""Requests as INCEpTION's developer guide describes them, made with dkpro-cassis and DKPro Core's types."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import cassis

from headwise.web.inception.layers import DEPENDENCY, FEATURES, LEMMA, POS, SENTENCE, TOKEN

ANNOTATION, STRING = "uima.tcas.Annotation", "uima.cas.String"
LABEL = "DependencyType"


def typesystem() -> Any:
    """INCEpTION adds the last three features to the layer that is asked for; here all layers have them."""
    types = cassis.TypeSystem()
    types.create_type(SENTENCE, supertypeName=ANNOTATION)
    types.create_type(TOKEN, supertypeName=ANNOTATION)
    features: dict[str, dict[str, str]] = {
        DEPENDENCY: {"Governor": TOKEN, "Dependent": TOKEN, LABEL: STRING, "flavor": STRING},
        POS: {"PosValue": STRING, "coarseValue": STRING},
        FEATURES: {"value": STRING},
        LEMMA: {"value": STRING},
    }
    for name, own in features.items():
        layer = types.create_type(name, supertypeName=ANNOTATION)
        for feature, kind in own.items():
            types.create_feature(layer, feature, kind)
        types.create_feature(layer, "inception_internal_predicted", "uima.cas.Boolean")
        for feature in (name for name, kind in own.items() if kind == STRING):
            types.create_feature(layer, f"{feature}_score", "uima.cas.Double")
            types.create_feature(layer, f"{feature}_score_explanation", STRING)
    return types


def document(sentences: Sequence[Sequence[str]]) -> Any:
    """A CAS with these tokens, a space between them."""
    cas = cassis.Cas(typesystem())
    cas.sofa_string = "\n".join(" ".join(forms) for forms in sentences)
    cas.sofa_mime = "text/plain"
    types, at = cas.typesystem, 0
    for forms in sentences:
        begin = at
        for form in forms:
            cas.add(types.get_type(TOKEN)(begin=at, end=at + len(form)))
            at += len(form) + 1
        cas.add(types.get_type(SENTENCE)(begin=begin, end=at - 1))
    return cas


def tokens(cas: Any) -> list[Any]:
    found: list[Any] = cas.select(TOKEN)
    return found


def annotate(cas: Any, governor: int, dependent: int, label: str | None, **fields: Any) -> None:
    """An arc by an annotator, between tokens of the document, from 0."""
    head, word = tokens(cas)[governor], tokens(cas)[dependent]
    arc = cas.typesystem.get_type(DEPENDENCY)
    values = {"Governor": head, "Dependent": word, LABEL: label, **fields}
    cas.add(arc(begin=word.begin, end=word.end, **values))


def tag(cas: Any, token: int, layer: str, **fields: Any) -> None:
    word = tokens(cas)[token]
    cas.add(cas.typesystem.get_type(layer)(begin=word.begin, end=word.end, **fields))


def metadata(layer: str = DEPENDENCY, feature: str = LABEL, project: int = 1337) -> dict[str, Any]:
    return {
        "layer": layer,
        "feature": feature,
        "projectId": project,
        "anchoringMode": "tokens",
        "crossSentence": False,
        "range": {"begin": 0, "end": 10},
    }


def predict_body(cas: Any, **wanted: Any) -> dict[str, Any]:
    return {
        "metadata": metadata(**wanted),
        "document": {"xmi": cas.to_xmi(), "documentId": 42, "userId": "testuser"},
        "typeSystem": cas.typesystem.to_xml(),
    }


def train_body(documents: Sequence[Any], user: str = "testuser", **wanted: Any) -> dict[str, Any]:
    return {
        "metadata": metadata(**wanted),
        "documents": [
            {"xmi": cas.to_xmi(), "documentId": number, "userId": user}
            for number, cas in enumerate(documents)
        ],
        "typeSystem": documents[0].typesystem.to_xml(),
    }


def answered(reply: Any) -> Any:
    """The CAS of an answer, read as INCEpTION would: with the types that it sent."""
    assert reply.status_code == 200, reply.text
    given: Mapping[str, Any] = json.loads(reply.text)
    assert list(given) == ["document"]
    return cassis.load_cas_from_xmi(given["document"], typesystem=typesystem())


def suggested(cas: Any, layer: str = DEPENDENCY) -> list[Any]:
    return [annotation for annotation in cas.select(layer) if annotation["inception_internal_predicted"]]


def arcs(cas: Any) -> dict[int, tuple[int, str]]:
    """Of suggestions, by the dependent: governor (itself for the root) and label; tokens from 0."""
    number = {token.begin: place for place, token in enumerate(tokens(cas))}
    return {number[a.Dependent.begin]: (number[a.Governor.begin], a[LABEL]) for a in suggested(cas)}
