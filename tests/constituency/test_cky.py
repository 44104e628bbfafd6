"""CKY against enumeration, on random grammars."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from headwise._native import constituency as native

PHRASES, TAGS, ROOT = 3, 2, 0


class RandomGrammar:
    """Rules and chains with random probabilities; some left out."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        symbols = range(PHRASES + TAGS)
        self.rules = {
            (a, b, c): math.log(chance.uniform(0.05, 1))
            for a, b, c in itertools.product(range(PHRASES), symbols, symbols)
            if chance.random() < 0.5
        }
        # Several chains with the same ends are different rules; here they are told apart by their labels.
        self.chains = [(a, a, math.log(chance.uniform(0.2, 1)), [a]) for a in range(PHRASES)]
        self.chains += [
            (a, b, math.log(chance.uniform(0.05, 1)), [a] if b >= PHRASES else [a, b])
            for a, b in itertools.product(range(PHRASES), symbols)
            if a != b and chance.random() < 0.6
        ]
        self.chains += [(0, 1, math.log(0.3), [0, 2, 1])]
        self.native = native.PhraseGrammar(
            phrases=PHRASES,
            tags=TAGS,
            root=ROOT,
            rules=np.array(list(self.rules), np.int32).reshape(-1),
            rule_scores=np.array(list(self.rules.values())),
            chains=np.array([chain[:2] for chain in self.chains], np.int32).reshape(-1),
            chain_scores=np.array([chain[2] for chain in self.chains]),
            labels=list(range(PHRASES)),
            growth=[0] * PHRASES,
            chain_labels=[chain[3] for chain in self.chains],
            tag_labels=list(range(TAGS)),
        )

    def sentence(self, n: int, seed: int) -> list[list[tuple[int, float]]]:
        chance = random.Random(seed)
        return [[(tag, math.log(chance.uniform(1e-3, 1))) for tag in range(TAGS)] for _ in range(n)]

    def trees(self, words: list[list[tuple[int, float]]]) -> list[tuple[float, tuple, tuple]]:
        """All trees: score, brackets in preorder, tags."""

        def tops(symbol: int, i: int, j: int) -> list[tuple[float, tuple, tuple]]:
            if symbol >= PHRASES:
                return bottoms(symbol, i, j)
            return [
                (score + below, tuple((label, i, j) for label in labels) + brackets, tags)
                for top, bottom, score, labels in self.chains
                if top == symbol
                for below, brackets, tags in bottoms(bottom, i, j)
            ]

        def bottoms(symbol: int, i: int, j: int) -> list[tuple[float, tuple, tuple]]:
            if symbol >= PHRASES:
                found = [score for tag, score in words[i] if tag == symbol - PHRASES]
                return [(found[0], (), (symbol - PHRASES,))] if j == i + 1 else []
            return [
                (score + left[0] + right[0], left[1] + right[1], left[2] + right[2])
                for (parent, b, c), score in self.rules.items()
                if parent == symbol
                for k in range(i + 1, j)
                for left in tops(b, i, k)
                for right in tops(c, k, j)
            ]

        return tops(ROOT, 0, len(words))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_best_k_best_and_sums_equal_enumeration(n: int, seed: int) -> None:
    grammar = RandomGrammar(seed)
    words = grammar.sentence(n, seed)
    trees = sorted(grammar.trees(words), key=lambda tree: -tree[0])
    found = grammar.native.top_k(words, 40)
    assert len(found) == min(40, len(trees))
    assert [tree[0] for tree in found] == pytest.approx([tree[0] for tree in trees[:40]], abs=1e-9)
    by_tree: dict[tuple, list[float]] = {}
    for score, brackets, tags in trees:
        by_tree.setdefault((brackets, tags), []).append(score)
    for score, brackets, tags, _ in found:
        assert min(abs(score - other) for other in by_tree[tuple(brackets), tuple(tags)]) < 1e-9
    total = np.logaddexp.reduce([tree[0] for tree in trees]) if trees else -math.inf
    assert grammar.native.log_sum(words) == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_marginals_equal_enumeration(seed: int) -> None:
    grammar = RandomGrammar(seed)
    words = grammar.sentence(4, seed)
    trees = grammar.trees(words)
    total = np.logaddexp.reduce([tree[0] for tree in trees])
    expected: dict[tuple[int, int, int], float] = {}
    tags = np.zeros((4, TAGS))
    for score, brackets, chosen in trees:
        p = math.exp(score - total)
        for bracket in brackets:
            expected[bracket] = expected.get(bracket, 0.0) + p
        for word, tag in enumerate(chosen):
            tags[word, tag] += p
    found: dict[tuple[int, int, int], float] = {}
    brackets, tag_shares = grammar.native.marginals(words)
    for label, begin, end, p in brackets:
        found[label, begin, end] = found.get((label, begin, end), 0.0) + p
    assert found == pytest.approx(expected, abs=1e-9)
    assert np.array(tag_shares) == pytest.approx(tags, abs=1e-9)


def test_a_sentence_without_trees() -> None:
    grammar = RandomGrammar(1)
    assert grammar.native.top_k([[(0, -math.inf), (1, -math.inf)]], 3) == []
    assert grammar.native.log_sum([[]]) == -math.inf


def test_long_sentences_do_not_underflow() -> None:
    grammar = RandomGrammar(2)
    words = [[(tag, score - 700.0) for tag, score in word] for word in grammar.sentence(30, 3)]
    best, total = grammar.native.top_k(words, 1)[0][0], grammar.native.log_sum(words)
    assert -1e5 < best < total < best + 200
    assert total < -700 * 29


def test_what_is_wrong_with_arguments_is_said() -> None:
    grammar = RandomGrammar(1)
    with pytest.raises(ValueError, match="unknown tag"):
        grammar.native.top_k([[(7, 0.0)]], 1)
