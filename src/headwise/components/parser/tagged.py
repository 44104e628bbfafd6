"""Sentences as they reach a parser: with tags, and with what was found while these were chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from headwise.components.parser.parse import Parse
from headwise.treebank import Sentence


class Tagged(NamedTuple):
    """A sentence with the tags that the parser reads."""

    sentence: Sentence
    exact: bool = True
    """Whether it is proved that no other tags of those considered score more, with their best tree."""
    parse: Parse | None = None
    """Its best tree, where it was looked for, by the parser's own decoder."""


@dataclass
class TagCounts:
    """What became of the tags of sentences."""

    kept: int = 0
    """Sentences that kept theirs, …"""
    words: int = 0
    """… how many words they have, …"""
    strange: int = 0
    """… and how many of these a tag that the model does not know."""
    tagged: int = 0


class Tagging(Protocol):
    """What gives sentences their tags before they are parsed."""

    counts: TagCounts

    def keeps(self, sentence: Sentence) -> bool:
        """Whether a sentence is parsed with the tags that it has."""
        ...

    def __call__(self, sentences: list[Sentence]) -> list[Tagged]: ...


class AsGiven:
    """Sentences are parsed as they are."""

    counts = TagCounts()

    def keeps(self, sentence: Sentence) -> bool:
        return True

    def __call__(self, sentences: Sequence[Sentence]) -> list[Tagged]:
        return [Tagged(sentence) for sentence in sentences]
