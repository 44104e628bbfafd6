"""Features of whole trees in plain Python: what native/scoring/whole_tree computes while a tree changes.

A feature is a tuple: its name and the values that it joins. Values are tags and words (strings), numbers and
flags; ``BEFORE``, ``ROOT`` and ``AFTER`` are the tag and the word of the places around a sentence.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

BEFORE, ROOT, AFTER = "<before>", "<root>", "<after>"
LENGTHS = (1, 2, 3, 4, 5, 7, 10, 15, 25, 40)
MOST_MODIFIERS = 7
Feature = tuple[str | int | tuple[object, ...], ...]
Kin = tuple[str, int, int, int, int | None]


def length_bin(length: int) -> int:
    return bisect_right(LENGTHS, length) - 1


@dataclass(frozen=True)
class AnnotatedTree:
    """A tree over a sentence; ``heads[m - 1]`` is the head of word m."""

    heads: Sequence[int]
    forms: Sequence[str]
    coarse_tags: Sequence[str]
    fine_tags: Sequence[str]
    lemmas: Sequence[str]
    conjunctions: Collection[int]
    adpositions: Collection[int]

    @property
    def words(self) -> range:
        return range(1, len(self.heads) + 1)

    def head(self, m: int) -> int | None:
        return self.heads[m - 1] if m else None

    def modifiers(self, h: int) -> list[int]:
        return [m for m in self.words if self.head(m) == h]

    @cached_property
    def descendants(self) -> list[set[int]]:
        """Of each node, and itself."""
        below = [{v} for v in range(len(self.heads) + 1)]
        for m in self.words:
            above: int | None = m
            while above is not None:
                below[above].add(m)
                above = self.head(above)
        return below

    def span(self, v: int) -> tuple[int, int]:
        return min(self.descendants[v]), max(self.descendants[v])

    def span_length(self, v: int) -> int:
        left, right = self.span(v)
        return right - left + 1

    def _at(self, values: Sequence[str], position: int) -> str:
        outside = {-1: BEFORE, 0: ROOT, len(values) + 1: AFTER}
        return outside[position] if position in outside else values[position - 1]

    def coarse(self, position: int) -> str:
        return self._at(self.coarse_tags, position)

    def fine(self, position: int) -> str:
        return self._at(self.fine_tags, position)

    def word(self, position: int) -> str:
        return self._at(self.lemmas, position)

    def is_punctuation(self, m: int) -> bool:
        return all(unicodedata.category(c).startswith("P") for c in self.forms[m - 1])

    def nearest_modifier(self, h: int, side: int) -> int | None:
        """But for punctuation; side 1 is the right."""
        there = [m for m in self.modifiers(h) if (m > h) == bool(side) and not self.is_punctuation(m)]
        return min(there, key=lambda m: abs(m - h), default=None)


def span_length(tree: AnnotatedTree) -> Iterator[Feature]:
    for v in tree.words:
        right, length = tree.span(v)[1], length_bin(tree.span_length(v))
        at_end = right == len(tree.heads)
        yield "span length", tree.coarse(v), length
        yield "span length, fine tag", tree.fine(v), length
        yield "span length, word", tree.word(v), length
        followed = not at_end and tree.is_punctuation(right + 1)
        yield "span length, end", tree.coarse(v), length, int(at_end), int(followed)


def neighbours(tree: AnnotatedTree) -> Iterator[Feature]:
    for v in tree.words:
        before, after = tree.span(v)[0] - 1, tree.span(v)[1] + 1
        length = length_bin(tree.span_length(v))
        yield "neighbours", tree.coarse(v), tree.coarse(before), tree.coarse(after), length
        yield "left neighbour", tree.fine(v), tree.fine(before), length
        yield "right neighbour", tree.fine(v), tree.fine(after), length
        yield "left neighbour, word", tree.fine(v), tree.word(before)
        yield "right neighbour, word", tree.fine(v), tree.word(after)


def valency(tree: AnnotatedTree) -> Iterator[Feature]:
    for v in (0, *tree.words):
        kept = [m for m in tree.modifiers(v) if not tree.is_punctuation(m)]
        left, right = [m for m in kept if m < v], [m for m in kept if m > v][::-1]
        total = min(len(kept), MOST_MODIFIERS)
        sides = min(len(left), MOST_MODIFIERS), min(len(right), MOST_MODIFIERS)
        coarse = tuple([tree.coarse(m) for m in side] for side in (left, right))
        fine = tuple([tree.fine(m) for m in side] for side in (left, right))
        yield "valency", tree.coarse(v), total
        yield "valency, fine tag", tree.fine(v), total
        yield "valency of both sides", tree.fine(v), *sides
        yield "valency of both sides, word", tree.word(v), *sides
        yield "modifiers", tree.coarse(v), ("tags of modifiers", *coarse)
        yield "modifiers, fine tags", tree.fine(v), ("fine tags of modifiers", *fine)
        yield "modifiers, word", tree.word(v), ("tags of modifiers", *coarse)


def crossing(tree: AnnotatedTree) -> Iterator[Feature]:
    for m in tree.words:
        h = tree.heads[m - 1]
        if h == 0 or set(range(min(h, m), max(h, m))) <= tree.descendants[h]:
            continue
        yield "crossing", int(h < m)
        yield "crossing, tags", tree.coarse(h), tree.coarse(m), int(h < m)
        yield "crossing, head", tree.word(h), tree.coarse(m)
        yield "crossing, modifier", tree.coarse(h), tree.word(m)
        yield "crossing, words", tree.word(h), tree.word(m)


def conjuncts(tree: AnnotatedTree, k: int) -> tuple[int, int, int] | None:
    """(style, first, second) that a conjunction joins, see native/scoring/whole_tree/coordination.hpp."""
    before, after = tree.nearest_modifier(k, 0), tree.nearest_modifier(k, 1)
    if before and after:
        return 0, before, after
    h = tree.heads[k - 1]
    if h == 0:
        return None
    if after:
        return (1, h, after) if h < k else None
    if h > k:
        above = tree.heads[h - 1]
        return (2, above, h) if 0 < above < k else None
    later = [m for m in tree.modifiers(h) if m > k and not tree.is_punctuation(m)]
    return (3, h, later[0]) if later else None


def coordination(tree: AnnotatedTree) -> Iterator[Feature]:
    for k in tree.conjunctions:
        found = conjuncts(tree, k)
        if found is None:
            yield "no conjuncts", tree.coarse(k)
            continue
        style, a, b = found
        first, second = tree.span_length(a), tree.span_length(b)
        same_fine = int(tree.fine(a) == tree.fine(b))
        difference = (10 if first < second else 0) + length_bin(max(1, abs(first - second)))
        yield "conjuncts", style, tree.coarse(a), tree.coarse(b)
        yield "conjuncts, fine tags", style, tree.fine(a), tree.fine(b)
        yield "conjuncts alike", style, int(tree.coarse(a) == tree.coarse(b)), same_fine
        yield "lengths of conjuncts", style, tree.coarse(a), length_bin(first), length_bin(second)
        yield "longer conjunct", style, same_fine, 99 if first == second else difference
        yield "conjuncts, conjunction", style, tree.word(k), tree.coarse(a), tree.coarse(b)
        yield "conjuncts, words", tree.word(a), tree.word(b)


def attachment(tree: AnnotatedTree) -> Iterator[Feature]:
    for p in tree.adpositions:
        below = tree.nearest_modifier(p, 1) or tree.nearest_modifier(p, 0)
        style = int(below is None)
        argument = below or tree.heads[p - 1]
        head = tree.heads[p - 1] if below else tree.head(argument)
        if argument == 0 or head is None:
            continue
        joined = conjuncts(tree, argument) if argument in tree.conjunctions else None
        for a in joined[1:] if joined and joined[0] == 0 else (argument,):
            yield "adposition, tags", style, tree.coarse(head), tree.word(p), tree.coarse(a)
            yield "adposition, head", style, tree.word(head), tree.word(p), tree.coarse(a)
            yield "adposition, argument", style, tree.coarse(head), tree.word(p), tree.word(a)
            yield "adposition, head alone", style, tree.word(head), tree.word(p)
            yield "adposition, head and argument", style, tree.word(head), tree.word(p), tree.word(a)


def branching(tree: AnnotatedTree) -> Iterator[Feature]:
    last = max((m for m in tree.words if not tree.is_punctuation(m)), default=1)
    depth = sum(last in tree.descendants[v] for v in tree.words)
    yield "right branch", 10 * depth // len(tree.heads)
    yield "depth of the last word", length_bin(depth), length_bin(len(tree.heads))


FAMILIES = {
    "span_length": span_length,
    "neighbours": neighbours,
    "valency": valency,
    "crossing": crossing,
    "coordination": coordination,
    "attachment": attachment,
    "branching": branching,
}


def kin(tree: AnnotatedTree) -> Iterator[Kin]:
    """The small parts of a tree (native/scoring/whole_tree/kin.hpp): their kind and their words."""
    for m in tree.words:
        h = tree.heads[m - 1]
        yield from (("any_sibling", h, m, s, None) for s in tree.modifiers(h) if m < s)
        g = tree.head(h)
        a = None if g is None else tree.head(g)
        if g is not None and a is not None:
            yield "great_grandparent", a, g, h, m
        same_side = [s for s in tree.modifiers(h) if (s < h) == (m < h)]
        inner = max((s for s in same_side if abs(s - h) < abs(m - h)), key=lambda s: abs(s - h), default=None)
        outer = min((s for s in same_side if abs(s - h) > abs(m - h)), key=lambda s: abs(s - h), default=None)
        for c in tree.modifiers(m):
            if inner is not None:
                yield "inner_sibling_grandchild", h, m, inner, c
            if outer is not None:
                yield "outer_sibling_grandchild", h, m, outer, c
        if m < len(tree.heads):
            yield "head_bigram", h, m, m + 1, tree.heads[m]
