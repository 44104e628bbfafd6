"""Words in clusters, and the clusters in a binary tree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from headwise.words.clusters.files import read_paths, write_paths


@dataclass(frozen=True)
class Word:
    """A word, how often it was seen, and the path from the root of the tree to its cluster."""

    form: str
    count: int
    path: str
    """``0`` for left, ``1`` for right: a prefix of it is a larger cluster."""


class Clusters(Mapping[str, str]):
    """The path of every word's cluster in the binary tree of clusters.

    Examples:
        >>> clusters = Clusters([Word("apple", 3, "00"), Word("pear", 2, "00"), Word("of", 9, "1")])
        >>> clusters["pear"], clusters.members("0")
        ('00', ['apple', 'pear'])
    """

    def __init__(self, words: Iterable[Word]) -> None:
        self._words = {word.form: word for word in words}

    @classmethod
    def load(cls, path: str | Path) -> Clusters:
        """Read a file with a bit string, a word and a count on every line."""
        return cls(Word(form, count, bits) for bits, form, count in read_paths(path))

    def save(self, path: str | Path) -> None:
        """Write such a file, by clusters and then by frequency; ``.gz`` and ``.xz`` are compressed."""
        ordered = sorted(self._words.values(), key=lambda word: (word.path, -word.count, word.form))
        write_paths(path, ((word.path, word.form, word.count) for word in ordered))

    def __getitem__(self, form: str) -> str:
        return self._words[form].path

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def count(self, form: str) -> int:
        """How often a word was seen in the text that was clustered."""
        return self._words[form].count

    @cached_property
    def paths(self) -> list[str]:
        """The clusters, from left to right."""
        return sorted({word.path for word in self._words.values()})

    @cached_property
    def _members(self) -> dict[str, list[str]]:
        members: dict[str, list[str]] = defaultdict(list)
        for word in sorted(self._words.values(), key=lambda word: (-word.count, word.form)):
            members[word.path].append(word.form)
        return members

    def members(self, prefix: str) -> list[str]:
        """The words below a node of the tree, most frequent first."""
        below = [form for path, forms in self._members.items() if path.startswith(prefix) for form in forms]
        return sorted(below, key=lambda form: (-self.count(form), form))

    def populations(self, bits: int | None = None) -> Counter[str]:
        """Running words in each cluster, or in each prefix of so many bits."""
        populations: Counter[str] = Counter()
        for word in self._words.values():
            populations[word.path[:bits]] += word.count
        return populations

    def near(self, form: str, most: int = 20) -> list[str]:
        """Words beside a word: of its own cluster, then of those that branch off last."""
        path, found = self[form], list[str]()
        for length in range(len(path), -1, -1):
            fresh = set(self.members(path[:length])) - {form, *found}
            found += sorted(fresh, key=lambda other: (-self.count(other), other))[: most - len(found)]
            if len(found) >= most:
                break
        return found
