"""benchmarks/tensor.py from end to end, on a toy language, and the vectors that it makes."""

from __future__ import annotations

import lzma

import numpy as np
from test_benchmark_experiments import rows_below

import tensor as benchmark
from headwise.words.vectors import WordVectors
from text_vectors import write_text_vectors
from toy_language import WORDS, toy_treebank


def toy_text(path):
    with lzma.open(path, "wt", encoding="utf-8") as file:
        for sentence in toy_treebank(300, seed=4):
            file.write(" ".join(sentence.forms) + "\n")


def test_it_fills_its_tables(treebank_folder, tmp_path, monkeypatch):
    output = tmp_path / "tensor.md"
    monkeypatch.setattr(benchmark, "TEXTS", {"": "toy"})  # the language of a folder called Toy
    monkeypatch.setattr(benchmark, "DATA", tmp_path)
    (tmp_path / "text").mkdir()
    toy_text(tmp_path / "text" / "toy.txt.xz")
    arguments = ["--quick", "--orders", "first", "--queries", "dog", "--vectors", str(tmp_path / "vectors")]
    benchmark.main([str(treebank_folder), *arguments, "-o", str(output)])
    text = output.read_text()
    assert rows_below(text, "first and third order (Table 2)") == ["Toy", "Toy"]
    assert rows_below(text, "vectors of words (Table 3)") == ["Toy", "Toy"]
    assert rows_below(text, "without tags (Table 4)") == ["Toy", "Toy"]
    assert rows_below(text, "neighbours (Table 5)") == ["Toy"]
    assert rows_below(text, "time (Table 6)") == ["Toy"]
    assert rows_below(text, "UAS by epoch and γ, McDonald's features (Figure 1)") == ["1", "2"]
    assert (tmp_path / "tensor-shares.svg").exists()


def test_words_of_a_kind_have_like_vectors(tmp_path):
    toy_text(tmp_path / "toy.txt.xz")
    write_text_vectors(tmp_path / "toy.txt.xz", tmp_path / "toy.vec", width=5)
    vectors = WordVectors.load(tmp_path / "toy.vec")
    units = vectors.numbers / np.linalg.norm(vectors.numbers, axis=1, keepdims=True)
    rows = dict(zip(vectors.words, units, strict=True))

    def likeness(first, second):
        pairs = [(rows[a], rows[b]) for a in WORDS[first] for b in WORDS[second] if a != b]
        return np.mean([a @ b for a, b in pairs])

    assert likeness("NOUN", "NOUN") > likeness("NOUN", "VERB") + 0.5
