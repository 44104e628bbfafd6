"""What counts and what is compared: a score means nothing without its protocol.

The same two files can differ by several points between protocols, so every score carries the
protocol it was computed under and every report prints it beside the number.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

from headwise.base.errors import HeadwiseError

ProtocolName = Literal["ud", "conllx", "ptb", "all"]

PENN_PUNCTUATION = frozenset(("``", "''", ":", ",", "."))
"""Koo (2010), section 3.4.1, footnote 3: the gold tags of tokens that are not scored."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """The rules of one way of scoring."""

    name: ProtocolName
    summary: str
    counts_punctuation: bool
    """Whether punctuation words are scored; else …"""
    compares_subtypes: bool
    """Whether `nsubj:pass` and `nsubj` are different labels."""
    aligns_words: bool
    """Whether the system may have its own tokens and sentences (aligned with gold by characters)."""
    punctuation_tags: frozenset[str] = frozenset()
    """… which gold tags (XPOS) they have; where none are named, the form decides."""


PROTOCOLS: dict[ProtocolName, Protocol] = {
    "ud": Protocol(
        name="ud",
        summary="CoNLL 2018 rules: punctuation counts, label subtypes ignored, words aligned by characters",
        counts_punctuation=True,
        compares_subtypes=False,
        aligns_words=True,
    ),
    "conllx": Protocol(
        name="conllx",
        summary="CoNLL-X rules: words made of Unicode punctuation only are left out, full labels",
        counts_punctuation=False,
        compares_subtypes=True,
        aligns_words=False,
    ),
    "ptb": Protocol(
        name="ptb",
        summary="the papers' rules for the Penn Treebank: words with the gold tags `` '' : , . are left out,"
        " full labels",
        counts_punctuation=False,
        compares_subtypes=True,
        aligns_words=False,
        punctuation_tags=PENN_PUNCTUATION,
    ),
    "all": Protocol(
        name="all",
        summary="every word counts, full labels",
        counts_punctuation=True,
        compares_subtypes=True,
        aligns_words=False,
    ),
}


def find_protocol(name: str) -> Protocol:
    """The protocol called `name`; raises `HeadwiseError` naming the choices."""
    for protocol in PROTOCOLS.values():
        if protocol.name == name:
            return protocol
    raise HeadwiseError(f"unknown protocol {name!r}: choose one of {', '.join(PROTOCOLS)}")


def is_punctuation(form: str) -> bool:
    """Whether every character of `form` is in a Unicode P category (Pc Pd Ps Pe Pi Pf Po).

    This is the CoNLL-X scorer's test, `/^\\p{Punctuation}+$/`. Symbols are not punctuation: `$`, `+`,
    `<`, `=`, `>`, `^`, `` ` ``, `|` and `~` are in S categories and are scored, although ASCII calls them
    punctuation. The categories are those of the running Python's Unicode version, and a few have
    changed: `§` and `¶` were symbols in Unicode 3.2 and are punctuation today.
    """
    return form != "" and all(unicodedata.category(character)[0] == "P" for character in form)
