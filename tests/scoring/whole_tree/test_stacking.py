"""Features of whole trees in a parser: training on top of others, jointly, decoding, the model file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headwise import Parser
from headwise.base.errors import HeadwiseError
from headwise.training import TrainingSettings
from headwise.treebank import is_projective
from toy_language import toy_treebank

FAMILIES = ("valency", "span_length", "any_sibling", "head_bigram")
OPTIONS = {
    "preset": "third",
    "calibrate": False,
    "epochs": 2,
    "arc_bits": 16,
    "label_bits": 14,
    "whole_tree__bits": 14,
    "whole_tree__families": FAMILIES,
}


@pytest.fixture(scope="module")
def stacked() -> Parser:
    return Parser.train(toy_treebank(60, seed=1), **OPTIONS)


def test_the_parser_is_the_one_without_them_and_a_table(stacked: Parser) -> None:
    plain = Parser.train(toy_treebank(60, seed=1), **(OPTIONS | {"whole_tree__families": ()}))
    assert np.array_equal(plain.weights["arcs"], stacked.weights["arcs"])
    assert "whole_tree" not in plain.weights
    assert stacked.weights["whole_tree"].shape == (1 << 14,)
    assert np.any(stacked.weights["whole_tree"])


def test_it_parses_and_promises_nothing(stacked: Parser) -> None:
    unseen = toy_treebank(40, seed=2)
    parses = list(stacked.pipe(unseen))
    assert np.mean([np.mean(p.heads == p.sentence.heads) for p in parses]) > 0.95
    assert not any(p.exact for p in parses)
    assert stacked.config.projective
    assert all(is_projective(p.heads) for p in parses)
    assert [p.heads.tolist() for p in stacked.pipe(unseen, threads=2, batch_size=3)] == [
        p.heads.tolist() for p in parses
    ]


def test_probabilities_are_those_of_the_other_parts(stacked: Parser) -> None:
    parse = next(stacked.pipe(toy_treebank(1, seed=4), confidence=True))
    assert parse.confidence is not None
    assert not parse.exact
    assert np.all((parse.confidence >= 0) & (parse.confidence <= 1))


def test_a_saved_model_is_the_same(stacked: Parser, tmp_path: Path) -> None:
    stacked.save(tmp_path / "model.hw")
    again = Parser.load(tmp_path / "model.hw")
    sentence = toy_treebank(1, seed=5)[0]
    assert again(sentence).score == stacked(sentence).score
    assert again.config == stacked.config


@pytest.mark.parametrize("decoder", ["minimum-risk", "exact-ilp"])
def test_decoders_that_cannot_see_them_say_so(stacked: Parser, decoder: str) -> None:
    with pytest.raises(HeadwiseError, match="features of whole trees"):
        next(stacked.pipe(toy_treebank(1, seed=4), decoder=decoder))


@pytest.mark.parametrize("decoder", ["map", "climb", "sample"])
def test_joint_learning_and_crossing_trees(decoder: str) -> None:
    parser = Parser.train(
        toy_treebank(60, seed=1),
        **OPTIONS,
        whole_tree__learning="joint",
        trees="nonprojective",
        whole_tree__restarts=2,
    )
    parses = list(parser.pipe(toy_treebank(30, seed=2), decoder=decoder))
    assert np.mean([np.mean(p.heads == p.sentence.heads) for p in parses]) > 0.95


def test_they_are_left_out_where_they_do_not_help_on_dev() -> None:
    """A parser that makes no mistakes on the development set cannot be helped."""
    sentences = toy_treebank(120, seed=1)
    dev = sentences[:5]
    parser = Parser.train(sentences, dev, **OPTIONS | {"epochs": 4})
    plain = Parser.train(sentences, dev, **OPTIONS | {"epochs": 4, "whole_tree__families": ()})
    right = all(np.array_equal(p.heads, p.sentence.heads) for p in plain.pipe(dev))
    assert right
    assert parser.config.whole_tree.families == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"whole_tree__families": ("valence",)}, "no family"),
        ({"factorization": "arc"}, "above 'arc'"),
        ({"learner": "log-linear"}, "a learner of"),
        ({"whole_tree__restarts": -1}, "must be from 0 to"),
        ({"whole_tree__folds": 1}, "at least 2"),
        ({"whole_tree__epochs": 0}, "at least 1"),
        ({"whole_tree__bits": 40}, "from 4 to 28"),
        ({"whole_tree__aggressiveness": 0.0}, "must be positive"),
    ],
)
def test_settings_that_cannot_be(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainingSettings.preset(**{"whole_tree__families": FAMILIES, **changes})


def test_the_preset_leaves_them_out_for_learners_that_cannot_learn_them() -> None:
    assert TrainingSettings.preset("full").whole_tree.families
    assert not TrainingSettings.preset("full", learner="log-linear").whole_tree.families
    first = TrainingSettings.preset("full", factorization="arc")
    assert not first.whole_tree.families
    assert first.runs == 1
