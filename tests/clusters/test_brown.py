"""Brown clusters against their definition, merger by merger."""

from __future__ import annotations

import itertools
import math
import os
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise._native.clusters import BigramCounter, Bigrams, BrownClusters
from headwise.reference.brown import losses_on_the_way
from headwise.treebank.files import read_lines
from headwise.words.clusters import ClusterError, brown_clusters, count_words, mutual_information
from headwise.words.clusters.text import BLOCK

ROUNDING = 1e-6
"""Of what a merger loses, in bits of all bigrams together: two that lose the same differ by less."""
LINES = st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=9), min_size=1, max_size=25)


def counted(lines: list[list[str]], least: int = 1) -> Bigrams:
    counter = BigramCounter()
    counter.add("\n".join(" ".join(line) for line in lines).encode())
    return counter.bigrams(least)


def mergers(bigrams: Bigrams, clusters: int, step: int = 1_000_000) -> list[tuple[int, int, float]]:
    run = BrownClusters(bigrams, clusters)
    while run.add_words(step):
        pass
    while run.join(step):
        pass
    pairs = run.mergers().reshape(-1, 2).tolist()
    return [(a, b, loss) for (a, b), loss in zip(pairs, run.losses().tolist(), strict=True)]


def check_every_merger(bigrams: Bigrams, clusters: int) -> None:
    """Each loses what it loses by definition, and none would lose less."""
    pairs = {(a, b): n for a, b, n in bigrams.pairs().reshape(-1, 3).tolist()}
    words, found = len(bigrams.words), mergers(bigrams, clusters)
    assert len(found) == words - 1
    if not pairs:
        return
    path = losses_on_the_way(pairs, words, min(clusters, words), [(a, b) for a, b, _ in found])
    for (kept, absorbed, loss), losses in zip(found, path, strict=True):
        bits = {pair: lost * bigrams.total for pair, lost in losses.items()}
        assert math.isclose(loss, bits[kept, absorbed], abs_tol=ROUNDING)
        least = min(bits.values())
        assert (kept, absorbed) == min(pair for pair, lost in bits.items() if lost < least + ROUNDING)


def zipfian(seed: int, words: int, lines: int) -> list[list[str]]:
    rng = random.Random(seed)
    return [
        [f"w{min(int(rng.expovariate(0.15)), words - 1)}" for _ in range(rng.randint(2, 12))]
        for _ in range(lines)
    ]


@settings(max_examples=60, deadline=None)
@given(LINES, st.integers(1, 9))
def test_mergers_are_those_of_the_definition(lines: list[list[str]], clusters: int) -> None:
    check_every_merger(counted(lines), clusters)


@pytest.mark.parametrize("clusters", [2, 5, 12])
def test_of_a_larger_text_too(clusters: int) -> None:
    check_every_merger(counted(zipfian(seed=clusters, words=30, lines=80)), clusters)


def test_of_mergers_that_lose_the_same_that_of_the_most_frequent_words_is_first() -> None:
    times = {"a": 4, "b": 3, "c": 2}
    lines = [["z", word, "z"] for word, count in times.items() for _ in range(count)] + [["p", "q", "p"]] * 5
    assert counted(lines).words == ["z", "p", "q", "a", "b", "c"]
    assert mergers(counted(lines), 5)[:2] == [(3, 4, 0.0), (3, 5, 0.0)]


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


def test_lines_may_be_one_text(tmp_path: Path) -> None:
    """Bigrams over the ends of lines, of blocks of lines and of files, whatever the number of threads."""
    lines = zipfian(seed=5, words=20, lines=BLOCK + 50)
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    files[0].write_text("".join(" ".join(line) + "\n\n" for line in lines[:-20]))
    files[1].write_text("".join(" ".join(line) + "\n" for line in lines[-20:]))
    run = [word for line in lines for word in line]
    for threads in 1, 3:
        counter = count_words(files, input="tokens", threads=threads, across_lines=True)
        joined, whole = counter.bigrams(1), counted([run])
        assert joined.words == whole.words
        assert joined.pairs().tolist() == whole.pairs().tolist()
    (tmp_path / "c.bigrams").touch()
    with pytest.raises(ClusterError, match="counted line by line"):
        count_words([tmp_path / "c.bigrams"], across_lines=True)


@pytest.mark.data
def test_clusters_of_danish_text_tell_as_much_as_those_of_the_usual_program() -> None:
    """1.588 bits: wcluster's 50 clusters of the first 2,000 lines, words that occur twice or more."""
    data = Path(os.environ.get("HEADWISE_DATA", Path(__file__).parents[2].parent / "shared"))
    text = data / "text" / "da-modern.txt.xz"
    if not text.exists():
        pytest.skip(f"{text} is not there")
    lines = [re.findall(r"\w+|[^\w\s]", line) for line in itertools.islice(read_lines(text), 2000)]
    assert brown_clusters(counted(lines, least=2), 50).information > 1.588


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
