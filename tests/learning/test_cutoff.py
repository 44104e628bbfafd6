"""Features that are too rare in gold trees are not learned."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from headwise import Parser
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from toy_language import toy_treebank

SENTENCES = toy_treebank(30, seed=1)


def trained(cutoff: int, **options: object) -> Parser:
    chosen = {
        "preset": "first",
        "epochs": 3,
        "arc_bits": 16,
        "label_bits": 14,
        "trees": "projective",
        "calibrate": False,
        **options,
    }
    return Parser.train(SENTENCES, cutoff=cutoff, **chosen)


def occurrences(parser: Parser, sentences: list[Sentence]) -> Counter[int]:
    return Counter(
        int(feature)
        for s in sentences
        for modifier, head in enumerate(s.heads.tolist(), 1)
        for feature in parser.native.arc_features(s, head, modifier)
    )


@pytest.mark.parametrize("learner", ["mira", "perceptron", "log-linear"])
def test_only_frequent_features_have_weights(learner: str) -> None:
    whole = trained(0, learner=learner)
    seen = occurrences(whole, SENTENCES)
    for cutoff in (1, 3):
        parser = trained(cutoff, learner=learner)
        learned = np.flatnonzero(parser.weights["arcs"])
        assert len(learned) > 0
        assert all(seen[int(feature)] >= cutoff for feature in learned)
    assert any(seen[int(feature)] == 0 for feature in np.flatnonzero(whole.weights["arcs"]))


@pytest.mark.parametrize("preset", ["second", "third"])
def test_larger_parts_too(preset: str) -> None:
    parsers = [trained(cutoff, preset=preset) for cutoff in (0, 2, 10_000)]
    learned = [np.count_nonzero(parser.weights["arcs"]) for parser in parsers]
    assert learned[0] > learned[1] > learned[2] == 0


def test_one_step_still_closes_the_margin() -> None:
    """MIRA's step is as long as it takes with the features that can move."""
    one = SENTENCES[:1]
    options = {
        "epochs": 1,
        "aggressiveness": 1e9,
        "preset": "first",
        "arc_bits": 16,
        "label_bits": 14,
        "trees": "projective",
    }
    parser = Parser.train(one, cutoff=1, calibrate=False, labels="none", **options)
    assert parser(one[0]).heads.tolist() == one[0].heads.tolist()


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="online"):
        TrainingSettings.preset("first", learner="log-linear", optimizer="l-bfgs", cutoff=2)
    with pytest.raises(ValueError, match="negative"):
        TrainingSettings.preset("first", cutoff=-1)
