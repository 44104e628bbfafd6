"""Several runs, averaged."""

from __future__ import annotations

import numpy as np
import pytest

from headwise import Parser
from headwise.learning.loop import NEXT_SEED
from headwise.training import TrainingSettings
from toy_language import toy_treebank

OPTIONS = {
    "preset": "third",
    "factorization": "model1",
    "roles": False,
    "epochs": 2,
    "arc_bits": 14,
    "label_bits": 14,
    "calibrate": False,
    "pruning__bits": 14,
}


def test_the_weights_are_the_mean_of_the_runs() -> None:
    sentences = toy_treebank(40, seed=1)
    both = Parser.train(sentences, runs=2, **OPTIONS)
    first = Parser.train(sentences, **OPTIONS)
    # The pruner depends on the seed as well (as roles would); with arcs that all survive, nothing else does.
    other = Parser.train(sentences, pruning__threshold=0.0, pruning__heads=99, seed=1 + NEXT_SEED, **OPTIONS)
    kept = Parser.train(sentences, pruning__threshold=0.0, pruning__heads=99, runs=2, **OPTIONS)
    alone = Parser.train(sentences, pruning__threshold=0.0, pruning__heads=99, **OPTIONS)
    for table in ("arcs", "labels"):
        mean = (alone.weights[table] + other.weights[table]) / 2
        assert np.allclose(kept.weights[table], mean, atol=1e-6)
    assert not np.array_equal(both.weights["arcs"], first.weights["arcs"])


def test_runs_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="runs is 0"):
        TrainingSettings(runs=0)
    with pytest.raises(ValueError, match="above 'arc'"):
        TrainingSettings(runs=2, factorization="arc")
    with pytest.raises(ValueError, match="online"):
        TrainingSettings(runs=2, learner="log-linear", optimizer="eg")
