"""Sentences as they reach a parser: with tags, and with what was found while these were chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from headwise.components.parser.parse import Parse
from headwise.treebank import Sentence


class Tagged(NamedTuple):
    """A sentence with the tags that the parser reads."""

    sentence: Sentence
    exact: bool = True
    """Whether it is proved that no other tags of those considered score more, with their best tree."""
    parse: Parse | None = None
    """Its best tree, where it was looked for, by the parser's own decoder."""
    tags: Literal["given", "kept", "found"] = "given"
    """Whether its tags were never in question, were whole and so kept, or were found by a model."""


class Tagging(Protocol):
    """What gives sentences their tags before they are parsed."""

    def keeps(self, sentence: Sentence) -> bool:
        """Whether a sentence is parsed with the tags that it has."""
        ...

    def __call__(self, sentences: list[Sentence]) -> list[Tagged]: ...


class AsGiven:
    """Sentences are parsed as they are."""

    def keeps(self, sentence: Sentence) -> bool:
        return True

    def __call__(self, sentences: Sequence[Sentence]) -> list[Tagged]:
        return [Tagged(sentence) for sentence in sentences]
