"""Learning from chains of samples (Zhang et al. 2014, Figures 4 and 8)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headwise import Parser
from headwise.learning import EpochReport, Listener
from headwise.training import TrainingSettings, train_parser
from toy_language import toy_treebank

OPTIONS = {"preset": "third", "learner": "samplerank", "labels": "none", "calibrate": False, "epochs": 3}


def accuracy(parser: Parser) -> float:
    unseen = toy_treebank(40, seed=2)
    hits = [np.mean(parse.heads == parse.sentence.heads) for parse in parser.pipe(unseen)]
    return float(np.mean(hits))


@pytest.mark.parametrize("constraints", ["both", "pairs", "gold"])
def test_each_kind_of_constraint_learns(constraints: str) -> None:
    parser = Parser.train(toy_treebank(60, seed=1), sampling__constraints=constraints, **OPTIONS)
    assert not parser.config.projective  # samples are of trees whose arcs may cross
    assert accuracy(parser) > 0.95


def test_the_same_seed_gives_the_same_weights_and_constraints_matter() -> None:
    def weights(**changes: str) -> np.ndarray:
        return np.asarray(Parser.train(toy_treebank(20, seed=1), **OPTIONS, **changes).weights["arcs"])

    assert np.array_equal(weights(), weights())
    assert not np.array_equal(weights(), weights(sampling__constraints="gold"))


def test_it_learns_features_of_whole_trees_too() -> None:
    families = ("valency", "span_length", "any_sibling")
    parser = Parser.train(toy_treebank(60, seed=1), whole_tree__families=families, **OPTIONS)
    assert accuracy(parser) > 0.95
    parse = parser(toy_treebank(1, seed=3)[0])
    assert not parse.exact


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"factorization": "arc", "labels": "joint"}, "without labels"),
        ({"trees": "projective"}, "may cross"),
        ({"rival": "relaxed"}, "its own rivals"),
        ({"sampling__samples_a_word": 0}, "at least 1"),
        ({"sampling__constraints": "none"}, "must be one of"),
    ],
)
def test_settings_that_cannot_be(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainingSettings.preset(learner="samplerank", **changes)


def test_it_learns_at_first_order_too() -> None:
    options = {**OPTIONS, "preset": "first", "arc_bits": 16, "label_bits": 14}
    assert accuracy(Parser.train(toy_treebank(80, seed=1), **options)) > 0.9


def test_chains_can_go_on_from_epoch_to_epoch() -> None:
    """One epoch is the same; after it chains are elsewhere than new ones would be."""

    def weights(**changes: object) -> np.ndarray:
        options = {**OPTIONS, "arc_bits": 14, "label_bits": 14, **changes}
        return np.asarray(Parser.train(toy_treebank(20, seed=1), **options).weights["arcs"])

    assert np.array_equal(weights(epochs=1), weights(epochs=1, sampling__keep_chains=True))
    kept = weights(epochs=2, sampling__keep_chains=True)
    assert not np.array_equal(weights(epochs=2), kept)
    assert np.array_equal(kept, weights(epochs=2, sampling__keep_chains=True))
    assert accuracy(Parser.train(toy_treebank(60, seed=1), **OPTIONS, sampling__keep_chains=True)) > 0.95


def test_a_run_that_goes_on_keeps_its_chains(tmp_path: Path) -> None:
    settings = TrainingSettings.preset(
        **{**OPTIONS, "arc_bits": 14, "label_bits": 14, "sampling__keep_chains": True}
    )
    sentences = toy_treebank(20, seed=1)
    whole = train_parser(sentences, None, settings)

    def stop(report: EpochReport) -> None:
        if report.epoch == 2:
            raise RuntimeError("killed")

    path = tmp_path / "model.hw"
    with pytest.raises(RuntimeError, match="killed"):
        train_parser(sentences, None, settings, listener=Listener(epoch=stop), model_path=path)
    resumed = train_parser(sentences, None, settings, model_path=path, resume=True)
    assert np.array_equal(whole.weights["arcs"], resumed.weights["arcs"])
