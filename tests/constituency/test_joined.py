"""Joined systems against enumeration: what they prove to be the best is the best."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from test_model1_forest import RULES, random_tree

from headwise.base.errors import SentenceTooLongError
from headwise.components.tagging.tagger import TagLattice
from headwise.constituency.joined import LIMITS, PhraseAndDependencies, TaggerAndPhrases
from headwise.constituency.model1 import LONGEST, LONGEST_UNPRUNED, Model1
from headwise.dual import RUSH_2010, Limits
from headwise.trees import ProjectiveTrees

UNPROVED = Limits(iterations=2, branch=False, eliminate=False)


@pytest.fixture(scope="module")
def model() -> Model1:
    chance = random.Random(11)
    learned = Model1.learn([random_tree(chance, chance.randint(1, 4)) for _ in range(15)], RULES)
    learned.longest_chain = 1
    return learned


def sentences(count: int) -> list[list[str]]:
    chance = random.Random(5)
    return [[chance.choice("xyz") for _ in range(chance.randint(1, 4))] for _ in range(count)]


def dependencies(words: list[str], seed: int) -> ProjectiveTrees:
    chance = np.random.default_rng(seed)
    n = len(words)
    return ProjectiveTrees(
        chance.normal(0, 3, (n + 1, n + 1)),
        siblings=chance.normal(0, 2, (n + 1,) * 3),
        grandchildren=chance.normal(0, 2, (n + 1,) * 3),
        factorization="carreras",
        single_root=True,
    )


def best_with_dependencies(system: PhraseAndDependencies, forest, trees: ProjectiveTrees) -> float:
    """The best joint score, by trying all heads."""
    n = len(forest.words)
    best = -math.inf
    for heads in itertools.product(range(n + 1), repeat=n):
        arcs = np.full((n + 1, n + 1), -math.inf)
        arcs[heads, np.arange(1, n + 1)] = 0.0
        phrase = forest.best(forest.prices(arcs=arcs))
        if phrase is not None:
            best = max(best, phrase.score + system.weight * trees.with_arc_prices(arcs).argmax().score)
    return best


@pytest.mark.parametrize("weight", [0.3, 1.0])
def test_phrases_and_dependencies_agree_on_the_best(model: Model1, weight: float) -> None:
    system = PhraseAndDependencies(model, None, weight)  # type: ignore[arg-type]
    proved = 0
    for seed, words in enumerate(sentences(12)):
        forest, trees = (
            model.forest(words, [["n", "v"]] * len(words), threshold=1e-2),
            dependencies(words, seed),
        )
        expected = best_with_dependencies(system, forest, trees)
        for limits in (LIMITS, RUSH_2010, UNPROVED):
            found = system.agree(forest, trees, limits)
            assert found.score <= expected + 1e-6
            assert found.bound >= expected - 1e-6
            if found.exact:
                assert found.score == pytest.approx(expected, abs=1e-6)
                proved += limits is LIMITS
            assert found.gap >= 0
    assert proved == 12


def lattice(words: list[str], seed: int) -> TagLattice:
    chance = np.random.default_rng(seed)
    tags = [[("_", "n", "_"), ("_", "v", "_"), ("_", "unknown", "_")]] * len(words)
    edges = sum(3 ** min(k, 3) for k in range(1, len(words) + 1))
    return TagLattice(tags, chance.normal(0, 3, edges))


@pytest.mark.parametrize("weight", [0.5, 1.0])
def test_tagger_and_phrases_agree_on_the_best(model: Model1, weight: float) -> None:
    system = TaggerAndPhrases(model, None, weight)  # type: ignore[arg-type]
    proved = 0
    for seed, words in enumerate(sentences(12)):
        forest, tags = model.forest(words, [["n", "v"]] * len(words), threshold=1e-3), lattice(words, seed)
        expected = -math.inf
        for choice in itertools.product("nv", repeat=len(words)):
            allowed = [
                tag == chosen for word, chosen in zip(forest.tags, choice, strict=True) for tag in word
            ]
            prices = np.where(allowed, 0.0, -math.inf)
            phrase = forest.best(forest.prices(tags=prices))
            if phrase is None:
                continue
            wanted = np.full((len(words), 3), -math.inf)
            wanted[np.arange(len(words)), ["nv".index(tag) for tag in choice]] = 0.0
            expected = max(expected, phrase.score + weight * tags.best(wanted.reshape(-1))[1])
        for limits in (LIMITS, RUSH_2010, UNPROVED):
            found = system.agree(forest, tags, limits)
            assert found.score <= expected + 1e-6
            assert found.bound >= expected - 1e-6
            if found.exact:
                assert found.score == pytest.approx(expected, abs=1e-6)
                proved += limits is LIMITS
    assert proved == 12


def test_without_a_common_tree_model_1_stands_alone_and_says_so(model: Model1) -> None:
    words = ["x", "y"]
    forest = model.forest(words, [["n"], ["n"]], threshold=1e-3)
    nothing = TagLattice([[("_", "unknown", "_")]] * 2, np.zeros(2))
    found = TaggerAndPhrases(model, None).agree(forest, nothing)  # type: ignore[arg-type]
    best = forest.best()
    assert best is not None
    assert found.tree == best.tree
    assert not found.exact
    assert found.result is None


def test_the_trees_scores_add_up(model: Model1) -> None:
    words = ["x", "y", "z"]
    forest, trees = model.forest(words, [["n", "v"]] * 3, threshold=1e-3), dependencies(words, 3)
    system = PhraseAndDependencies(model, None, 0.7)  # type: ignore[arg-type]
    found = system.agree(forest, trees)
    arcs = np.full((4, 4), -math.inf)
    arcs[found.heads, np.arange(1, 4)] = 0.0
    phrase = forest.best(forest.prices(arcs=arcs))
    assert phrase is not None
    assert phrase.tree == found.tree
    assert found.score == pytest.approx(phrase.score + 0.7 * trees.with_arc_prices(arcs).argmax().score)


def test_charts_have_limits(model: Model1) -> None:
    """A model of 75 kB without pruning once took 4.3 GB for 160 words."""
    for threshold, most in ((None, LONGEST), (0.0, LONGEST_UNPRUNED)):
        with pytest.raises(SentenceTooLongError, match=rf"{most} at most"):
            model.forest(["x"] * (most + 1), threshold=threshold)
