"""The gradient of the log-linear model against finite differences of its loss."""

from __future__ import annotations

import numpy as np
import pytest

from headwise._native.tagging import SequenceShape, SequenceTrainer
from headwise.treebank import Sentence

TAGS = Sentence.from_words(["A|x", "B|x", "B|y"], upos=["A", "B", "B"], feats=["_", "F=1|G=1", "F=2|G=1"])
WITH_HISTORY = [
    "w.form t.tag",
    "w.suffix1 t.tag t.feat",
    "u.form t.form",
    "v.tag u.tag t.tag",
    "w+1.form u.tag t.tag",
]
WITHOUT_HISTORY = ["w.form t.form", "w-1.form t.tag", "w.suffix2 t.tag t.feat"]


@pytest.mark.parametrize("templates", [WITH_HISTORY, WITHOUT_HISTORY], ids=["sequence", "classifier"])
def test_gradient_is_the_slope_of_the_loss(templates: list[str]) -> None:
    trainer = SequenceTrainer(SequenceShape(TAGS, templates, 8), "log-linear", 0.1, 0.0)
    sentence = Sentence.from_words(["ab", "cb", "ab", "d"])
    trainer.add(sentence, [[0, 1, 2], [1, 2], [0, 2], [1]], [2, 1, 0, 1], [0.0] * 4)
    state = trainer.state()
    rng = np.random.default_rng(1)
    weights = rng.normal(size=256).astype(np.float32)

    def loss(changed: np.ndarray) -> float:
        trainer.restore({**state, "sequence.weights": changed.astype(np.float32)})
        return trainer.gradient(0)[0]

    loss(weights)
    _, indices, values = trainer.gradient(0)
    gradient = np.zeros(256)
    np.add.at(gradient, indices, values)
    assert np.count_nonzero(gradient) > 10
    step = 2.0**-7  # exact in float32, as the weights are
    for index in np.unique(indices):
        change = np.zeros(256, np.float32)
        change[index] = step
        slope = (loss(weights + change) - loss(weights - change)) / (2 * step)
        assert gradient[index] == pytest.approx(slope, abs=2e-4)
