"""Collins' Model 1: phrases generated from their heads outwards, each with its head word."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headwise._native import constituency as native
from headwise.base.errors import ModelError, SentenceTooLongError
from headwise.constituency.binarize import Markovization
from headwise.constituency.head_rules import HeadRules
from headwise.constituency.labels import START, STOP, Labels, tree_of
from headwise.constituency.lexicon import Lexicon
from headwise.constituency.pcfg import NoParseError, Pcfg, PhraseMarginals, Scored
from headwise.constituency.tree import Span, Tree

_LEFT, _RIGHT, _ABOVE = 0, 1, 2
_START_OF_SIDE = 0
THRESHOLD = 3e-3
"""Phrases less probable than this under the coarse grammar are not considered."""
BEAM = 9.0
"""Heads of a phrase over some words whose best trees fall behind by more than this are not considered."""
LONGEST_CHAIN = 4
"""Phrases with one child above each other."""
MOST_EDGES = 8_000_000
"""Of a forest, at 24 bytes each; beyond that, more is pruned."""
LONGEST, LONGEST_UNPRUNED = 200, 60
"""Words of a sentence, with pruning and without: the chart of so many takes up to 2 GB of memory."""
_TINY = 1e-6

Previous = Literal["class", "label"]
"""What a modifier knows of the one before it: whether it is a coordinator, or its label."""


@dataclass(frozen=True)
class Events:
    """Rows of small numbers, as the core counts them, and how often each was seen."""

    modifiers: NDArray[np.int32]
    modifier_times: NDArray[np.float32]
    heads: NDArray[np.int32]
    head_times: NDArray[np.float32]


class EventCounter:
    """Walks trees and notes what was generated from what."""

    def __init__(self, labels: Labels, lexicon: Lexicon, heads: HeadRules, classes: Sequence[int]) -> None:
        self.labels, self.lexicon, self.rules, self.classes = labels, lexicon, heads, classes
        self.modifiers: Counter[tuple[int, ...]] = Counter()
        self.heads: Counter[tuple[int, ...]] = Counter()
        self._verbs: list[int] = []

    def add(self, tree: Tree) -> None:
        leaves = list(tree.leaves())
        self._words = [self.lexicon.number(leaf.word or "", k == 0) for k, leaf in enumerate(leaves)]
        self._verbs = [0]
        for leaf in leaves:
            self._verbs.append(self._verbs[-1] + self.rules.is_verb(leaf.label))
        label, head, tag, _ = self._visit(tree, 0)
        self.modifiers[_ABOVE, START, START, 0, 0, 0, 0, label, tag, self._words[head]] += 1

    def _visit(self, node: Tree, begin: int) -> tuple[int, int, int, int]:
        """The label of a node, its head word, that word's tag, and where the node ends."""
        if node.is_word:
            tag = self.labels.tag_numbers[node.label]
            return tag, begin, tag, begin + 1
        phrase = self.labels.phrase_numbers[node.label]
        children = []
        ends = [begin]
        for child in node.children:
            label, head, tag, end = self._visit(child, ends[-1])
            children.append((label, head, tag))
            ends.append(end)
        chosen = self.rules.head_of(node)
        child_label, head, tag = children[chosen]
        word = self._words[head]
        self.heads[phrase, child_label, word, tag] += 1
        for side, order in ((_RIGHT, range(chosen + 1, len(children))), (_LEFT, range(chosen - 1, -1, -1))):
            previous, verb = _START_OF_SIDE, 0
            for k in order:
                label, modifier, modifier_tag = children[k]
                self.modifiers[
                    side,
                    phrase,
                    child_label,
                    verb,
                    previous,
                    word,
                    tag,
                    label,
                    modifier_tag,
                    self._words[modifier],
                ] += 1
                previous = self.classes[label]
                verb |= self._verbs[ends[k + 1]] > self._verbs[ends[k]]
            self.modifiers[side, phrase, child_label, verb, previous, word, tag, STOP, STOP, 0] += 1
        return phrase, head, tag, ends[-1]

    def events(self) -> Events:
        # Any label may head the root, if hardly ever, so that every sentence has a tree.
        root = self.labels.root_number
        for label in range(2, len(self.labels)):
            if label != root:
                self.heads[root, label, 0, STOP] += 0
        return Events(
            np.array(list(self.modifiers), np.int32).reshape(-1, 10),
            np.array(list(self.modifiers.values()), np.float32),
            np.array(list(self.heads), np.int32).reshape(-1, 4),
            np.maximum(np.array(list(self.heads.values()), np.float32), np.float32(_TINY)),
        )


