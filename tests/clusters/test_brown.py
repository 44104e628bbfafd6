"""Brown clusters against their definition, merger by merger."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise._native.clusters import BigramCounter, Bigrams, BrownClusters
from headwise.reference.brown import brown_mergers
from headwise.words.clusters import ClusterError, brown_clusters, mutual_information

LINES = st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=9), min_size=1, max_size=25)


def counted(lines: list[list[str]], least: int = 1) -> Bigrams:
    counter = BigramCounter()
    counter.add("\n".join(" ".join(line) for line in lines).encode())
    return counter.bigrams(least)


def mergers(bigrams: Bigrams, clusters: int, step: int = 1_000_000) -> list[tuple[int, int, int]]:
    run = BrownClusters(bigrams, clusters)
    while run.add_words(step):
        pass
    while run.join(step):
        pass
    return [(a, b, loss) for a, b, loss in run.mergers().reshape(-1, 3).tolist()]


def zipfian(seed: int, words: int, lines: int) -> list[list[str]]:
    rng = random.Random(seed)
    return [
        [f"w{min(int(rng.expovariate(0.15)), words - 1)}" for _ in range(rng.randint(2, 12))]
        for _ in range(lines)
    ]


@settings(max_examples=60, deadline=None)
@given(LINES, st.integers(1, 9))
def test_mergers_are_those_of_the_definition(lines: list[list[str]], clusters: int) -> None:
    bigrams = counted(lines)
    pairs = {(a, b): n for a, b, n in bigrams.pairs().reshape(-1, 3).tolist()}
    assert mergers(bigrams, clusters) == brown_mergers(
        pairs, len(bigrams.words), min(clusters, len(bigrams.words))
    )


@pytest.mark.parametrize("clusters", [2, 5, 12])
def test_of_a_larger_text_too(clusters: int) -> None:
    bigrams = counted(zipfian(seed=clusters, words=30, lines=80))
    pairs = {(a, b): n for a, b, n in bigrams.pairs().reshape(-1, 3).tolist()}
    assert mergers(bigrams, clusters) == brown_mergers(pairs, len(bigrams.words), clusters)


def test_the_steps_do_not_matter() -> None:
    bigrams = counted(zipfian(seed=3, words=60, lines=200))
    assert mergers(bigrams, 10, step=1) == mergers(bigrams, 10)


def test_words_are_counted_and_ordered_by_frequency_and_spelling() -> None:
    bigrams = counted([["b", "a", "b"], ["c", "a"], ["d"]])
    assert bigrams.words == ["a", "b", "c", "d"]
    assert bigrams.counts == [2, 2, 1, 1]
    assert sorted(map(tuple, bigrams.pairs().reshape(-1, 3).tolist())) == [(0, 1, 1), (1, 0, 1), (2, 0, 1)]
    assert counted([["b", "a", "b"], ["c", "a"]], least=2).words == ["a", "b"]
    assert bigrams.total == 3


def test_counts_of_parts_add_up() -> None:
    lines = zipfian(seed=5, words=20, lines=50)
    parts = [BigramCounter() for _ in range(3)]
    for number, line in enumerate(lines):
        parts[number % 3].add(" ".join(line).encode())
    for other in parts[1:]:
        parts[0].add_counts(other)
    together, whole = parts[0].bigrams(1), counted(lines)
    assert together.words == whole.words
    assert together.counts == whole.counts
    assert together.pairs().tolist() == whole.pairs().tolist()


def test_information_is_that_of_the_definition() -> None:
    lines = zipfian(seed=7, words=25, lines=60)
    run = brown_clusters(counted(lines), 6)
    cluster = {word: run.clusters[word] for word in run.clusters}
    pairs = Counter((cluster[a], cluster[b]) for line in lines for a, b in itertools.pairwise(line))
    total = sum(pairs.values())
    first, second = Counter[str](), Counter[str]()
    for (a, b), count in pairs.items():
        first[a] += count
        second[b] += count
    expected = sum(n / total * math.log2(n * total / (first[a] * second[b])) for (a, b), n in pairs.items())
    assert math.isclose(run.information, expected, rel_tol=1e-12)
    assert mutual_information(run.bigrams, [0] * len(run.of_word)) == pytest.approx(0, abs=1e-12)


def test_words_that_are_used_alike_are_in_one_cluster() -> None:
    rng = random.Random(1)
    kinds = {"det": ["the", "a"], "noun": ["dog", "cat", "bird", "fish"], "verb": ["saw", "heard", "fed"]}
    lines = [[rng.choice(kinds[k]) for k in ("det", "noun", "verb", "det", "noun")] for _ in range(400)]
    clusters = brown_clusters(counted(lines), 3).clusters
    for words in kinds.values():
        assert len({clusters[word] for word in words}) == 1
    assert len(clusters.paths) == 3
    assert set(clusters.near("dog", 3)) == {"cat", "bird", "fish"}


def test_paths_are_a_binary_tree() -> None:
    paths = brown_clusters(counted(zipfian(seed=9, words=80, lines=300)), 20).clusters.paths
    assert len(paths) == 20
    assert not any(a != b and b.startswith(a) for a in paths for b in paths)
    assert sum(2.0 ** -len(path) for path in paths) == 1.0  # no node has a single child


@pytest.mark.parametrize(
    ("lines", "clusters", "problem"),
    [
        ([["a"]], 1, "fewer than two"),
        ([["a", "b", "a"]], 3, "fewer than 3 clusters"),
        ([["a", "b", "a"]], 0, "at least one"),
    ],
)
def test_too_little_is_said_to_be(lines: list[list[str]], clusters: int, problem: str) -> None:
    with pytest.raises(ClusterError, match=problem):
        brown_clusters(counted(lines), clusters)
