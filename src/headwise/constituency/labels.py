"""The labels of a treebank, numbered for the core."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from headwise.constituency.tree import Tree

STOP, START = 0, 1
"""No labels, but numbered with them: the end of a phrase's modifiers, and what stands above a tree."""


@dataclass(frozen=True)
class Labels:
    """Phrases and tags, in this order, numbered from 2."""

    phrases: tuple[str, ...]
    tags: tuple[str, ...]
    root: str
    phrase_numbers: dict[str, int] = field(init=False, compare=False, repr=False)
    tag_numbers: dict[str, int] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        first_tag = 2 + len(self.phrases)
        object.__setattr__(self, "phrase_numbers", {name: k for k, name in enumerate(self.phrases, 2)})
        object.__setattr__(self, "tag_numbers", {name: k for k, name in enumerate(self.tags, first_tag)})

    @classmethod
    def of(cls, trees: Iterable[Tree]) -> Labels:
        phrases: set[str] = set()
        tags: set[str] = set()
        root = ""
        for tree in trees:
            root = root or tree.label
            for node in tree.nodes():
                (tags if node.is_word else phrases).add(node.label)
        return cls(tuple(sorted(phrases)), tuple(sorted(tags)), root)

    def __len__(self) -> int:
        return 2 + len(self.phrases) + len(self.tags)

    def name(self, number: int) -> str:
        number -= 2
        return self.phrases[number] if number < len(self.phrases) else self.tags[number - len(self.phrases)]

    @property
    def root_number(self) -> int:
        return self.phrase_numbers[self.root]


def tree_of(labels: Labels, words: list[str], brackets: list[tuple[int, int, int]], tags: list[int]) -> Tree:
    """The tree that the core hands over: brackets in preorder, and the tag of every word."""
    place = 0

    def build(end_of_parent: int, begin: int) -> tuple[Tree, int]:
        nonlocal place
        label, start, end = brackets[place]
        place += 1
        children: list[Tree] = []
        at = start
        while at < end:
            # The next bracket in preorder is inside of this one if it starts here and does not end later.
            if place < len(brackets) and brackets[place][1] == at and brackets[place][2] <= end:
                child, at = build(end, at)
                children.append(child)
            else:
                children.append(Tree(labels.name(tags[at]), word=words[at]))
                at += 1
        return Tree(labels.name(label), tuple(children)), end

    tree, _ = build(len(words), 0)
    return tree
