"""What the gold tree is compared with in training: climbed trees, and heads chosen one by one."""

from __future__ import annotations

import numpy as np
import pytest

from headwise import Parser
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from toy_language import toy_treebank

OPTIONS = {"labels": "none", "calibrate": False, "arc_bits": 16, "label_bits": 14, "epochs": 3}


def accuracy(parser: Parser, *, independent: bool = False) -> float:
    unseen = toy_treebank(40, seed=2)
    if not independent:
        return float(np.mean([np.mean(p.heads == p.sentence.heads) for p in parser.pipe(unseen)]))
    chosen = [parser.arc_scores(sentence)[:, 1:].argmax(axis=0) for sentence in unseen]
    return float(np.mean([np.mean(heads == s.heads) for heads, s in zip(chosen, unseen, strict=True)]))


@pytest.mark.parametrize("learner", ["mira", "perceptron"])
def test_heads_can_be_learned_one_by_one(learner: str) -> None:
    parser = Parser.train(
        toy_treebank(80, seed=1), preset="first", rival="independent", learner=learner, **OPTIONS
    )
    assert accuracy(parser, independent=True) > 0.9


def test_a_first_step_is_away_from_the_best_heads() -> None:
    """One uncapped step of MIRA: gold heads then beat the ones chosen with costs by the number of wrong ones.

    With no weights yet, every wrong head costs one; of equals the first is chosen.
    """
    sentence: Sentence = toy_treebank(1, seed=3)[0]
    options = {**OPTIONS, "epochs": 1, "arc_bits": 20, "label_bits": 14, "aggressiveness": 1e9}
    parser = Parser.train([sentence], preset="first", rival="independent", trees="nonprojective", **options)
    start = Parser(parser.config, {**parser.weights, "arcs": np.zeros_like(parser.weights["arcs"])})
    costs = np.where(np.isfinite(start.arc_scores(sentence)), 1.0, -np.inf)
    words = np.arange(1, len(sentence) + 1)
    costs[sentence.heads, words] = 0.0
    rival = costs[:, 1:].argmax(axis=0)
    scores = parser.arc_scores(sentence)
    margin = float(scores[sentence.heads, words].sum() - scores[rival, words].sum())
    assert margin == pytest.approx(float(np.count_nonzero(rival != sentence.heads)), rel=1e-4)


def test_climbed_trees_teach_as_much() -> None:
    train = toy_treebank(60, seed=1)
    parser = Parser.train(train, preset="third", rival="climbed", **OPTIONS)
    assert not parser.config.projective
    assert accuracy(parser) > 0.95
    again = Parser.train(train, preset="third", rival="climbed", **OPTIONS)
    assert np.array_equal(parser.weights["arcs"], again.weights["arcs"])
    best = Parser.train(train, preset="third", trees="nonprojective", **OPTIONS)
    assert not np.array_equal(parser.weights["arcs"], best.weights["arcs"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"preset": "third", "rival": "independent"}, "arcs alone"),
        ({"preset": "first", "rival": "climbed"}, "above 'arc'"),
        ({"preset": "third", "rival": "climbed", "trees": "projective"}, "may cross"),
        ({"preset": "third", "rival": "relaxed", "learner": "log-linear"}, "needs learner"),
    ],
)
def test_settings_that_cannot_be(changes: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainingSettings.preset(**changes)
