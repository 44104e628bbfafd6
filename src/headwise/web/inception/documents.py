"""The sentences of a CAS: tokens, and what annotators have said of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from headwise.components.parser.constraints import Constraints
from headwise.components.text.fields import as_field
from headwise.treebank import Sentence
from headwise.web.inception.layers import (
    DEPENDENCY,
    DEPENDENT,
    FEATURES,
    GOVERNOR,
    LEMMA,
    POS,
    PREDICTED,
    SENTENCE,
    TOKEN,
)

UPOS = frozenset(
    ["ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT"]
) | {"SCONJ", "SYM", "VERB", "X"}
Place = tuple[int, int]
"""Where an annotation begins and ends, in characters; the CAS counts UTF-16 units, dkpro-cassis converts."""


@dataclass(frozen=True)
class CasSentence:
    """A sentence of a CAS. Columns that nobody has annotated are "_"."""

    tokens: Sequence[Any]
    sentence: Sentence
    """Forms, the tags of annotators, and their trees, which may be partial (head −1, label "_")."""

    @property
    def constraints(self) -> Constraints | None:
        """The annotated arcs; None where there are none."""
        return Constraints.of_annotation(self.sentence) if (self.sentence.heads >= 0).any() else None


def read_sentences(cas: Any, layer: str = DEPENDENCY, feature: str = "DependencyType") -> list[CasSentence]:
    """The sentences that have tokens, with the arcs of this layer and their labels."""
    if not all(cas.typesystem.contains_type(name) for name in (SENTENCE, TOKEN)):
        return []
    arcs = _arcs(cas, layer, feature)
    tags = {
        "upos": _values(cas, POS, "coarseValue"),
        "xpos": _values(cas, POS, "PosValue"),
        "feats": _values(cas, FEATURES, "value"),
        "lemmas": _values(cas, LEMMA, "value"),
    }
    # Treebanks of UD often have universal tags alone, and then in INCEpTION's main feature.
    universal = {place: tag for place, tag in tags["xpos"].items() if tag in UPOS}
    tags["upos"] = universal | tags["upos"]
    read = []
    for span in cas.select(SENTENCE):
        tokens = [token for token in cas.select_covered(TOKEN, span) if token.get_covered_text().strip()]
        if tokens:
            read.append(CasSentence(tokens, _sentence(tokens, arcs, tags)))
    return read


def place_of(annotation: Any) -> Place:
    return annotation.begin, annotation.end


def _sentence(
    tokens: Sequence[Any], arcs: dict[Place, tuple[Place, str]], tags: dict[str, dict[Place, str]]
) -> Sentence:
    places = [place_of(token) for token in tokens]
    number = {place: word for word, place in enumerate(places, 1)}
    heads, labels = [-1] * len(tokens), ["_"] * len(tokens)
    for word, place in enumerate(places):
        governor, label = arcs.get(place, (None, ""))
        if governor == place:
            heads[word] = 0
        elif governor in number:
            heads[word] = number[governor]
        if heads[word] >= 0:
            labels[word] = as_field(label)
    columns: dict[str, Any] = {
        name: [as_field(values.get(place, "")) for place in places] for name, values in tags.items()
    }
    forms = [as_field(token.get_covered_text()) for token in tokens]
    return Sentence.from_words(forms, **columns, heads=heads, labels=labels)


def _arcs(cas: Any, layer: str, feature: str) -> dict[Place, tuple[Place, str]]:
    """By the dependent: the governor and the label. Of several governors the first counts."""
    found: dict[Place, tuple[Place, str]] = {}
    for arc in _annotated(cas, layer):
        governor, dependent = arc[GOVERNOR], arc[DEPENDENT]
        if not (_is_placed(governor) and _is_placed(dependent)) or _flavor(arc) == "enhanced":
            continue
        found.setdefault(place_of(dependent), (place_of(governor), arc[feature] or ""))
    return found


def _is_placed(annotation: Any) -> bool:
    """Whether it is an annotation of the text: a damaged reference may lead to anything."""
    return isinstance(getattr(annotation, "begin", None), int)


def _flavor(arc: Any) -> str | None:
    return arc["flavor"] if arc.type.get_feature("flavor") is not None else None


def _values(cas: Any, layer: str, feature: str) -> dict[Place, str]:
    annotations = _annotated(cas, layer)
    return {
        place_of(annotation): annotation[feature]
        for annotation in annotations
        if annotation.type.get_feature(feature) is not None and annotation[feature]
    }


def _annotated(cas: Any, layer: str) -> list[Any]:
    """Annotations of a layer that are no suggestions."""
    if not cas.typesystem.contains_type(layer):
        return []
    return [
        annotation
        for annotation in cas.select(layer)
        if annotation.type.get_feature(PREDICTED) is None or not annotation[PREDICTED]
    ]
