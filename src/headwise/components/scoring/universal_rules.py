"""The rules of Universal Dependencies that labels of a tree obey, as the official validator has them.

Names are those of its tests (``udvalidate``, level 3). A parser keeps the rules that its training treebank
obeys; its labels are chosen so that they break none of them. Rules that say something of words already (tags,
spaces) take these as they are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from headwise._native import scoring as native
from headwise.treebank import Sentence

TAGS = (
    *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM"),
    *("PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"),
)

ONLY_TAGS = {
    "rel-upos-det": ("det", "DET PRON"),
    "rel-upos-nummod": ("nummod", "NUM NOUN SYM"),
    "rel-upos-advmod": ("advmod", "ADV ADJ CCONJ DET PART SYM"),
    "rel-upos-expl": ("expl", "PRON DET PART"),
    "rel-upos-aux": ("aux", "AUX"),
    "rel-upos-cop": ("cop", "AUX PRON DET SYM"),
    "rel-upos-punct": ("punct", "PUNCT"),
}
"""Words with this relation have one of these tags."""
NO_TAGS = {
    "rel-upos-case": ("case", "PROPN ADJ PRON DET NUM AUX"),
    "rel-upos-mark": ("mark", "NOUN PROPN ADJ PRON DET NUM AUX INTJ"),
    "rel-upos-cc": ("cc", "NOUN PROPN ADJ PRON DET NUM VERB AUX INTJ"),
    "rel-upos-fixed": ("fixed", "PROPN"),
}
"""Words with this relation have none of these tags."""
PUNCTUATION = "upos-rel-punct"
"""A word that is tagged PUNCT is punctuation, or the root."""
_FEW = "goeswith fixed reparandum conj punct"
CHILDREN = {
    "leaf-mark-case": ("mark case", f"advmod obl cc {_FEW}"),
    "leaf-aux-cop": ("aux cop", f"cc {_FEW}"),
    "leaf-det": ("det", f"det case advmod obl clf flat compound discourse parataxis cc {_FEW}"),
    "leaf-clf": ("clf", f"advmod obl cc {_FEW}"),
    "leaf-cc": ("cc", _FEW),
    "leaf-fixed": ("fixed", "goeswith reparandum conj punct"),
    "leaf-goeswith": ("goeswith", ""),
    "leaf-punct": ("punct", "punct"),
}
"""Words with these relations have no children but such; nearly all of them may be negated."""
OF_POSSESSIVES = frozenset(["appos", "acl", "nmod"])
"""What a possessive determiner may have, too."""
HEAD_ON_LEFT = tuple(f"right-to-left-{own}" for own in ("conj", "fixed", "flat", "goeswith", "appos"))
ONE_SUBJECT, ONE_OBJECT = "too-many-subjects", "too-many-objects"
NO_OBLIQUE = "obl-should-be-nmod"
"""A nominal that is no predicate has no oblique."""
NOMINAL = frozenset(["nsubj", "obj", "iobj", "obl", "vocative", "dislocated", "expl", "nmod"])
GOESWITH = "goeswith"
"""All tests of goeswith: a part of a word that was written apart follows the part before it, after a space,
and has no tag, no features and no lemma of its own; the first part has the feature Typo=Yes."""

RULES = (
    *(*ONLY_TAGS, *NO_TAGS, PUNCTUATION, *CHILDREN, *HEAD_ON_LEFT),
    *(ONE_SUBJECT, ONE_OBJECT, NO_OBLIQUE, GOESWITH),
)

OBEYED = 1 / 2000
"""A treebank obeys a rule that it breaks in fewer words than this."""

_PLAIN, _SUBJECT, _OBJECT, _OBLIQUE, _CLAUSE, _GOESWITH = range(6)
_UNLESS_IT_NEGATES, _UNLESS_POSSESSIVE = 1, 2


def relation(label: str) -> str:
    """The universal part of a label: ``nsubj`` of ``nsubj:pass``."""
    return label.partition(":")[0]


def compiled(rules: Collection[str], labels: Sequence[str]) -> native.LabelRules:
    """The rules as the core has them, in the order of `RULES`."""
    number = {rule: place for place, rule in enumerate(RULES, 1) if rule in rules}
    relations = [relation(label) for label in labels]
    tables: dict[str, Any] = {
        "by_tag": [_by_tag(number, own, tag) for own in relations for tag in (*TAGS, "")],
        "by_parent": [_by_parent(number, head, own) for head in relations for own in relations],
        "excuses": [_excuse(head, own) for head in relations for own in relations],
        "head_on_left": [number.get(f"right-to-left-{own}", 0) for own in relations],
        "kinds": [_kind(label) for label in labels],
        "nominal": [own in NOMINAL for own in relations],
    }
    return native.LabelRules(
        label_count=len(labels),
        rule_count=len(RULES),
        tags=list(TAGS),
        **tables,
        one_subject=number.get(ONE_SUBJECT, 0),
        one_object=number.get(ONE_OBJECT, 0),
        no_oblique=number.get(NO_OBLIQUE, 0),
        goeswith=number.get(GOESWITH, 0),
        # Punctuation is labelled punct, and has punctuation below it alone.
        leaf_tag=TAGS.index("PUNCT") if {PUNCTUATION, "leaf-punct"} <= number.keys() else -1,
    )


def obeyed_by(sentences: Iterable[Sentence]) -> list[str]:
    """The rules that a treebank obeys."""
    sentences = list(sentences)
    labels = sorted({label for sentence in sentences for label in sentence.labels if label != "_"})
    number = {label: place for place, label in enumerate(labels)} | {"_": -1}
    everything = compiled(RULES, labels)
    broken = [0] * len(RULES)
    for sentence in sentences:
        counts = everything.count_broken(sentence, [number[label] for label in sentence.labels])
        broken = [a + b for a, b in zip(broken, counts, strict=True)]
    most = OBEYED * sum(map(len, sentences))
    return [rule for rule, count in zip(RULES, broken, strict=True) if count < most]


def _by_tag(number: dict[str, int], own: str, tag: str) -> int:
    for rule, (of, tags) in ONLY_TAGS.items():
        if rule in number and own == of and tag not in tags.split():
            return number[rule]
    for rule, (of, tags) in NO_TAGS.items():
        if rule in number and own == of and tag in tags.split():
            return number[rule]
    if PUNCTUATION in number and tag == "PUNCT" and own not in ("punct", "root"):
        return number[PUNCTUATION]
    return 0


def _by_parent(number: dict[str, int], head: str, own: str) -> int:
    for rule, (heads, children) in CHILDREN.items():
        if rule in number and head in heads.split() and own not in children.split():
            return number[rule]
    return 0


def _excuse(head: str, own: str) -> int:
    negation = _UNLESS_IT_NEGATES if own == "advmod" and head != "punct" else 0
    return negation | (_UNLESS_POSSESSIVE if head == "det" and own in OF_POSSESSIVES else 0)


def _kind(label: str) -> int:
    own = relation(label)
    if own in ("nsubj", "csubj"):
        return _CLAUSE if label.endswith(":outer") else _SUBJECT
    return {"obj": _OBJECT, "obl": _OBLIQUE, "cop": _CLAUSE, "goeswith": _GOESWITH}.get(own, _PLAIN)
