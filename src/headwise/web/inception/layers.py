"""The types of INCEpTION's built-in layers, which are DKPro Core's, and which features are suggested."""

from __future__ import annotations

from typing import Any

from headwise.base.errors import HeadwiseError

_CORE = "de.tudarmstadt.ukp.dkpro.core.api"
SENTENCE = f"{_CORE}.segmentation.type.Sentence"
TOKEN = f"{_CORE}.segmentation.type.Token"
DEPENDENCY = f"{_CORE}.syntax.type.dependency.Dependency"
POS = f"{_CORE}.lexmorph.type.pos.POS"
FEATURES = f"{_CORE}.lexmorph.type.morph.MorphologicalFeatures"
LEMMA = f"{_CORE}.segmentation.type.Lemma"

GOVERNOR, DEPENDENT = "Governor", "Dependent"
"""What a relation has; that of the root goes from its word to itself."""
PREDICTED = "inception_internal_predicted"

SPAN_COLUMNS = {(POS, "coarseValue"): "upos", (POS, "PosValue"): "xpos"} | {
    (FEATURES, "value"): "feats",
    (LEMMA, "value"): "lemmas",
}
"""The column of a sentence that a feature of words is suggested from."""


def type_of(typesystem: Any, layer: str, feature: str) -> Any:
    """The type of a layer; an error where there can be no suggestions for it."""
    if not typesystem.contains_type(layer):
        raise HeadwiseError(f"the type system has no type {layer}.")
    found = typesystem.get_type(layer)
    for name in (feature, PREDICTED):
        if found.get_feature(name) is None:
            raise HeadwiseError(f"{layer} has no feature {name}, which suggestions need.")
    return found


def is_relation(layer_type: Any) -> bool:
    return all(layer_type.get_feature(name) is not None for name in (GOVERNOR, DEPENDENT))


def column_of(layer: str, feature: str) -> str:
    """The column that a feature of words is suggested from; an error for layers that nothing is known of."""
    column = SPAN_COLUMNS.get((layer, feature))
    if column is None:
        known = ", ".join(f"{name.rpartition('.')[2]}.{feature}" for name, feature in SPAN_COLUMNS)
        raise HeadwiseError(
            f"nothing can be suggested for {layer}.{feature}: a parser suggests relations between tokens, "
            f"and its tagger {known}."
        )
    return column
