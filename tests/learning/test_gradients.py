"""The gradients that learners follow are those of their objectives.

Weights and differences are multiples of 2⁻¹³, so that scores are exact in the float32 of the weight table and
losses can be compared at a distance of 2⁻¹³.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from headwise import Parser
from headwise._native import learning as native
from headwise._native.parsing import LABEL_ROW_PADDING
from headwise.learning import Listener
from headwise.learning.steps import follow
from headwise.training import TrainingSettings
from headwise.training.features import make_trainer
from headwise.training.learners import native_learner
from headwise.training.preparing import begun
from headwise.training.train import BEFORE_FEATURES
from headwise.treebank import Sentence
from headwise.trees.factorizations import PARTS
from toy_language import toy_treebank

GRID = 2.0**-13
ORDERS = list(PARTS)
CROSSING = Sentence.from_words(list("abcd"), upos=list("ABCD"), heads=[3, 4, 0, 3], labels=["x"] * 4)


@dataclass
class Problem:
    """A small training set as a function of its weights."""

    trainer: Any
    learner: native.Learner
    arcs: npt.NDArray[np.uint32]
    labels: npt.NDArray[np.uint32]

    @property
    def size(self) -> int:
        return len(self.arcs) + len(self.labels)

    def __call__(self, weights: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        arc_weights, label_weights = np.split(weights, [len(self.arcs)])
        loss, *gradients = self.trainer.objective(
            self.learner, self.arcs, arc_weights, self.labels, label_weights
        )
        return loss, np.concatenate(gradients)


def problem(sentences: list[Sentence], **options: Any) -> Problem:
    small = {
        "arc_bits": 14,
        "label_bits": 14,
        "pruning__bits": 12,
        "pruning__threshold": 1e-6,
        "pruning__heads": 4,
    }
    exact = {"learner": "log-linear", "gradient__negligible": 0.0, "gradient__cost": 0.0}
    settings = TrainingSettings().changed(**{**exact, **small, **options})
    run = follow(begun(sentences, None, settings, Listener()), BEFORE_FEATURES)
    trainer = make_trainer(run).trainer
    learner = native_learner(settings)
    return Problem(trainer, learner, *trainer.touched_weights(learner))  # type: ignore[attr-defined]


def on_grid(rng: np.random.Generator, size: int) -> npt.NDArray[np.float64]:
    return rng.integers(-1200, 1200, size) * GRID


def assert_is_gradient(objective: Problem, seed: int = 1) -> None:
    rng = np.random.default_rng(seed)
    weights = on_grid(rng, objective.size)
    _, gradient = objective(weights)
    assert np.abs(gradient).max() > 0.01
    for _ in range(4):
        direction = rng.integers(-1, 2, objective.size).astype(float)
        above, _ = objective(weights + GRID * direction)
        below, _ = objective(weights - GRID * direction)
        slope = (above - below) / (2 * GRID)
        assert gradient @ direction == pytest.approx(slope, rel=1e-4, abs=1e-3)


@pytest.mark.parametrize("labels", ["none", "separate", "joint"])
@pytest.mark.parametrize("factorization", ORDERS)
def test_log_likelihood_of_projective_trees(factorization: str, labels: str) -> None:
    assert_is_gradient(problem(toy_treebank(4, seed=3), factorization=factorization, labels=labels))


@pytest.mark.parametrize("labels", ["none", "joint"])
@pytest.mark.parametrize("trees", ["projective", "nonprojective"])
@pytest.mark.parametrize("root", ["single", "multi"])
def test_log_likelihood_of_arcs_and_labels(trees: str, root: str, labels: str) -> None:
    sentences = [*toy_treebank(3, seed=3), CROSSING]
    assert_is_gradient(problem(sentences, factorization="arc", trees=trees, root=root, labels=labels))


@pytest.mark.parametrize("labels", ["none", "joint"])
@pytest.mark.parametrize("factorization", ["sibling", "model1"])
def test_a_crossing_gold_tree_is_one_more_beside_the_projective_ones(factorization: str, labels: str) -> None:
    gold = CROSSING.with_tree(CROSSING.heads, ["x", "y", "root", "y"])
    crossing = problem([gold], factorization=factorization, trees="nonprojective", labels=labels)
    loss, _ = crossing(np.zeros(crossing.size))
    assert loss > 0
    assert_is_gradient(crossing)


@pytest.mark.parametrize("factorization", ["arc", "carreras"])
def test_softmax_margin(factorization: str) -> None:
    sentences = toy_treebank(4, seed=3)
    augmented = problem(sentences, factorization=factorization, gradient__cost=1.0, labels="none")
    plain = problem(sentences, factorization=factorization, labels="none")
    zeros = np.zeros(plain.size)
    assert augmented(zeros)[0] > plain(zeros)[0]
    assert_is_gradient(augmented)


@pytest.mark.parametrize("factorization", ["arc", "carreras", "model2"])
@pytest.mark.parametrize("labels", ["none", "separate", "joint"])
def test_structured_hinge(factorization: str, labels: str) -> None:
    """Piecewise linear: where the steps stay within a piece, differences are exact."""
    assert_is_gradient(
        problem(toy_treebank(4, seed=3), learner="max-margin", factorization=factorization, labels=labels)
    )


@pytest.mark.parametrize("trees", ["projective", "nonprojective"])
def test_the_loss_is_that_of_the_tree_library(trees: str) -> None:
    sentences = toy_treebank(4, seed=3)
    settings = TrainingSettings.preset("first", trees=trees, labels="none", arc_bits=14)
    config = begun(sentences, None, settings, Listener()).config
    objective = problem(sentences, factorization="arc", trees=trees, labels="none")
    weights = on_grid(np.random.default_rng(5), objective.size)
    table = np.zeros(1 << 14, np.float32)
    table[objective.arcs] = weights
    parser = Parser(config, {"arcs": table, "labels": np.zeros(LABEL_ROW_PADDING, np.float32)})
    expected = -sum(parser.distribution(s).log_prob(s.heads) for s in sentences)
    assert objective(weights)[0] == pytest.approx(expected, rel=1e-6)
