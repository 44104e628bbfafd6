"""Clusters by exchange: no word would gain by another cluster."""

from __future__ import annotations

import random
from math import log2

import numpy as np
import pytest

from headwise._native.clusters import BigramCounter, Bigrams, ExchangeClusters, cluster_bigrams
from headwise.words.clusters import (
    ClusterError,
    brown_clusters,
    exchange_clusters,
    mutual_information,
    reassigned_clusters,
)


def zipfian(seed: int, words: int = 40, lines: int = 150) -> Bigrams:
    rng = random.Random(seed)
    counter = BigramCounter()
    for _ in range(lines):
        numbers = [min(int(rng.expovariate(0.12)), words - 1) for _ in range(rng.randint(2, 12))]
        counter.add(" ".join(f"w{n}" for n in numbers).encode())
    return counter.bigrams(1)


@pytest.mark.parametrize("seed", range(6))
def test_at_the_end_no_word_gains_by_leaving_its_cluster(seed: int) -> None:
    bigrams, clusters = zipfian(seed), 3 + seed
    run = ExchangeClusters(bigrams, clusters)
    before, moved = -1.0, True
    while moved:
        while run.place_words(7):
            pass
        moved = run.moved() > 0
        information = mutual_information(bigrams, run.of_words().tolist())
        assert information >= before - 1e-9
        before = information
    of_word = run.of_words().tolist()
    assert set(of_word) == set(range(clusters))
    for word, own in enumerate(of_word):
        if of_word.count(own) > 1:
            for other in set(of_word) - {own}:
                moved_word = [*of_word[:word], other, *of_word[word + 1 :]]
                assert mutual_information(bigrams, moved_word) <= information + 1e-6


def test_the_first_sweep_puts_every_word_where_it_is_best_among_those_before_it() -> None:
    bigrams = zipfian(3)
    run = ExchangeClusters(bigrams, 4)
    while run.place_words(1):
        pass
    of_word, pairs = run.of_words().tolist(), bigrams.pairs().reshape(-1, 3).tolist()
    assert of_word[:4] == [0, 1, 2, 3]

    def gained(upto: int, placed: list[int]) -> float:
        """Information up to constants, Σ f(n) − Σ f(l) − Σ f(r), when so many words are in."""
        counts: dict[tuple[str, int, int], float] = {}
        for a, b, n in pairs:
            keys = [("n", placed[a], placed[b])] if a <= upto and b <= upto else []
            keys += [("l", placed[a], 0)] if a <= upto else []
            keys += [("r", placed[b], 0)] if b <= upto else []
            for key in keys:
                counts[key] = counts.get(key, 0) + n
        return sum((1 if key[0] == "n" else -1) * n * log2(n) for key, n in counts.items())

    for word in range(4, len(of_word)):
        scores = [gained(word, [*of_word[:word], c, *[0] * len(of_word)]) for c in range(4)]
        assert scores[of_word[word]] == pytest.approx(max(scores), abs=1e-4)


def test_clusters_have_a_tree_and_more_information_than_mergers_find() -> None:
    counter = BigramCounter()
    rng = random.Random(2)
    kinds = [[f"{kind}{n}" for n in range(12)] for kind in "abcdef"]
    for _ in range(1500):
        kind, line = rng.randrange(6), []
        for _ in range(8):
            line.append(rng.choice(kinds[kind]))
            kind = (kind + rng.choice([1, 1, 2])) % 6
        counter.add(" ".join(line).encode())
    bigrams = counter.bigrams(1)
    told: list[str] = []
    run = exchange_clusters(bigrams, 6, lambda what, done, of: told.append(what), sweeps=10)
    for words in kinds:
        assert len({run.clusters[word] for word in words}) == 1
    paths = run.clusters.paths
    assert len(paths) == 6
    assert sum(2.0 ** -len(path) for path in paths) == 1.0
    assert run.information >= brown_clusters(bigrams, 6).information - 1e-9
    assert exchange_clusters(bigrams, 6, sweeps=10).clusters == run.clusters


@pytest.mark.parametrize("seed", range(4))
def test_reassigned_clusters_are_browns_until_no_word_gains_by_another(seed: int) -> None:
    bigrams = zipfian(seed)
    found = brown_clusters(bigrams, 6)
    run = reassigned_clusters(found)
    assert run.information > found.information
    assert len(run.clusters.paths) == 6
    of_word = run.of_word
    for word, own in enumerate(of_word):
        if of_word.count(own) > 1:
            for other in set(of_word) - {own}:
                moved = [*of_word[:word], other, *of_word[word + 1 :]]
                assert mutual_information(bigrams, moved) <= run.information + 1e-9


def test_exchange_begins_with_clusters_of_all_words_only() -> None:
    bigrams = zipfian(1)
    words = len(bigrams.words)
    for clusters, problem in [
        ([0] * words, "empty"),
        ([9] * words, "fewer clusters"),
        ([0, 1], "every word"),
    ]:
        with pytest.raises(ValueError, match=problem):
            ExchangeClusters(bigrams, 2).begin_with(np.array(clusters, np.uint32))


def test_bigrams_of_clusters_are_those_of_their_words() -> None:
    bigrams = zipfian(4)
    run = exchange_clusters(bigrams, 5)
    of_word = run.of_word
    merged = cluster_bigrams(bigrams, np.array(of_word, np.uint32))
    counts: dict[tuple[int, int], int] = {}
    for a, b, n in bigrams.pairs().reshape(-1, 3).tolist():
        counts[of_word[a], of_word[b]] = counts.get((of_word[a], of_word[b]), 0) + n
    assert {(a, b): n for a, b, n in merged.pairs().reshape(-1, 3).tolist()} == counts
    assert merged.total == bigrams.total
    assert sum(merged.counts) == sum(bigrams.counts)


def test_one_cluster_and_too_few_words() -> None:
    bigrams = zipfian(1)
    assert exchange_clusters(bigrams, 1).clusters.paths == ["0"]
    with pytest.raises(ClusterError, match="fewer than 100 clusters"):
        exchange_clusters(bigrams, 100)
    with pytest.raises(ClusterError, match="at least one"):
        exchange_clusters(bigrams, 0)
