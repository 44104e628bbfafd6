"""Model 1 against enumeration of all lexicalized trees, and its probabilities against the definition."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from headwise.constituency import Tree
from headwise.constituency.head_rules import HeadRules
from headwise.constituency.labels import START, STOP
from headwise.constituency.model1 import Model1

RULES = HeadRules.parse(["ROOT: left", "A: right", "B: left-any v B; left", "verbs: v"])
LONGEST_CHAIN = 1


def random_tree(chance: random.Random, words: int) -> Tree:
    """A tree over two kinds of phrases, three words and two tags."""

    def grow(n: int, depth: int) -> Tree:
        if n == 1 and (depth > 2 or chance.random() < 0.7):
            return Tree(chance.choice("nv"), word=chance.choice(["x", "y", "z"]))
        label = chance.choice("AB")
        if n == 1:
            return Tree(label, (grow(1, depth + 1),))
        cuts = sorted(chance.sample(range(1, n), chance.randint(1, min(2, n - 1))))
        return Tree(label, tuple(grow(j - i, depth + 1) for i, j in pairwise([0, *cuts, n])))

    return Tree("ROOT", (grow(words, 0),))


@pytest.fixture(scope="module")
def model() -> Model1:
    chance = random.Random(7)
    learned = Model1.learn([random_tree(chance, chance.randint(1, 4)) for _ in range(12)], RULES)
    learned.longest_chain = LONGEST_CHAIN
    return learned


class Enumeration:
    """All lexicalized trees of a sentence with their scores, by recursion over the definition."""

    def __init__(self, model: Model1, words: list[str], tags: list[list[str]] | None = None) -> None:
        self.model, self.words = model, words
        self.numbers = [model.lexicon.number(word, k == 0) for k, word in enumerate(words)]
        tagged = model.coarse.tagged(words, tags)
        names = model.labels
        self.tags = [[(names.tag_numbers[names.tags[tag]], score) for tag, score in word] for word in tagged]
        likely = [max(word, key=lambda pair: pair[1])[0] for word in self.tags]
        self.verbs = [RULES.is_verb(names.name(tag)) for tag in likely]
        self.parents: dict[int, set[int]] = {}
        for phrase, head, _, _ in model.events.heads.tolist():
            self.parents.setdefault(head, set()).add(phrase)
        self.licensed = {
            (row[0], row[1], row[7])
            for row in model.events.modifiers.tolist()
            if row[0] < 2 and row[7] != STOP
        }
        self.memo: dict = {}

    def complete(self, i: int, j: int):
        """(label, head, tag, score, brackets, arcs, tags) of every phrase and tag over words i … j − 1."""
        if (i, j) in self.memo:
            return self.memo[i, j]
        level = []
        if j == i + 1:
            for tag, score in self.tags[i]:
                own = score - math.log(self.model.native.word_given_tag(self.numbers[i], tag))
                level.append((tag, i, tag, own, (), (), ((i, tag),)))
        for a in range(i, j):
            for b in range(a + 1, j + 1):
                if (a, b) != (i, j):
                    for head in self.complete(a, b):
                        level += self.phrases(i, j, a, b, head)
        found = list(level)
        for _ in range(LONGEST_CHAIN):
            level = [phrase for head in level for phrase in self.phrases(i, j, i, j, head)]
            found += level
        self.memo[i, j] = found
        return found

    def phrases(self, i: int, j: int, a: int, b: int, head):
        label, h, tag, score = head[:4]
        for phrase in self.parents.get(label, ()):
            start = score + self.model.native.log_head(phrase, label, self.numbers[h], tag)
            rights = self.side(1, phrase, label, h, tag, b, j)
            lefts = self.side(0, phrase, label, h, tag, i, a)
            for right_score, right in rights:
                for left_score, left in lefts:
                    parts = [*left, head, *right]
                    yield (
                        phrase,
                        h,
                        tag,
                        start + right_score + left_score,
                        ((phrase, i, j), *(bracket for part in parts for bracket in part[4])),
                        tuple(arc for part in parts for arc in part[5])
                        + tuple((h + 1, part[1] + 1) for part in [*left, *right]),
                        tuple(pair for part in parts for pair in part[6]),
                    )

    def side(self, side: int, phrase: int, label: int, h: int, tag: int, begin: int, end: int):
        """All ways to fill the words begin … end − 1 beside a head with modifiers: score, modifiers."""
        classes = self.model._classes

        def extend(at: int, verb: int, previous: int):
            if at == (end if side else begin):
                event = [side, phrase, label, verb, previous, self.numbers[h], tag, STOP, STOP, 0]
                yield self.model.native.log_modifier(event), []
                return
            for other in range(at + 1, end + 1) if side else range(begin, at):
                i, j = (at, other) if side else (other, at)
                for m in self.complete(i, j):
                    if (side, phrase, m[0]) not in self.licensed and phrase != self.model.labels.root_number:
                        continue
                    event = [
                        side,
                        phrase,
                        label,
                        verb,
                        previous,
                        self.numbers[h],
                        tag,
                        m[0],
                        m[2],
                        self.numbers[m[1]],
                    ]
                    score = self.model.native.log_modifier(event) + m[3]
                    now = verb | any(self.verbs[i:j])
                    for rest, others in extend(other, int(now), classes[m[0]]):
                        yield score + rest, [m, *others] if side else [*others, m]

        return list(extend(begin if side else end, 0, 0))

    def trees(self):
        """(score, brackets, arcs, tags) of whole trees, best first."""
        root = self.model.labels.root_number
        found = []
        for label, h, tag, score, brackets, arcs, tags in self.complete(0, len(self.words)):
            if label == root:
                event = [2, START, START, 0, 0, 0, 0, root, tag, self.numbers[h]]
                top = self.model.native.log_modifier(event)
                found.append(
                    (score + top, brackets, frozenset([*arcs, (0, h + 1)]), tuple(t for _, t in sorted(tags)))
                )
        return sorted(found, key=lambda tree: -tree[0])


# Words and the tags that they may have; None: any.
SENTENCES = [
    (["x"], None),
    (["x", "y"], None),
    (["y", "x", "z"], [["n"], ["v"], ["n"]]),
    (["z", "z", "x"], [["v"], ["n"], ["v"]]),
]


@pytest.mark.parametrize(("words", "tags"), SENTENCES)
def test_best_and_k_best_equal_enumeration(
    model: Model1, words: list[str], tags: list[list[str]] | None
) -> None:
    expected = Enumeration(model, words, tags).trees()
    forest = model.forest(words, tags, threshold=0)
    best = forest.best()
    assert best is not None
    assert best.score == pytest.approx(expected[0][0], abs=1e-9)
    found = forest.native.top_k(60)
    assert [tree[0] for tree in found] == pytest.approx([tree[0] for tree in expected[:60]], abs=1e-9)
    known = Counter((round(score, 7), brackets, arcs, tags) for score, brackets, arcs, tags in expected)
    for score, brackets, tags, heads in found:
        arcs = frozenset((head, m) for m, head in enumerate(heads, 1))
        assert known[round(score, 7), tuple(brackets), arcs, tuple(tags)]


@pytest.mark.parametrize(("words", "tags"), SENTENCES)
def test_sums_and_marginals_equal_enumeration(
    model: Model1, words: list[str], tags: list[list[str]] | None
) -> None:
    expected = Enumeration(model, words, tags).trees()
    total = float(np.logaddexp.reduce([tree[0] for tree in expected]))
    forest = model.forest(words, tags, threshold=0)
    log_sum, shares, _ = forest.native.marginals()
    assert log_sum == pytest.approx(total, abs=1e-9)
    n = len(words)
    arcs = np.zeros((n + 1, n + 1))
    spans: dict = {}
    shares_of_tags: list[dict[str, float]] = [{} for _ in words]
    for score, brackets, tree_arcs, tree_tags in expected:
        p = math.exp(score - total)
        for arc in tree_arcs:
            arcs[arc] += p
        for label, i, j in brackets:
            span = (model.labels.name(label), i, j)
            spans[span] = spans.get(span, 0.0) + p
        for word, tag in zip(shares_of_tags, tree_tags, strict=True):
            word[model.labels.name(tag)] = word.get(model.labels.name(tag), 0.0) + p
    assert shares[: (n + 1) ** 2].reshape(n + 1, n + 1) == pytest.approx(arcs, abs=1e-9)
    marginals = forest.marginals()
    assert marginals.spans == pytest.approx(spans, abs=1e-9)
    for found, wanted in zip(marginals.tags, shares_of_tags, strict=True):
        assert found == pytest.approx(wanted, abs=1e-9)


def test_prices_are_added_to_arcs_and_tags(model: Model1) -> None:
    words = ["y", "x"]
    chance = np.random.default_rng(3)
    forest = model.forest(words, threshold=0)
    arcs = chance.normal(0, 3, (3, 3))
    tags = chance.normal(0, 3, sum(map(len, forest.tags)))
    places = {}
    for word, candidates in enumerate(forest.tags):
        for tag in candidates:
            places[word, tag] = len(places)
    best = forest.best(forest.prices(arcs, tags))
    assert best is not None
    expected = max(
        score
        + sum(arcs[arc] for arc in tree_arcs)
        + sum(tags[places[word, model.labels.name(tag)]] for word, tag in enumerate(tree_tags))
        for score, _, tree_arcs, tree_tags in Enumeration(model, words).trees()
    )
    assert best.score == pytest.approx(expected, abs=1e-9)


def test_pruning_leaves_trees_of_the_whole(model: Model1) -> None:
    for words, tags in SENTENCES:
        whole, pruned = model.forest(words, tags, threshold=0), model.forest(words, tags, threshold=1e-2)
        assert pruned.threshold > 0
        assert pruned.native.edges < whole.native.edges
        best, best_of_all = pruned.best(), whole.best()
        assert best is not None
        assert best_of_all is not None
        assert best.score <= best_of_all.score + 1e-9
        above = [tree.score for tree in whole.top_k(2000) if tree.score > best.score - 1e-6]
        assert len(above) == 2000 or above[-1] == pytest.approx(best.score, abs=1e-6)


def smoothed(
    rows: list[list[int]], times: list[float], levels, outcome, lower: float, factor: float
) -> float:
    """Collins' smoothing from the rows themselves: levels are functions of a row, the most specific first."""
    p = lower
    for context, wanted in reversed(levels):
        seen = [(outcome(row), t) for row, t in zip(rows, times, strict=True) if context(row) == wanted]
        total = sum(t for _, t in seen)
        if total == 0:
            continue
        kinds = len({what for what, _ in seen})
        hits = sum(t for what, t in seen if what == outcome(None))
        weight = total / (total + factor * kinds)
        p = weight * hits / total + (1 - weight) * p
    return p


