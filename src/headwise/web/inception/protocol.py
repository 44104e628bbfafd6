"""The requests that INCEpTION sends: JSON with XMI in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import cassis

from headwise.base.errors import HeadwiseError


@dataclass(frozen=True)
class Wanted:
    """Which feature of which layer, for whom."""

    layer: str
    feature: str
    project: str
    user: str


@dataclass(frozen=True)
class PredictRequest:
    wanted: Wanted
    cas: Any


@dataclass(frozen=True)
class TrainRequest:
    wanted: Wanted
    documents: list[Any]


def predict_request(body: bytes) -> PredictRequest:
    given = _parsed(body)
    document = _get(given, "document", dict)
    return PredictRequest(_wanted(given, document), _cas(given, document))


def train_request(body: bytes) -> TrainRequest:
    given = _parsed(body)
    documents = _get(given, "documents", list)
    if not documents or not all(isinstance(document, dict) for document in documents):
        raise HeadwiseError("documents: must be one or more objects.")
    return TrainRequest(_wanted(given, documents[0]), [_cas(given, document) for document in documents])


def _wanted(given: Mapping[str, Any], document: Mapping[str, Any]) -> Wanted:
    metadata = _get(given, "metadata", dict)
    return Wanted(
        layer=_get(metadata, "layer", str),
        feature=_get(metadata, "feature", str),
        project=str(metadata.get("projectId", "")),
        user=str(document.get("userId", "")),
    )


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        given = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise HeadwiseError(f"the request is not JSON: {error}.") from error
    if not isinstance(given, dict):
        raise HeadwiseError("the request is not a JSON object.")
    return given


def _get(given: Mapping[str, Any], key: str, kind: type) -> Any:
    value = given.get(key)
    if not isinstance(value, kind):
        what = {"dict": "an object", "list": "a list", "str": "text"}[kind.__name__]
        raise HeadwiseError(f"{key}: {'is missing' if value is None else f'must be {what}'}.")
    return value


def _cas(given: Mapping[str, Any], document: Mapping[str, Any]) -> Any:
    typesystem = _read("typeSystem", _get(given, "typeSystem", str), cassis.load_typesystem)
    return _read(
        "document.xmi",
        _get(document, "xmi", str),
        lambda xmi: cassis.load_cas_from_xmi(xmi, typesystem=typesystem, lenient=True),
    )


def _read(name: str, xml: str, reader: Callable[[str], Any]) -> Any:
    if "<!DOCTYPE" in xml:
        raise HeadwiseError(f"{name}: a document type may define entities, which are not read.")
    try:
        return reader(xml)
    except Exception as error:  # cassis has no error of its own, and XML may be wrong in any way
        why = f"it refers to {error}, which is not there" if isinstance(error, KeyError) else str(error)
        raise HeadwiseError(f"{name}: cannot be read: {why:.200}.") from error
