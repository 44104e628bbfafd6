"""Latent labels of arcs (Smith and Smith 2007, section 5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_gradients import CROSSING, assert_is_gradient, problem

from headwise import HeadwiseError, Parser
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from toy_language import toy_treebank

LATENT: dict[str, Any] = {
    "preset": "first",
    "labels": "latent",
    "learner": "log-linear",
    "arc_bits": 14,
    "label_bits": 14,
    "epochs": 4,
}


@pytest.mark.parametrize("trees", ["projective", "nonprojective"])
def test_gradient_of_the_marginal_likelihood(trees: str) -> None:
    sentences = [*toy_treebank(3, seed=3), CROSSING]
    assert_is_gradient(
        problem(sentences, factorization="arc", trees=trees, labels="latent", latent__clusters=3)
    )


@pytest.fixture(scope="module")
def parser() -> Parser:
    unlabelled = [s.with_tree(s.heads, ["_"] * len(s)) for s in toy_treebank(150, seed=1)]
    return Parser.train(unlabelled, **LATENT, latent__clusters=4)


def test_trees_and_clusters_are_learned_from_an_unlabelled_treebank(parser: Parser) -> None:
    parses = list(parser.pipe(toy_treebank(40, seed=2)))
    assert np.mean(np.concatenate([p.heads == p.sentence.heads for p in parses])) > 0.95
    used = {label for p in parses for label in p.labels}
    assert used <= {"z1", "z2", "z3", "z4"}
    assert len(used) > 1


def test_the_best_epoch_is_that_of_the_heads() -> None:
    """Labels that the treebank does not have say nothing of how good an epoch was."""
    trained = Parser.train(
        toy_treebank(6, seed=1),
        toy_treebank(60, seed=2),
        **{**LATENT, "gradient__step": 0.01},
        latent__clusters=2,
    )
    accuracies = [epoch["dev"]["uas"] for epoch in trained.config.training["history"]]
    assert accuracies[0] < max(accuracies)
    assert trained.config.training["best_epoch"] == 1 + accuracies.index(max(accuracies))
    assert trained.config.calibration.label_background == 0


def test_map_sums_over_labels_and_max_z_takes_the_best() -> None:
    sentences = toy_treebank(10, seed=1)
    trained = Parser.train(sentences, **{**LATENT, "epochs": 1}, latent__clusters=3)
    rng = np.random.default_rng(2)
    tables = {name: 0.3 * rng.normal(size=len(w)).astype(np.float32) for name, w in trained.weights.items()}
    parser = Parser(trained.config, tables)
    trees = {
        d: [p.heads.tolist() for p in parser.pipe(sentences, decoder=d)]
        for d in ("map", "max-z", "minimum-risk")
    }
    assert trees["map"] != trees["max-z"]
    assert trees["map"] != trees["minimum-risk"]
    for sentence, heads in zip(sentences, trees["map"], strict=True):
        assert parser.distribution(sentence).argmax().tree.heads.tolist() == heads


def test_the_start_depends_on_the_seed_and_clusters_come_to_differ(parser: Parser) -> None:
    sentences = toy_treebank(20, seed=1)
    again = [
        Parser.train(sentences, **{**LATENT, "epochs": 1}, seed=seed).weights["labels"] for seed in (1, 1, 2)
    ]
    assert np.array_equal(again[0], again[1])
    assert not np.array_equal(again[0], again[2])


def test_models_are_saved_and_loaded(parser: Parser, tmp_path: Path) -> None:
    parser.save(tmp_path / "m.hw")
    loaded = Parser.load(tmp_path / "m.hw")
    sentence = toy_treebank(1, seed=5)[0]
    assert loaded(sentence).labels == parser(sentence).labels


def test_max_z_is_for_latent_labels_only(train_sentences: list[Sentence]) -> None:
    plain = Parser.train(train_sentences[:10], preset="first", arc_bits=14, label_bits=14, epochs=1)
    with pytest.raises(HeadwiseError, match="max-z"):
        list(plain.pipe(train_sentences[:1], decoder="max-z"))
    with pytest.raises(ValueError, match="needs learner='log-linear'"):
        TrainingSettings.preset("first", labels="latent")