def previous_classes(labels: Labels, rules: HeadRules, previous: Previous) -> list[int]:
    """What is remembered of a modifier with each label: 1 for coordinators, 2 for others, or its number."""
    if previous == "label":
        return [number + 1 for number in range(len(labels))]
    names = ["", "", *labels.phrases, *labels.tags]
    return [1 if name and rules.is_coordinator(name) else 2 for name in names]


class LexicalizedForest:
    """All trees of one sentence that Model 1 considers, to be searched with prices on tags and arcs.

    Attributes:
        arcs: the arcs (head, modifier), numbered from 1 with 0 the root, that any tree has.
        tags: the tags that each word may have.
        threshold: what was pruned by, 0 for nothing.
    """

    def __init__(
        self, words: Sequence[str], trees: native.LexicalizedTrees, labels: Labels, threshold: float
    ) -> None:
        self.words, self.native, self.labels, self.threshold = list(words), trees, labels, threshold
        self.arcs: list[tuple[int, int]] = trees.arcs()
        self.tags = [[labels.name(tag) for tag, _ in word] for word in trees.tags]

    def prices(
        self, arcs: NDArray[np.float64] | None = None, tags: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Prices of arcs, [head, modifier], and of the candidate tags of all words in order, as one table."""
        n = len(self.words)
        table = np.zeros(self.native.variables)
        if arcs is not None:
            table[: (n + 1) ** 2] = arcs.reshape(-1)
        if tags is not None:
            table[(n + 1) ** 2 :] = tags
        return table

    def best(self, prices: NDArray[np.float64] | None = None) -> LexicalizedTree | None:
        """The best tree, prices added to its score; None where they leave none."""
        found = self.native.best(prices)
        return None if found is None else LexicalizedTree(self, found)

    def top_k(self, k: int) -> list[LexicalizedTree]:
        """The k best trees, best first."""
        return [LexicalizedTree(self, found) for found in self.native.top_k(k)]

    def marginals(self) -> PhraseMarginals:
        """Probabilities of brackets and tags."""
        _, shares, brackets = self.native.marginals()
        spans: dict[Span, float] = {}
        for label, begin, end, p in brackets:
            span = Span(self.labels.name(label), begin, end)
            spans[span] = spans.get(span, 0.0) + p
        place = (len(self.words) + 1) ** 2
        tags = []
        for word in self.tags:
            tags.append(dict(zip(word, shares[place : place + len(word)].tolist(), strict=True)))
            place += len(word)
        return PhraseMarginals(spans, tags)


class LexicalizedTree:
    """A tree of a forest: its score, its tags and arcs at hand, its brackets when asked for."""

    def __init__(
        self,
        forest: LexicalizedForest,
        found: tuple[float, list[tuple[int, int, int]], list[int], list[int]],
    ) -> None:
        self._words, self._labels = forest.words, forest.labels  # not the forest, which may be large
        self.score, self._brackets, self._tags, self.heads = found

    @property
    def tags(self) -> list[str]:
        return [self._labels.name(tag) for tag in self._tags]

    @property
    def tree(self) -> Tree:
        return tree_of(self._labels, self._words, self._brackets, self._tags)


class Model1:
    """Collins' Model 1 with a coarse grammar that says what to consider.

    O(n⁵) trees' parts without pruning. With it, phrases whose probability under the coarse grammar is below
    `threshold` are left out, and the best tree is the best of what is left.
    """

    def __init__(
        self,
        events: Events,
        coarse: Pcfg,
        rules: HeadRules,
        *,
        previous: Previous = "label",
        smoothing: float = 5.0,
        threshold: float = THRESHOLD,
        beam: float = BEAM,
        longest_chain: int = LONGEST_CHAIN,
    ) -> None:
        self.beam, self.longest_chain = beam, longest_chain
        self.events, self.coarse, self.rules = events, coarse, rules
        self.labels, self.lexicon = coarse.labels, coarse.lexicon
        self.previous, self.smoothing, self.threshold = previous, smoothing, threshold
        self._classes = previous_classes(self.labels, rules, previous)
        self._verbs = [int(rules.is_verb(tag)) for tag in self.labels.tags]
        self.native = native.Model1(
            labels=len(self.labels),
            words=len(self.lexicon.words) + 1,
            modifiers=np.ascontiguousarray(events.modifiers).reshape(-1),
            modifier_times=events.modifier_times,
            heads=np.ascontiguousarray(events.heads).reshape(-1),
            head_times=events.head_times,
            factor=smoothing,
        )

    @classmethod
    def learn(
        cls,
        trees: Sequence[Tree],
        rules: HeadRules,
        *,
        markovization: Markovization | None = None,
        previous: Previous = "label",
        threshold: float = THRESHOLD,
    ) -> Model1:
        """Read the model off (simplified) trees, and the coarse grammar with it."""
        labels, lexicon = Labels.of(trees), Lexicon.learn(trees)
        coarse = Pcfg.learn(
            trees,
            rules,
            markovization or Markovization(horizontal=1, vertical=1),
            labels=labels,
            lexicon=lexicon,
        )
        counter = EventCounter(labels, lexicon, rules, previous_classes(labels, rules, previous))
        for tree in trees:
            counter.add(tree)
        return cls(counter.events(), coarse, rules, previous=previous, threshold=threshold)

    def forest(
        self,
        words: Sequence[str],
        tags: Sequence[Sequence[str]] | None = None,
        *,
        threshold: float | None = None,
        beam: float | None = None,
    ) -> LexicalizedForest:
        """All trees of a sentence that are considered; with `tags`, those with one of these tags a word.

        `threshold` and `beam` are the model's own where they are not given; without a threshold (0) there is
        no beam, and everything is considered.

        Where pruning leaves no tree or far too many, it is done again with another threshold, which the
        forest tells.
        """
        chosen = self.threshold if threshold is None else threshold
        if len(words) > (most := LONGEST if chosen > 0 else LONGEST_UNPRUNED):
            raise SentenceTooLongError(
                f"a sentence of {len(words)} words is too long for a chart of phrases ({most} at most"
                f"{'' if chosen > 0 else ' without pruning, a threshold of 0'}). Split it."
            )
        tagged = self.coarse.tagged(words, tags)
        numbers = [self.lexicon.number(word, k == 0) for k, word in enumerate(words)]
        for _ in range(12):
            trees = native.LexicalizedTrees(
                model=self.native,
                grammar=self.coarse.native,
                previous_class=self._classes,
                verb_tags=self._verbs,
                root=self.labels.root_number,
                words=numbers,
                tags=tagged,
                threshold=chosen,
                longest_chain=self.longest_chain,
                beam=math.inf if chosen == 0 else self.beam if beam is None else beam,
                most_edges=MOST_EDGES,
            )
            if trees.has_tree:
                return LexicalizedForest(words, trees, self.labels, chosen)
            if chosen == 0:
                break
            chosen *= 5.0 if trees.overflow else 0.01
        raise NoParseError(f"no tree for: {' '.join(words)[:200]}. Train on more trees, or give other tags.")

    def parse(self, words: Sequence[str], tags: Sequence[Sequence[str]] | None = None) -> Scored:
        """The most probable tree that is considered."""
        best = self.forest(words, tags).best()
        if best is None:
            raise ModelError("the counts of the model give no tree a probability. Train it anew.")
        return Scored(best.tree, best.score)
