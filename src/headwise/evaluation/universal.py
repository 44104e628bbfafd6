"""The inventories of Universal Dependencies that the CoNLL 2018 measures refer to.

https://universaldependencies.org/conll18/evaluation.html lists them.
"""

from __future__ import annotations

CONTENT_RELATIONS = frozenset(
    {
        *("nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated"),
        *("advcl", "advmod", "discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed"),
        *("flat", "compound", "list", "parataxis", "orphan", "goeswith", "reparandum", "root", "dep"),
    }
)
"""Relations of content words: what CLAS, MLAS and BLEX count."""

FUNCTIONAL_RELATIONS = frozenset(["aux", "cop", "mark", "det", "clf", "case", "cc"])
"""Relations of function words: MLAS wants these children of a content word to be right too."""

RELATIONS = CONTENT_RELATIONS | FUNCTIONAL_RELATIONS | {"punct"}

UNIVERSAL_FEATURES = frozenset(
    {
        *("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number"),
        *("Case", "Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident"),
        *("Polarity", "Person", "Polite"),
    }
)
"""The features that UFeats, AllTags and MLAS compare; all others are ignored."""


def without_subtype(label: str) -> str:
    """`nsubj` of `nsubj:pass`."""
    return label.partition(":")[0]


def universal_features(feats: str) -> str:
    """The universal features of a FEATS column, in a canonical order; empty where there are none."""
    kept = (feature for feature in feats.split("|") if feature.partition("=")[0] in UNIVERSAL_FEATURES)
    return "|".join(sorted(kept))


def is_content(label: str) -> bool:
    return without_subtype(label) in CONTENT_RELATIONS


def is_functional(label: str) -> bool:
    return without_subtype(label) in FUNCTIONAL_RELATIONS


def is_universal(label: str) -> bool:
    return without_subtype(label) in RELATIONS