def test_probabilities_are_smoothed_as_defined(model: Model1) -> None:
    rows, times = model.events.modifiers.tolist(), model.events.modifier_times.tolist()
    labels = len(model.labels)
    for event in rows[::3]:
        side, phrase, head, verb, previous, word, tag, label, modifier_tag, modifier_word = event
        on_side = [(r[7], t) for r, t in zip(rows, times, strict=True) if (r[0], r[1]) == (side, phrase)]
        lower = (sum(t for what, t in on_side if what == label) + 1e-6) / (
            sum(t for _, t in on_side) + 1e-6 * labels
        )
        if label != STOP:
            tags = [(r[8], t) for r, t in zip(rows, times, strict=True) if r[7] == label]
            lower *= (sum(t for what, t in tags if what == modifier_tag) + 1e-4) / (
                sum(t for _, t in tags) + 1e-4 * labels
            )
        levels = [
            (lambda r: r[:7], [side, phrase, head, verb, previous, word, tag]),
            (lambda r: [*r[:5], r[6]], [side, phrase, head, verb, previous, tag]),
            (lambda r: r[:5], [side, phrase, head, verb, previous]),
        ]

        def label_of(row, wanted=(label, modifier_tag)):
            return wanted if row is None else (row[7], row[8])

        expected = math.log(smoothed(rows, times, levels, label_of, lower, model.smoothing))
        if label != STOP:
            below = model.native.word_given_tag(modifier_word, modifier_tag)
            levels = [
                (lambda r: (r[7], r[8], *r[:4], *r[5:7]), (label, modifier_tag, *event[:4], *event[5:7])),
                (lambda r: (r[7], r[8], *r[:4], r[6]), (label, modifier_tag, *event[:4], tag)),
            ]

            def word_of(row, wanted=modifier_word):
                return wanted if row is None else row[9]

            expected += math.log(smoothed(rows, times, levels, word_of, below, model.smoothing))
        assert model.native.log_modifier(event) == pytest.approx(expected, rel=1e-5)


def test_probabilities_of_modifiers_sum_to_one(model: Model1) -> None:
    rows = model.events.modifiers.tolist()
    labels, words = len(model.labels), len(model.lexicon.words) + 1
    for event in rows[::15]:
        if event[0] == 2:
            continue
        total = math.exp(model.native.log_modifier([*event[:7], STOP, STOP, 0]))
        for label in range(1, labels):
            for tag in range(labels):
                for word in range(words):
                    total += math.exp(model.native.log_modifier([*event[:7], label, tag, word]))
        assert total == pytest.approx(1.0, abs=1e-6)
