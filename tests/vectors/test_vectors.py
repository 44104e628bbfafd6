"""Vectors of words: files, training, and networks that read them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headwise import Parser
from headwise._native.clusters import WindowCounter
from headwise.base.errors import HeadwiseError
from headwise.reference.network import head_log_probabilities
from headwise.treebank import Sentence
from headwise.words.vectors import WordVectors, train_vectors
from toy_language import SMALL, toy_treebank


def window(lines: list[str], **options: int) -> tuple[list[str], dict[tuple[str, str, str], float]]:
    counter = WindowCounter()
    counter.add("\n".join(lines).encode())
    counts = counter.counts(**{"least": 1, "contexts": 100, "reach": 2, **options})
    begin, column, weight = counts.rows()
    half = counts.columns // 2
    cells = {}
    for row, word in enumerate(counts.words):
        for i in range(begin[row], begin[row + 1]):
            side, context = divmod(int(column[i]), half)
            cells[word, "left" if side == 0 else "right", counts.words[context]] = float(weight[i])
    return counts.words, cells


def test_windows_are_counted() -> None:
    words, cells = window(["a b c", "c a"])
    assert words == ["a", "c", "b"]
    assert cells == {
        ("a", "right", "b"): 2, ("a", "right", "c"): 1, ("a", "left", "c"): 2,
        ("b", "left", "a"): 2, ("b", "right", "c"): 2,
        ("c", "left", "b"): 2, ("c", "left", "a"): 1, ("c", "right", "a"): 2,
    }  # fmt: skip
    assert {context for _, _, context in window(["a b c", "c a"], contexts=1)[1]} == {"a"}


def test_vectors_are_singular_vectors_of_information() -> None:
    pytest.importorskip("scipy")
    rng = np.random.default_rng(1)
    lines = [" ".join(f"w{x}" for x in rng.zipf(1.6, 12).clip(max=40)) for _ in range(200)]
    counter = WindowCounter()
    counter.add("\n".join(lines).encode())
    trained = train_vectors(counter, width=5, min_count=1)
    counts = counter.counts(1, 5000, 2)
    begin, column, weight = counts.rows()
    dense = np.zeros((len(counts.words), counts.columns))
    for row in range(len(counts.words)):
        for i in range(begin[row], begin[row + 1]):
            dense[row, column[i]] = weight[i]
    context = dense.sum(axis=0) ** 0.75
    with np.errstate(divide="ignore", invalid="ignore"):
        information = np.log(dense / (dense.sum(axis=1, keepdims=True) * context / context.sum()))
    information = np.where(dense > 0, np.maximum(information, 0), 0)
    left, sizes, _ = np.linalg.svd(information, full_matrices=False)
    expected = left[:, :5] * np.sqrt(sizes[:5])
    np.testing.assert_allclose(np.abs(trained.numbers), np.abs(expected), atol=1e-4)
    again = train_vectors(counter, width=5, min_count=1)
    assert np.array_equal(trained.numbers, again.numbers)


def test_too_little_text_is_said_to_be() -> None:
    pytest.importorskip("scipy")
    counter = WindowCounter()
    counter.add(b"a b c")
    with pytest.raises(HeadwiseError, match="too few for vectors of 100"):
        train_vectors(counter, min_count=1)


def test_files_come_back(tmp_path: Path) -> None:
    vectors = WordVectors(["a", "b"], np.array([[1, 2], [3.5, -4]], np.float32))
    vectors.save(tmp_path / "v.txt.gz")
    loaded = WordVectors.load(tmp_path / "v.txt.gz")
    assert loaded.words == ["a", "b"]
    assert np.array_equal(loaded.numbers, vectors.numbers)
    (tmp_path / "glove.txt").write_text("a 1 2\nb 3.5 -4\n")
    assert np.array_equal(WordVectors.load(tmp_path / "glove.txt").numbers, vectors.numbers)
    assert WordVectors.load(tmp_path / "glove.txt", most=1).words == ["a"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("2 2\na 1 2\nb 1 2 3\n", ":3: 3 numbers, where the lines before have 2"),
        ("a 1 x\n", ":1: a word and its numbers"),
        ("a\n", ":1: a word and its numbers"),
        ("a 1 nan\n", "not finite"),
        ("", "no vectors"),
    ],
)
def test_broken_files_are_refused_by_line(tmp_path: Path, content: str, problem: str) -> None:
    (tmp_path / "v.txt").write_text(content)
    with pytest.raises(HeadwiseError, match=problem):
        WordVectors.load(tmp_path / "v.txt")


def test_nearest() -> None:
    vectors = WordVectors(["a", "b", "c"], np.array([[1, 0], [2, 0.1], [0, 1]], np.float32))
    assert [word for word, _ in vectors.nearest("a", 2)] == ["b", "c"]


@pytest.fixture(scope="module")
def with_vectors(tmp_path_factory: pytest.TempPathFactory) -> tuple[Parser, Parser, WordVectors]:
    """A parser without a network, one with a network that reads vectors, and these."""
    sentences = toy_treebank(60, seed=1)
    words = sorted({form for s in sentences for form in s.forms})
    vectors = WordVectors(words, np.random.default_rng(1).normal(size=(len(words), 7)).astype(np.float32))
    path = tmp_path_factory.mktemp("vectors") / "v.txt"
    vectors.save(path)
    options = {
        **SMALL,
        "preset": "third",
        "network__width": 16,
        "network__bits": 32,
        "calibrate": False,
    }
    options.pop("factorization", None)
    alone = Parser.train(sentences, **options)
    both = Parser.train(sentences, **options, network=True, words__vectors=str(path))
    return alone, both, WordVectors.load(path)


@pytest.mark.parametrize(("bits", "tolerance"), [(32, 2e-4), (8, 0.05)])
def test_scores_equal_the_reference(
    with_vectors: tuple[Parser, Parser, WordVectors], bits: int, tolerance: float
) -> None:
    alone, in_floats, vectors = with_vectors
    both = in_floats.with_network_bits(bits)
    weights = both.with_network_bits(32).weights
    config = both.config.network
    assert config is not None
    assert config.given == 7
    table = dict(zip(vectors.words, vectors.numbers, strict=True))
    scale = np.sqrt(np.mean(vectors.numbers**2))  # numbers are around 1 in the network
    shape = config.shape(both.weights["vocabulary"], len(both.config.labels))
    for sentence in [*toy_treebank(5, seed=2), Sentence.from_words(["brillig", "The"], upos=["NOUN", "DET"])]:
        given = np.zeros((len(sentence) + 1, 7))
        for i, form in enumerate(sentence.forms, 1):
            given[i] = table.get(form, table.get(form.lower(), np.zeros(7))) / scale
        expected = head_log_probabilities(
            config,
            weights["network"].astype(np.float64),
            weights["vectors"].astype(np.float64),
            shape.vector_rows(sentence),
            given,
        )
        scores, before = both.arc_scores(sentence), alone.arc_scores(sentence)
        kept = np.isfinite(before)
        said = scores[kept] - before[kept]
        np.testing.assert_allclose(said, config.weight * expected[kept], atol=tolerance)


def test_models_keep_their_vectors(with_vectors: tuple[Parser, Parser, WordVectors], tmp_path: Path) -> None:
    _, both, _ = with_vectors
    both.save(tmp_path / "m.hw")
    loaded = Parser.load(tmp_path / "m.hw")
    for sentence in toy_treebank(5, seed=3):
        assert np.array_equal(loaded.arc_scores(sentence), both.arc_scores(sentence))
