"""What a pattern says, whichever language it was written in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from headwise._native.patterns import PatternBuilder

Comparison = Literal["=", "<>", "<", "<=", ">", ">="]
_COLUMNS = {"form", "lemma", "upos", "xpos", "deprel"}
_OTHER_NAMES = {
    "word": "form",
    "phon": "form",
    "text": "form",
    "pos": "upos",
    "cpos": "upos",
    "tag": "xpos",
    "label": "deprel",
    "rel": "deprel",
}
_IN_MISC = frozenset(
    ("SpaceAfter", "SpacesAfter", "SpacesBefore", "Gloss", "Translit", "LTranslit", "Ref", "CorrectForm")
) | frozenset(("HeadProb", "LabelProb", "TagProb", "HeadEntropy", "Doubt", "ModelHead", "ModelLabel"))


@dataclass(frozen=True)
class Attribute:
    """A column of a word, or a key of FEATS or MISC."""

    column: str
    key: str = ""

    @classmethod
    def named(cls, name: str) -> Attribute:
        """Such as ``lemma``, ``Number``, ``HeadProb``, ``misc.X``; ``deprel.1`` is half a label."""
        name = _OTHER_NAMES.get(name, name)
        column, dot, key = name.partition(".")
        if dot and column in ("feats", "misc", "deprel"):
            return cls(column, key)
        if name in _COLUMNS:
            return cls(name)
        return cls("misc" if name in _IN_MISC else "feats", name)


@dataclass(frozen=True)
class Value:
    """A text, or a regular expression that is to match all of a value."""

    text: str
    expression: re.Pattern[str] | None = None


@dataclass
class Block:
    """A positive block, or one that filters what it found (``without``, ``with``)."""

    wanted: bool = True
    nodes: list[str] = field(default_factory=list)
    """Its own; it knows those of the first block, too, and of no others."""
    tests: list[tuple[str, Attribute, str, list[Value], float | None]] = field(default_factory=list)
    """Node, attribute; ``defined``, ``undefined``, ``is``, ``is not`` or a comparison; values or a number."""
    relations: list[tuple[str, str, str]] = field(default_factory=list)
    """``edge``, ``dominates``, ``next``, ``before`` or ``numbered``, of two nodes."""
    comparisons: list[tuple[str, Attribute, Comparison, str, Attribute]] = field(default_factory=list)


@dataclass(frozen=True)
class WholeSentence:
    """What is asked of a sentence, not of its words."""

    comments: tuple[tuple[str, bool, Value], ...] = ()
    """A comment's key; whether its value must, or must not, be this."""
    projective: bool | None = None


def built(blocks: Sequence[Block]) -> tuple[PatternBuilder, list[str]]:
    """The blocks as the core takes them, and the names of the nodes that a match binds."""
    builder, count = PatternBuilder(), 0
    bound: dict[str, int] = {}
    for block in blocks:
        builder.block(block.wanted, len(block.nodes))
        own = {name: count + k for k, name in enumerate(block.nodes)}
        count += len(own)
        bound = bound or own  # what the first block binds, all others know
        numbers = {**bound, **own}
        for name, attribute, how, values, number in block.tests:
            _test(builder, numbers[name], attribute, how, values, number)
        for kind, a, b in block.relations:
            builder.relate(kind, numbers[a], numbers[b])
        for a, of_a, comparison, b, of_b in block.comparisons:
            builder.compare(numbers[a], of_a.column, of_a.key, comparison, numbers[b], of_b.column, of_b.key)
    return builder, list(bound)


def _test(
    builder: PatternBuilder,
    node: int,
    attribute: Attribute,
    how: str,
    values: Sequence[Value],
    number: float | None,
) -> None:
    place = (node, attribute.column, attribute.key)
    if how in ("defined", "undefined"):
        builder.ask(*place, how, [])
    elif number is not None:
        builder.ask_number(*place, how, number)
    elif any(value.expression for value in values):
        asks = [value.expression or re.compile(re.escape(value.text)) for value in values]
        builder.ask_expressions(*place, how == "is", [ask.fullmatch for ask in asks])
    else:
        builder.ask(*place, "one of" if how == "is" else "none of", [value.text for value in values])
