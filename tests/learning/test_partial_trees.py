"""Learning from trees in which some words have no head."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_gradients import CROSSING, assert_is_gradient, on_grid, problem

from command_runner import CliRunner
from headwise import HeadwiseError, Parser
from headwise.cli.app import app
from headwise.learning import Listener
from headwise.training import TrainingSettings, train_parser
from headwise.training.partial import without_crossings
from headwise.treebank import Sentence
from toy_language import toy_treebank

SMALL = {"preset": "third", "arc_bits": 14, "label_bits": 14, "pruning__bits": 14, "epochs": 3}


def forgetful(sentences: list[Sentence], share: float, seed: int = 1) -> list[Sentence]:
    """The sentences without some of their heads."""
    rng = np.random.default_rng(seed)
    forgotten = [rng.random(len(s)) < share for s in sentences]
    return [
        s.with_tree(
            np.where(lost, -1, s.heads).astype(np.int32),
            ["_" if gone else label for gone, label in zip(lost, s.labels, strict=True)],
        )
        for s, lost in zip(sentences, forgotten, strict=True)
    ]


@pytest.mark.parametrize(
    ("factorization", "trees"), [("arc", "projective"), ("arc", "nonprojective"), ("model1", "projective")]
)
@pytest.mark.parametrize("labels", ["none", "separate"])
def test_gradient(factorization: str, trees: str, labels: str) -> None:
    sentences = [*forgetful(toy_treebank(4, seed=3), 0.4), CROSSING]
    assert_is_gradient(problem(sentences, factorization=factorization, trees=trees, labels=labels))


@pytest.mark.parametrize("factorization", ["arc", "carreras", "model1"])
def test_gradient_with_joint_labels(factorization: str) -> None:
    sentences = forgetful(toy_treebank(4, seed=3), 0.4)
    assert_is_gradient(problem(sentences, factorization=factorization, labels="joint"))


@pytest.mark.parametrize("trees", ["projective", "nonprojective"])
def test_the_loss_is_minus_the_log_of_the_sum_over_completions(trees: str) -> None:
    whole = toy_treebank(1, seed=3)[0]
    partial = forgetful([whole], 0.5)[0]
    objective = problem([partial], factorization="arc", trees=trees, labels="none")
    everything = problem([whole], factorization="arc", trees=trees, labels="none")
    assert set(objective.arcs) <= set(range(1 << 14))
    loss, _ = objective(np.zeros(objective.size))
    known, _ = everything(np.zeros(everything.size))
    assert 0 < loss < known
    nothing = problem(
        [whole.with_tree(np.full(len(whole), -1, np.int32), ["_"] * len(whole)), whole],
        factorization="arc",
        trees=trees,
        labels="none",
    )
    alone = problem([whole], factorization="arc", trees=trees, labels="none")
    # A tree of which nothing is known teaches nothing.
    weights = on_grid(np.random.default_rng(1), nothing.size)
    both, _ = nothing(weights)
    table = dict(zip(nothing.arcs.tolist(), weights.tolist(), strict=True))
    single, _ = alone(np.array([table.get(i, 0.0) for i in alone.arcs.tolist()]))
    assert both == pytest.approx(single, abs=1e-6)


@pytest.mark.parametrize("factorization", ["arc", "carreras"])
def test_half_the_heads_teach_the_toy_language(factorization: str) -> None:
    sentences = forgetful(toy_treebank(200, seed=1), 0.5)
    options: dict[str, Any] = {"factorization": factorization, "learner": "log-linear", **SMALL}
    parser = Parser.train(sentences, **options)
    parses = list(parser.pipe(toy_treebank(40, seed=2)))
    assert np.mean(np.concatenate([p.heads == p.sentence.heads for p in parses])) > 0.95
    labels = [a == b for p in parses for a, b in zip(p.labels, p.sentence.labels, strict=True)]
    assert np.mean(labels) > 0.9
    assert "_" not in parser.config.labels


def test_other_learners_name_the_word(tmp_path: Path) -> None:
    sentences = forgetful(toy_treebank(5, seed=1), 0.5)
    for learner, optimizer in [("mira", "online"), ("max-margin", "online"), ("log-linear", "eg")]:
        with pytest.raises(HeadwiseError, match=r"word \d+ has no head"):
            Parser.train(sentences, learner=learner, optimizer=optimizer, **SMALL)


def test_the_command_line_takes_them(tmp_path: Path) -> None:
    path, model = tmp_path / "partial.conllu", tmp_path / "m.hw"
    path.write_text("".join(map(str, forgetful(toy_treebank(30, seed=1), 0.3))), encoding="utf-8")
    arguments = [
        "train",
        str(path),
        "-o",
        str(model),
        "--factorization",
        "arc",
        "--epochs",
        "2",
        "--arc-bits",
        "14",
    ]
    refused = CliRunner().invoke(app, arguments)
    assert refused.exit_code == 1
    taken = CliRunner().invoke(app, [*arguments, "--learner", "log-linear"])
    assert taken.exit_code == 0, taken.output
    assert "trees are partial" in taken.output
    assert model.exists()


def test_crossing_arcs_are_forgotten_longest_first() -> None:
    assert without_crossings(np.array([3, 1, -1, 3, -1], np.int32)).tolist() == [3, 1, -1, 3, -1]
    assert without_crossings(np.array([-1, 5, 1, -1, -1], np.int32)).tolist() == [-1, -1, 1, -1, -1]


def test_trees_that_cannot_be_completed_are_left_out_and_counted() -> None:
    """No two arcs cross, but word 3 could only hang below its own descendants."""
    impossible = Sentence.from_words(
        list("abcde"), upos=["X"] * 5, heads=[-1, 5, -1, -1, 3], labels=["x"] * 5
    )
    messages: list[str] = []
    settings = TrainingSettings.preset(
        "first", learner="log-linear", trees="projective", arc_bits=14, epochs=1
    )
    train_parser(
        [*toy_treebank(5, seed=1), impossible], None, settings, listener=Listener(message=messages.append)
    )
    assert "1 partial trees cannot be completed, and are left out" in messages


@pytest.mark.parametrize("factorization", ["arc", "carreras", "model1"])
def test_partial_trees_whose_known_arcs_cross(factorization: str) -> None:
    """Above first order sums are over projective trees, of which none has all the known heads."""
    crossing = Sentence.from_words(
        list("abcde"), upos=["X"] * 5, heads=[3, 4, 0, 1, -1], labels=["x"] * 4 + ["_"]
    )
    sentences = [*toy_treebank(5, seed=1), crossing]
    options: dict[str, Any] = {"factorization": factorization, "learner": "log-linear", **SMALL}
    parser = Parser.train(sentences, trees="nonprojective", calibrate=False, **options)
    assert parser.config.training["sentences"] == len(sentences)
    assert np.isfinite(parser.weights["arcs"]).all()
