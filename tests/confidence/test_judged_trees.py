"""Probabilities of given trees: those of all trees sum to one, and what is no tree has none."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from headwise import Parser
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank


@pytest.mark.parametrize("preset", ["first", "second", "third"])
@pytest.mark.parametrize("trees", ["projective", "nonprojective"])
@pytest.mark.parametrize("root", ["single", "multi"])
def test_all_heads_sum_to_one(preset: str, trees: str, root: str) -> None:
    if preset != "first" and trees == "nonprojective":
        pytest.skip("probabilities are estimates there")
    options = {k: v for k, v in SMALL.items() if k not in ("factorization", "trees", "root", "preset")}
    settings = {"preset": preset, "trees": trees, "root": root, "calibrate": False, "pruning__threshold": 0.0}
    if preset == "first":
        settings.pop("pruning__threshold")
    parser = Parser.train(toy_treebank(15, seed=1), **{**options, **settings})
    forms, tags = ["the", "dog", "sees"], ["DET", "NOUN", "VERB"]
    total, possible = 0.0, 0
    for heads in product(range(4), repeat=3):
        if any(head == word for word, head in enumerate(heads, 1)):
            continue
        sentence = Sentence.from_words(forms, upos=tags, heads=np.array(heads), labels=["dep"] * 3)
        log_prob = next(iter(parser.judge([sentence]))).log_prob
        assert log_prob is not None
        possible += log_prob > -math.inf
        total += math.exp(log_prob)
    assert total == pytest.approx(1.0, abs=1e-6)
    assert possible > 1
