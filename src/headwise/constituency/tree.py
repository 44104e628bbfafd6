"""Phrase-structure trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from headwise.base.errors import HeadwiseError

DEEPEST = 250
"""No tree is deeper than this; real ones hardly pass 60."""


class TreeError(HeadwiseError, ValueError):
    """Something that is no phrase-structure tree."""


class Span(NamedTuple):
    """A labelled bracket: words begin … end − 1, counted from 0."""

    label: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Source:
    """Where a tree was read: its file, its first line, and its text with the space before it."""

    file: str
    line: int
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class Tree:
    """A node and all that is below it: a phrase with children, or a word under its tag.

    Examples:
        >>> tree = Tree.parse("(S (NP (PRP She)) (VP (VBZ reads)))")
        >>> tree.words, tree.tags, tree[0].label
        (['She', 'reads'], ['PRP', 'VBZ'], 'NP')
        >>> print(tree)
        (S (NP (PRP She)) (VP (VBZ reads)))

    Trees do not change; the functions of this package return new ones.
    """

    label: str
    children: tuple[Tree, ...] = ()
    word: str | None = None
    source: Source | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if (self.word is None) == (not self.children):
            raise TreeError(
                f"a node is a word under its tag, or has children; {self.label or 'this one'} "
                + ("has both" if self.children else "has neither")
            )

    @classmethod
    def parse(cls, text: str) -> Tree:
        """The one tree that is written in the text."""
        from headwise.constituency.brackets import parse_brackets

        trees = parse_brackets(text)
        if len(trees) != 1:
            raise TreeError(
                f"one tree is wanted, and the text has {len(trees)}; read several by read_brackets"
            )
        return trees[0]

    @property
    def is_word(self) -> bool:
        """Whether this is a word under its tag."""
        return self.word is not None

    def __len__(self) -> int:
        return len(self.children)

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, index: int) -> Tree:
        return self.children[index]

    def __iter__(self) -> Iterator[Tree]:
        return iter(self.children)

    def __repr__(self) -> str:
        return f"Tree.parse({str(self)!r})"

    def __str__(self) -> str:
        from headwise.constituency.brackets import format_tree

        return format_tree(self)

    def pretty(self, width: int = 100) -> str:
        """Brackets over several lines, indented."""
        from headwise.constituency.brackets import format_indented

        return format_indented(self, width)

    def draw(self) -> str:
        """The tree drawn in text."""
        from headwise.constituency.display import to_text

        return to_text(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from headwise.constituency.display import to_notebook

        return to_notebook(self)

    def nodes(self) -> Iterator[Tree]:
        """This node and all below it, parents before children, from left to right."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def leaves(self) -> Iterator[Tree]:
        """The words with their tags."""
        return (node for node in self.nodes() if node.is_word)

    @property
    def words(self) -> list[str]:
        return [node.word for node in self.leaves() if node.word is not None]

    @property
    def tags(self) -> list[str]:
        return [node.label for node in self.leaves()]

    @property
    def height(self) -> int:
        """The longest way down: 1 for a word under its tag."""
        return 1 + max((child.height for child in self.children), default=0)

    def spans(self) -> list[Span]:
        """The brackets of all phrases (not of tags), parents before children."""
        found: list[Span] = []

        def visit(node: Tree, begin: int) -> int:
            if node.is_word:
                return begin + 1
            place = len(found)
            found.append(Span(node.label, begin, begin))
            end = begin
            for child in node.children:
                end = visit(child, end)
            found[place] = Span(node.label, begin, end)
            return end

        visit(self, 0)
        return found

    def map(self, change: Callable[[Tree, tuple[Tree, ...]], Tree | None]) -> Tree | None:
        """Rebuilt bottom up: `change` is given each node and its new children, and returns what stands there.

        None leaves a node out; a phrase that loses all its children should be left out too.
        """
        below = tuple(new for child in self.children if (new := child.map(change)) is not None)
        return change(self, below)

    def with_words(self, words: Sequence[str], tags: Sequence[str] | None = None) -> Self:
        """The same tree over other words, and other tags where they are given."""
        own = self.tags
        if len(words) != len(own) or len(tags or own) != len(own):
            raise TreeError(f"{len(words)} words or {len(tags or own)} tags for a tree over {len(own)} words")
        pairs = iter(zip(words, tags or own, strict=True))

        def change(node: Tree, below: tuple[Tree, ...]) -> Tree:
            if not node.is_word:
                return Tree(node.label, below)
            word, tag = next(pairs)
            return Tree(tag, word=word)

        return self.map(change)  # type: ignore[return-value]
