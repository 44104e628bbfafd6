"""Which child of a phrase is its head: rules as data.

A file of rules has a line for each kind of phrase, steps that are tried one after the other::

    VP: left TO VBD VBN MD VBZ VB; left ADJP NN NP
    NP: right-any NN NNP NNS; left NP; right CD

``left A B`` takes the first A from the left, or else the first B; ``left-any A B`` the first from the left
that is an A or a B; ``right`` and ``right-any`` look from the right. A bare ``left`` or ``right`` takes the
first child on that side. ``*`` in a name stands for anything, ``?`` for one character, ``[ab]`` for one of
these; in the name of a phrase too, where the first rule that fits counts. Function tags do not matter. Lines
of settings:
``verbs:``, ``coordinators:``, ``punctuation:`` list tags (punctuation heads nothing where there is anything
else); ``coordination: first`` makes the first of coordinated phrases the head (Collins 1999, appendix A).
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path

from headwise.base.errors import HeadwiseError
from headwise.constituency.simplify import base_label
from headwise.constituency.tree import Tree
from headwise.treebank.files import LONGEST_LINE, Readable, name_of, read_lines

_DIRECTIONS = ("left", "right", "left-any", "right-any")
_SETTINGS = ("verbs", "coordinators", "punctuation", "coordination")


class HeadRuleError(HeadwiseError, ValueError):
    """A file of head rules that cannot be read."""


@dataclass(frozen=True)
class Step:
    """One thing to look for."""

    direction: str
    names: tuple[str, ...] = ()

    def find(self, labels: Sequence[str], allowed: Sequence[int]) -> int | None:
        places = allowed if self.direction.startswith("left") else list(reversed(allowed))
        if not self.names:
            return places[0]
        if self.direction.endswith("any"):
            return next((k for k in places if any(_matches(labels[k], name) for name in self.names)), None)
        for name in self.names:
            for k in places:
                if _matches(labels[k], name):
                    return k
        return None


@cache
def _matches(label: str, pattern: str) -> bool:
    return label == pattern or (("*" in pattern or "?" in pattern) and fnmatchcase(label, pattern))


@dataclass(frozen=True)
class HeadRules:
    """Finds heads. Made by `load` (named rules or a file), `learn`, `from_dependencies` or `choose`."""

    rules: Mapping[str, tuple[Step, ...]]
    verbs: tuple[str, ...] = ("V*", "v*")
    coordinators: tuple[str, ...] = ()
    punctuation: tuple[str, ...] = ()
    coordination: str = ""
    """``first``: the first of coordinated phrases heads them."""
    name: str = field(default="", compare=False)

    @classmethod
    def load(cls, name: str | Path) -> HeadRules:
        """Rules by name (``collins``, ``historical``, ``ancora``), or from a file."""
        builtin = files("headwise.constituency") / "rules" / f"{name}.txt"
        if builtin.is_file():
            lines: Iterable[str] = builtin.read_text(encoding="utf-8").splitlines()
            return cls.parse(lines, str(name))
        readable: Readable = name
        return cls.parse(read_lines(readable, longest=LONGEST_LINE), name_of(readable))

    @classmethod
    def parse(cls, lines: Iterable[str], name: str = "") -> HeadRules:
        rules: dict[str, tuple[Step, ...]] = {}
        settings: dict[str, tuple[str, ...]] = {}
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            parent, colon, rest = text.partition(": ")
            if not colon:
                raise HeadRuleError(f"{name}:{number}: no colon; write a rule as in VP: left VBD VB")
            if parent in _SETTINGS:
                settings[parent] = tuple(rest.split())
                continue
            steps = []
            for step in rest.split(";"):
                direction, *names = step.split() or [""]
                if direction not in _DIRECTIONS:
                    choices = ", ".join(_DIRECTIONS)
                    raise HeadRuleError(
                        f"{name}:{number}: {direction or 'nothing'} is no direction; use one of: {choices}"
                    )
                steps.append(Step(direction, tuple(names)))
            rules[parent] = tuple(steps)
        return cls(
            rules,
            settings.get("verbs", ("V*", "v*")),
            settings.get("coordinators", ()),
            settings.get("punctuation", ()),
            " ".join(settings.get("coordination", ())),
            name,
        )

    def to_lines(self) -> list[str]:
        """The rules as a file holds them."""
        lines = [f"{name}: {' '.join(getattr(self, name))}" for name in _SETTINGS[:3] if getattr(self, name)]
        if self.coordination:
            lines.append(f"coordination: {self.coordination}")
        for parent, steps in self.rules.items():
            lines.append(f"{parent}: " + "; ".join(" ".join([step.direction, *step.names]) for step in steps))
        return lines

    def head_of(self, tree: Tree) -> int:
        """The number of the head among the children."""
        children = tree.children
        if len(children) == 1:
            return 0
        labels = [child.label if child.is_word else base_label(child.label) for child in children]
        return self.head_among(base_label(tree.label), labels)

    def head_among(self, parent: str, labels: Sequence[str]) -> int:
        """The same, from the labels of a phrase and its children."""
        allowed = [k for k, label in enumerate(labels) if not self.is_punctuation(label)] or range(
            len(labels)
        )
        steps = self.steps_of(parent)
        found = next((k for step in steps if (k := step.find(labels, allowed)) is not None), None)
        if found is None:
            found = allowed[0 if steps[0].direction.startswith("left") else -1]
        if self.coordination == "first":
            found = self._first_coordinated(labels, found)
        return found

    def steps_of(self, parent: str) -> tuple[Step, ...]:
        """The rule of a phrase: its own, or the first one whose name stands for it."""
        if (own := self.rules.get(parent)) is not None:
            return own
        return next((steps for name, steps in self.rules.items() if _matches(parent, name)), (Step("left"),))

    def _first_coordinated(self, labels: Sequence[str], head: int) -> int:
        """Collins: where a coordinator stands before the head, what stands before that is the head."""
        k = head - 1
        while k > 0 and self.is_punctuation(labels[k]):
            k -= 1
        if k <= 0 or not self.is_coordinator(labels[k]):
            return head
        k -= 1
        while k > 0 and self.is_punctuation(labels[k]):
            k -= 1
        return head if self.is_punctuation(labels[k]) else k

    def is_verb(self, tag: str) -> bool:
        return any(_matches(tag, name) for name in self.verbs)

    def is_coordinator(self, label: str) -> bool:
        return any(_matches(label, name) for name in self.coordinators)

    def is_punctuation(self, label: str) -> bool:
        return any(_matches(label, name) for name in self.punctuation)

    @classmethod
    def learn(cls, trees: Iterable[Tree]) -> HeadRules:
        """Rules for a treebank without any: the head of a phrase is the child that it can least do without.

        Children are ranked by how many of the phrase's expansions they are part of, times how much of a child
        that phrase is where the child is found at all: verbs are nearly always in verb phrases, and articles
        in noun phrases but not only there. O(nodes).
        """
        present: dict[str, Counter[str]] = defaultdict(Counter)
        expansions: Counter[str] = Counter()
        places: Counter[str] = Counter()
        first: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
        marks: dict[str, Counter[bool]] = defaultdict(Counter)
        for tree in trees:
            for node in tree.nodes():
                if node.is_word:
                    marks[node.label][_is_mark(node.word or "")] += 1
                    continue
                parent = base_label(node.label)
                labels = [
                    child.label if child.is_word else base_label(child.label) for child in node.children
                ]
                expansions[parent] += 1
                for label in set(labels):
                    present[parent][label] += 1
                    places[label] += 1
                    if len(labels) > 1:
                        first[parent, label][labels.index(label) * 2 < len(labels)] += 1
        punctuation = tuple(sorted(tag for tag, seen in marks.items() if seen[True] > seen[False]))
        rules = {}
        for parent, labels_in in present.items():

            def rank(label: str, parent: str = parent, counts: Counter[str] = labels_in) -> float:
                return counts[label] / expansions[parent] * counts[label] / places[label]

            ranked = sorted(labels_in, key=lambda label: (-rank(label), label))[:40]
            sides = first[parent, ranked[0]]
            rules[parent] = (Step("left" if sides[True] >= sides[False] else "right", tuple(ranked)),)
        return cls(rules, punctuation=punctuation, name="learned")

    @classmethod
    def from_dependencies(cls, pairs: Iterable[tuple[Tree, Sequence[int]]]) -> HeadRules:
        """Rules that put heads where dependencies do: pairs of a tree and the heads of its words.

        The head of a phrase is the child with a word whose head lies outside of the phrase. Children are
        ranked by how often they were the head when they were there.
        """
        won: dict[str, Counter[str]] = defaultdict(Counter)
        there: dict[str, Counter[str]] = defaultdict(Counter)
        sides: dict[str, Counter[bool]] = defaultdict(Counter)
        for tree, heads in pairs:
            _count_heads(tree, 0, heads, won, there, sides)
        rules = {}
        for parent, seen in there.items():
            wins = won[parent]
            ranked = sorted(wins, key=lambda label: (-wins[label] / (seen[label] + 1), label))
            side = "left" if sides[parent][True] >= sides[parent][False] else "right"
            rules[parent] = (Step(side, tuple(ranked)), Step(side))
        return cls(rules, name="from dependencies")

    @classmethod
    def choose(cls, trees: Sequence[Tree]) -> HeadRules:
        """Collins' rules for the tags of the Penn Treebank, those of historical corpora or of AnCora, or
        learned ones.
        """
        tags: Counter[str] = Counter()
        labels: Counter[str] = Counter()
        for tree in trees[:2000]:
            for node in tree.nodes():
                (tags if node.is_word else labels)[
                    node.label.partition("-")[0] if not node.is_word else node.label
                ] += 1
        penn = sum(
            tags[tag] for tag in ("NN", "NNS", "NNP", "VBD", "VBZ", "VBP", "VB", "IN", "DT", "JJ", "RB")
        )
        if penn > 0.4 * sum(tags.values()):
            return cls.load("collins")
        if labels["IP"] and labels["IP"] > labels["S"]:
            return cls.load("historical")
        if labels["sn"] and any(name.startswith(("grup.", "gv")) for name in labels):
            return cls.load("ancora")
        return cls.learn(trees)


def _is_mark(word: str) -> bool:
    return all(unicodedata.category(character)[0] == "P" for character in word)


def _count_heads(
    tree: Tree,
    begin: int,
    heads: Sequence[int],
    won: dict[str, Counter[str]],
    there: dict[str, Counter[str]],
    sides: dict[str, Counter[bool]],
) -> int:
    """Counts below a tree whose first word is `begin`; returns where it ends."""
    if tree.is_word:
        return begin + 1
    spans = []
    end = begin
    for child in tree.children:
        start, end = end, _count_heads(child, end, heads, won, there, sides)
        spans.append((start, end))
    parent = base_label(tree.label)
    labels = [child.label if child.is_word else base_label(child.label) for child in tree.children]
    there[parent].update(labels)
    for k, (start, stop) in enumerate(spans):
        if any(not begin < heads[m] <= end for m in range(start, stop)):
            won[parent][labels[k]] += 1
            sides[parent][2 * k < len(labels)] += 1
            break
    return end
