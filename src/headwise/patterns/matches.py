"""What a pattern found: a sentence, and the words that its nodes are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from headwise.treebank import Sentence

ROOT = "__0__"


@dataclass(frozen=True)
class Match(Mapping[str, str]):
    """A match; ``match["V"]`` is the form of the word that the node V is."""

    sentence: Sentence
    words: Mapping[str, int]
    """The number of each node's word, from 1; 0 is the root."""

    def __getitem__(self, node: str) -> str:
        number = self.words[node]
        return str(self.sentence.forms[number - 1]) if number else ROOT

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.words)

    def column(self, node: str, column: str) -> Any:
        """What a node's word has in a column: ``lemmas``, ``upos``, ``labels`` …"""
        number = self.words[node]
        return getattr(self.sentence, column)[number - 1] if number else None

    @property
    def probability(self) -> float | None:
        """The least of those of its words' heads, where the sentence says how probable they are."""
        found = [value for value in map(self._head_probability, self.words.values()) if value is not None]
        return min(found) if found else None

    def _head_probability(self, number: int) -> float | None:
        if not number:
            return None
        for item in self.sentence.misc[number - 1].split("|"):
            key, _, value = item.partition("=")
            if key == "HeadProb":
                try:
                    return float(value)
                except ValueError:
                    return None
        return None

    def __str__(self) -> str:
        return " ".join(f"{node}={number}:{self[node]}" for node, number in self.words.items())
