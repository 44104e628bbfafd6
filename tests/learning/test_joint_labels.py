"""Labels in the search of larger parts: the loss is a sum over all labelled trees."""

from __future__ import annotations

import numpy as np
import pytest
from test_gradients import assert_is_gradient, on_grid, problem

from headwise import Parser
from headwise._native.parsing import LABEL_ROW_PADDING
from headwise.learning import Listener
from headwise.training import TrainingSettings
from headwise.training.preparing import begun
from headwise.treebank import Sentence
from headwise.trees.factorizations import PARTS
from labelled_trees import LabelledTrees
from toy_language import toy_treebank

SHORT = [
    Sentence.from_words(
        ["the", "dog", "sees", "it"],
        upos=["DET", "NOUN", "VERB", "NOUN"],
        heads=[2, 3, 0, 3],
        labels=["det", "nsubj", "root", "obj"],
    ),
    Sentence.from_words(
        ["see", "the", "dog"], upos=["VERB", "DET", "NOUN"], heads=[0, 3, 1], labels=["root", "det", "nsubj"]
    ),
]
ALL_ARCS = {"pruning__threshold": 1e-12, "pruning__heads": 10}


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("factorization", list(PARTS)[1:])
def test_the_loss_is_that_of_all_labelled_trees(factorization: str, known: bool) -> None:
    """Where the head of a word is not known, that of all those with the heads and labels that are."""
    last = SHORT[0]
    if not known:
        last = last.with_tree(np.array([2, -1, 0, 3], np.int32), ["det", "_", "root", "obj"])
    sentences = [last, SHORT[1]]
    changes = {"factorization": factorization, "labels": "joint", "roles": False, **ALL_ARCS}
    objective = problem(sentences, **changes)
    weights = on_grid(np.random.default_rng(5), objective.size)
    tables = {
        "arcs": np.zeros(1 << 14, np.float32),
        "labels": np.zeros((1 << 14) + LABEL_ROW_PADDING, np.float32),
        "pruner": np.zeros(1 << 12, np.float32),
    }
    tables["arcs"][objective.arcs], tables["labels"][objective.labels] = np.split(
        weights, [len(objective.arcs)]
    )
    bits = {"arc_bits": 14, "label_bits": 14, "pruning__bits": 12, "learner": "log-linear"}
    settings = TrainingSettings().changed(**bits, **changes)
    config = begun(sentences, None, settings, Listener()).config
    parser = Parser(config, tables)
    expected = 0.0
    for sentence in sentences:
        trees = LabelledTrees(parser, sentence)
        expected += float(np.logaddexp.reduce(trees.log_sums()))
        trees.keep(
            sentence.heads.tolist(), [config.labels.index(x) if x != "_" else -1 for x in sentence.labels]
        )
        expected -= float(np.logaddexp.reduce(trees.log_sums()))
    assert objective(weights)[0] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("factorization", ["carreras", "model1"])
def test_gradient_of_latent_labels(factorization: str) -> None:
    latent = {"labels": "latent", "latent__clusters": 3}
    assert_is_gradient(problem(toy_treebank(4, seed=3), factorization=factorization, **latent))
