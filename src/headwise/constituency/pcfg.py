"""Markovized probabilistic context-free grammars, read off trees by counting, parsed exactly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from headwise._native import constituency as native
from headwise.base.errors import HeadwiseError, SentenceTooLongError
from headwise.constituency.binarize import Markovization, binarize, is_intermediate, plain_label
from headwise.constituency.head_rules import HeadRules
from headwise.constituency.labels import Labels, tree_of
from headwise.constituency.lexicon import Lexicon
from headwise.constituency.tree import Span, Tree

LONGEST = 250
"""Words of a sentence: the chart needs symbols · n² numbers."""
_GLUE = 1e-12
"""The probability of rules that no tree had: any phrases beside each other under the root."""

TaggedWords = list[list[tuple[int, float]]]


class NoParseError(HeadwiseError):
    """A sentence that the grammar has no tree for."""


class Scored(NamedTuple):
    """A tree and its log-probability, together with the words."""

    tree: Tree
    score: float


class PhraseMarginals(NamedTuple):
    """Probabilities of all that the trees of a sentence may have."""

    spans: dict[Span, float]
    tags: list[dict[str, float]]


@dataclass(frozen=True)
class PcfgCounts:
    """How often rules and chains were seen; symbols are labels of binarized trees, and tags."""

    rules: dict[tuple[str, str, str], int]
    chains: dict[tuple[str, ...], int]
    """Labels from the top to the symbol at the bottom; the last may be a tag, which begins with a space."""


def count_rules(trees: Sequence[Tree], heads: HeadRules, markovization: Markovization) -> PcfgCounts:
    """The rules and chains of binarized trees. O(nodes)."""
    rules: Counter[tuple[str, str, str]] = Counter()
    chains: Counter[tuple[str, ...]] = Counter()

    def symbol(node: Tree) -> str:
        return " " + node.label if node.is_word else node.label

    for tree in trees:
        stack = [binarize(tree, heads, markovization)]
        while stack:  # no recursion: a phrase of a thousand children is a thousand deep when binarized
            node = stack.pop()
            if node.is_word:
                continue
            path = [node.label]
            while len(node.children) == 1:
                node = node.children[0]
                path.append(symbol(node))
            chains[tuple(path)] += 1
            if not node.is_word:
                left, right = node.children
                rules[path[-1], symbol(left), symbol(right)] += 1
                stack += (right, left)
    return PcfgCounts(dict(rules), dict(chains))


class Pcfg:
    """A grammar with the lexicon of its tags.

    Best trees, k best and marginals by CKY in O(rules · n³) time, O(symbols · n²) memory.
    """

    def __init__(self, counts: PcfgCounts, labels: Labels, lexicon: Lexicon) -> None:
        self.counts, self.labels, self.lexicon = counts, labels, lexicon
        self.native = _native_grammar(counts, labels)
        self._tag_places = {tag: k for k, tag in enumerate(labels.tags)}

    @classmethod
    def learn(
        cls,
        trees: Sequence[Tree],
        heads: HeadRules,
        markovization: Markovization | None = None,
        *,
        labels: Labels | None = None,
        lexicon: Lexicon | None = None,
    ) -> Pcfg:
        """Read a grammar off (simplified) trees."""
        counts = count_rules(trees, heads, markovization or Markovization())
        return cls(counts, labels or Labels.of(trees), lexicon or Lexicon.learn(trees))

    def tagged(self, words: Sequence[str], tags: Sequence[Sequence[str]] | None = None) -> TaggedWords:
        """The candidate tags of words, numbered, with log-probabilities: all that fit, or those given."""
        if not words:
            raise NoParseError("a sentence without words has no tree.")
        if len(words) > LONGEST:
            raise SentenceTooLongError(
                f"a sentence of {len(words)} words is too long for phrase structure, {LONGEST} at most. "
                "Split it."
            )
        if tags is not None:
            return [
                [
                    (self._tag_places[tag], self.lexicon.log_probability(word, tag, k == 0))
                    for tag in given
                    if tag in self._tag_places
                ]
                or self._numbered(word, k == 0)
                for k, (word, given) in enumerate(zip(words, tags, strict=True))
            ]
        return [self._numbered(word, k == 0) for k, word in enumerate(words)]

    def _numbered(self, word: str, first: bool) -> list[tuple[int, float]]:
        return [(self._tag_places[tag], score) for tag, score in self.lexicon.candidates(word, first)]

    def parse(self, words: Sequence[str], tags: Sequence[Sequence[str]] | None = None) -> Scored:
        """The most probable tree; with `tags`, among those with one of these tags a word."""
        return self.top_k(words, 1, tags)[0]

    def top_k(
        self, words: Sequence[str], k: int, tags: Sequence[Sequence[str]] | None = None
    ) -> list[Scored]:
        """The k most probable trees, best first, all different; fewer where there are fewer."""
        found = self.native.top_k(self.tagged(words, tags), k)
        if not found:
            raise NoParseError(
                f"no tree for: {' '.join(words)[:200]}. Train on more trees, or give other tags."
            )
        forms = list(words)
        return [
            Scored(tree_of(self.labels, forms, brackets, tag_numbers), score)
            for score, brackets, tag_numbers, _ in found
        ]

    def log_probability(self, words: Sequence[str], tags: Sequence[Sequence[str]] | None = None) -> float:
        """The log of the summed probability of all trees."""
        return self.native.log_sum(self.tagged(words, tags))

    def marginals(self, words: Sequence[str], tags: Sequence[Sequence[str]] | None = None) -> PhraseMarginals:
        """The expected number of every labelled bracket, and the probability of every tag."""
        tagged = self.tagged(words, tags)
        brackets, tag_shares = self.native.marginals(tagged)
        spans: dict[Span, float] = {}
        for label, begin, end, p in brackets:
            span = Span(self.labels.name(label), begin, end)
            spans[span] = spans.get(span, 0.0) + p
        names = self.labels.tags
        return PhraseMarginals(
            spans,
            [
                {names[tag]: p for (tag, _), p in zip(word, shares, strict=True)}
                for word, shares in zip(tagged, tag_shares, strict=True)
            ],
        )


_Rule = tuple[int, int, int, float]
"""A parent, its two children, and the log-probability."""
_Chain = tuple[int, int, float, tuple[str, ...]]
"""Its ends, the log-probability, and all of its names."""


def _native_grammar(counts: PcfgCounts, labels: Labels) -> native.PhraseGrammar:
    names: set[str] = set().union(*counts.rules, *counts.chains)
    glue = labels.root + "⟨R glue⟩"
    phrases = sorted({name for name in names if not name.startswith(" ")} | {glue, labels.root})
    symbols = {name: k for k, name in enumerate([*phrases, *(" " + tag for tag in labels.tags)])}

    rule_totals: Counter[str] = Counter()
    for (parent, _, _), times in counts.rules.items():
        rule_totals[parent] += times
    chain_totals: Counter[str] = Counter()
    for chain, times in counts.chains.items():
        chain_totals[chain[0]] += times
    rules = [
        (symbols[parent], symbols[left], symbols[right], math.log(times / rule_totals[parent]))
        for (parent, left, right), times in counts.rules.items()
    ]
    chains = [
        (symbols[chain[0]], symbols[chain[-1]], math.log(times / chain_totals[chain[0]]), chain)
        for chain, times in counts.chains.items()
    ]
    glue_rules, glue_chains = _glued(counts, labels.root, glue, symbols)
    rules, chains = rules + glue_rules, chains + glue_chains

    def numbers(chain: tuple[str, ...]) -> list[int]:
        return [
            labels.phrase_numbers[plain_label(name)]
            for name in chain
            if not name.startswith(" ") and not is_intermediate(name)
        ]

    return native.PhraseGrammar(
        phrases=len(phrases),
        tags=len(labels.tags),
        root=symbols[labels.root],
        rules=np.array([rule[:3] for rule in rules], np.int32).reshape(-1),
        rule_scores=np.array([rule[3] for rule in rules], np.float64),
        chains=np.array([chain[:2] for chain in chains], np.int32).reshape(-1),
        chain_scores=np.array([chain[2] for chain in chains], np.float64),
        labels=[labels.phrase_numbers[plain_label(name)] for name in phrases],
        growth=[_growth(name) for name in phrases],
        chain_labels=[numbers(chain[3]) for chain in chains],
        tag_labels=[labels.tag_numbers[tag] for tag in labels.tags],
    )


def _glued(
    counts: PcfgCounts, root: str, glue: str, symbols: Mapping[str, int]
) -> tuple[list[_Rule], list[_Chain]]:
    """Rules and chains by which phrases stand beside each other, where a sentence has no tree."""
    least = math.log(_GLUE)
    rules: list[_Rule] = []
    chains: list[_Chain] = []
    for name in (name for name in symbols if not is_intermediate(name) and name != root):
        rules += [(symbols[parent], symbols[glue], symbols[name], least) for parent in (glue, root)]
        chains.append((symbols[glue], symbols[name], 0.0, (glue, name)))
        if (root, name) not in counts.chains:
            chains.append((symbols[root], symbols[name], least, (root, name)))
    if (root,) not in counts.chains:
        chains.append((symbols[root], symbols[root], least, (root,)))
    chains.append((symbols[glue], symbols[glue], 0.0, (glue,)))
    return rules, chains


def _growth(symbol: str) -> int:
    """Whether a symbol is a complete phrase (0), or has modifiers on its right (1) or left (2) so far."""
    if not is_intermediate(symbol):
        return 0
    return 1 if symbol[symbol.rfind("⟨") + 1] == "R" else 2
