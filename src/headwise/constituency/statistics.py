"""What is in a file of bracketed trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from headwise.constituency.simplify import base_label, is_empty
from headwise.constituency.tree import Tree


@dataclass
class TreeStatistics:
    """Counts over trees."""

    trees: int = 0
    words: int = 0
    empty_elements: int = 0
    longest: int = 0
    """Words of the longest sentence."""
    deepest: int = 0
    """Labels from the top of a tree down to a word."""
    phrases: Counter[str] = field(default_factory=Counter)
    """Labels of phrases, without function tags."""
    tags: Counter[str] = field(default_factory=Counter)
    functions: int = 0
    """Phrases with function tags or indices."""

    def to_json(self) -> dict[str, Any]:
        """Plain data for `json.dumps`."""
        counts = {one.name: getattr(self, one.name) for one in fields(self)}
        return {
            name: dict(count.most_common()) if isinstance(count, Counter) else count
            for name, count in counts.items()
        }


def tree_statistics(trees: Iterable[Tree]) -> TreeStatistics:
    """Count what is in trees. O(nodes)."""
    counts = TreeStatistics()
    for tree in trees:
        words = 0
        for node in tree.nodes():
            if node.is_word and is_empty(node):
                counts.empty_elements += 1
            elif node.is_word:
                words += 1
                counts.tags[node.label] += 1
            else:
                bare = base_label(node.label)
                counts.phrases[bare] += 1
                counts.functions += bare != node.label
        counts.trees += 1
        counts.words += words
        counts.longest = max(counts.longest, words)
        counts.deepest = max(counts.deepest, tree.height)
    return counts
