"""The requests that INCEpTION sends: JSON with XMI in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from xml.parsers import expat

import cassis
from lxml import etree

from headwise.base.errors import HeadwiseError

LEAST_LXML = (5, 0)
"""From here on lxml reads no files that entities name, whoever calls it."""
if etree.LXML_VERSION < LEAST_LXML:
    raise ImportError(f"lxml {etree.__version__} is too old to be safe; install lxml 5 or newer")

MOST_LETTERS = 200
"""Of the names of users, projects, layers and features."""
_DECLARATION = re.compile(
    r"\ufeff?<\?xml\b[^>?]*?(?:\bencoding\s*=\s*[\"'](?P<encoding>[^\"'>]*)[\"'][^>?]*)?\?>"
)
_LEFT_OVER = re.compile(r"\ufeff?<\?xml\s")
_ENCODINGS = {"utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii"}


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
        layer=_short("layer", _get(metadata, "layer", str)),
        feature=_short("feature", _get(metadata, "feature", str)),
        project=_short("projectId", str(metadata.get("projectId", ""))),
        user=_short("userId", str(document.get("userId", ""))),
    )


def _short(name: str, value: str) -> str:
    """A name that can be part of a file's, too."""
    if len(value) > MOST_LETTERS:
        raise HeadwiseError(f"{name}: must have at most {MOST_LETTERS} letters.")
    if not value.isprintable():  # among them half characters, which no file can hold
        raise HeadwiseError(f"{name}: must be printable text.")
    return value


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
    cas = _read(
        "document.xmi",
        _get(document, "xmi", str),
        lambda xmi: cassis.load_cas_from_xmi(xmi, typesystem=typesystem, lenient=True),
    )
    if not isinstance(cas.sofa_string, str):
        raise HeadwiseError("document.xmi: it has no text (sofaString).")
    return cas


def _read(name: str, xml: str, reader: Callable[[str], Any]) -> Any:
    try:
        return reader(plain_xml(name, xml))
    except HeadwiseError:
        raise
    except Exception as error:  # cassis has no error of its own, and XML may be wrong in any way
        why = f"it refers to {error}, which is not there" if isinstance(error, KeyError) else str(error)
        raise HeadwiseError(f"{name}: cannot be read: {why:.200}.") from error


def plain_xml(name: str, xml: str) -> str:
    """XML without its declaration, which says nothing of what is text already, and without entities.

    A declared encoding would tell the parser to read letters as others: a document type could hide in them.
    """
    declaration = _DECLARATION.match(xml)
    encoding = declaration["encoding"] if declaration else None
    if encoding is not None and encoding.lower() not in _ENCODINGS:
        raise HeadwiseError(f"{name}: its encoding is {encoding[:40]}; it must be UTF-8 or UTF-16.")
    plain = xml[declaration.end() :] if declaration else xml.removeprefix("\ufeff")
    if _LEFT_OVER.match(plain):
        raise HeadwiseError(f"{name}: cannot be read: its XML declaration is none.")
    parser = expat.ParserCreate()

    def refuse(*_: Any) -> None:
        raise HeadwiseError(f"{name}: a document type may define entities, which are not read.")

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(plain, True)
    except (expat.ExpatError, UnicodeEncodeError) as error:
        raise HeadwiseError(f"{name}: cannot be read: {error}.") from error
    return plain
