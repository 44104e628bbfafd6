"""Different optimizers of one convex objective end at one optimum."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from headwise import HeadwiseError, Parser
from headwise.learning import EpochReport, Listener
from headwise.learning.batch import Objective, run_batch
from headwise.learning.steps import follow
from headwise.reference import all_trees
from headwise.training import TrainingSettings, train_parser
from headwise.training.features import Prepared, make_trainer
from headwise.training.learners import likelihood_learner, native_learner
from headwise.training.preparing import begun
from headwise.training.train import BEFORE_FEATURES
from headwise.treebank import Sentence
from toy_language import toy_treebank

SMALL = {
    "preset": "third",
    "arc_bits": 13,
    "label_bits": 13,
    "pruning__bits": 12,
    "pruning__threshold": 1e-6,
    "pruning__heads": 4,
}
ORDERS = [("arc", "projective"), ("arc", "nonprojective"), ("carreras", "projective")]


def prepare(sentences: list[Sentence], **options: Any) -> tuple[Prepared, TrainingSettings]:
    settings = TrainingSettings.preset(**{"labels": "none", "gradient__negligible": 0.0, **SMALL, **options})
    run = begun(sentences, None, settings, Listener())
    return make_trainer(follow(run, BEFORE_FEATURES)), settings


def odd_treebank(size: int) -> list[Sentence]:
    """Sentences of the toy language with trees of no language: no weights make them all the best ones."""
    rng = np.random.default_rng(7)
    sentences = [s for s in toy_treebank(4 * size, seed=5) if len(s) <= 6][:size]
    trees = {n: sorted(all_trees(n, projective=True, single_root=True)) for n in {len(s) for s in sentences}}
    return [
        Sentence.from_words(
            s.forms, upos=s.upos, heads=list(trees[len(s)][rng.integers(len(trees[len(s)]))]), labels=s.labels
        )
        for s in sentences
    ]


def duality(epochs: int, sentences: list[Sentence] | None = None, **options: Any) -> list[dict[str, float]]:
    """Objectives and gap of exponentiated gradient, epoch by epoch."""
    sentences = sentences or toy_treebank(4, seed=3)
    prepared, _ = prepare(sentences, **options)
    assert prepared.after_epoch is not None
    history = []
    for epoch in range(epochs):
        order = np.random.default_rng(epoch).permutation(len(sentences))
        prepared.trainer.train(order)
        history.append(dict(prepared.after_epoch()))
    return history


def least_log_linear(**options: Any) -> float:
    prepared, settings = prepare(toy_treebank(4, seed=3), learner="log-linear", **options)
    objective = Objective.of(prepared.trainer, likelihood_learner(settings), settings.regularization_constant)
    result = minimize(objective, np.zeros(objective.size), jac=True, method="L-BFGS-B")
    return float(result.fun)


def least_max_margin(**options: Any) -> float:
    """By projected subgradient with steps 1/(C·t) and averaging (Pegasos); slow, and close in the end."""
    prepared, settings = prepare(toy_treebank(4, seed=3), learner="max-margin", **options)
    objective = Objective.of(prepared.trainer, native_learner(settings), settings.regularization_constant)
    weights = average = np.zeros(objective.size)
    best = math.inf
    for t in range(1, 1001):
        value, gradient = objective(weights)
        best = min(best, value)
        weights = weights - gradient / (settings.regularization_constant * t)
        average = average + (weights - average) * 2 / (t + 1)
        if t % 50 == 0:
            best = min(best, objective(average)[0])
    return best


@pytest.mark.parametrize(("factorization", "trees"), ORDERS)
@pytest.mark.parametrize("optimizer", ["eg", "eg-batch"])
def test_exponentiated_gradient_of_the_likelihood_finds_the_optimum(
    factorization: str, trees: str, optimizer: str
) -> None:
    options = {"factorization": factorization, "trees": trees, "regularization": 1.0}
    least = least_log_linear(**options)
    epochs = 30 if optimizer == "eg" else 60
    last = duality(epochs, learner="log-linear", optimizer=optimizer, **options)[-1]
    assert last["primal"] == pytest.approx(least, rel=2e-3)
    assert last["dual"] == pytest.approx(least, rel=2e-3)
    assert last["gap"] >= -1e-3


@pytest.mark.parametrize(("factorization", "trees"), ORDERS)
def test_exponentiated_gradient_of_the_margin_finds_the_optimum(factorization: str, trees: str) -> None:
    options = {"factorization": factorization, "trees": trees, "regularization": 100.0}
    least = least_max_margin(**options)
    history = duality(60, learner="max-margin", optimizer="eg", eg__start=1.0, **options)
    assert history[-1]["primal"] == pytest.approx(least, rel=0.02)
    assert history[-1]["dual"] == pytest.approx(least, rel=0.02)
    assert all(epoch["gap"] >= -1e-3 for epoch in history)


@pytest.mark.parametrize("optimizer", ["eg", "eg-batch"])
def test_the_gap_of_log_linear_models_shrinks_geometrically(optimizer: str) -> None:
    """Theorems A.2.1 and A.3.1: O(log 1/ε) steps to a gap of ε. Each digit costs as many steps as another."""
    history = duality(
        60, learner="log-linear", optimizer=optimizer, factorization="arc", regularization=10.0, eg__rate=0.2
    )
    gaps = [epoch["gap"] for epoch in history]
    steps = [next(i for i, gap in enumerate(gaps) if gap < bound) for bound in (1e-1, 1e-3, 1e-5)]
    first, second = steps[1] - steps[0], steps[2] - steps[1]
    assert first >= 3
    assert second <= 1.5 * first + 1


@pytest.mark.parametrize(
    ("factorization", "trees"),
    [("arc", "projective"), ("arc", "nonprojective"), ("sibling", "projective"), ("model1", "projective")],
)
@pytest.mark.parametrize("learner", ["max-margin", "log-linear"])
@pytest.mark.parametrize("optimizer", ["eg", "eg-batch"])
def test_the_gap_closes_where_no_weights_fit(
    factorization: str, trees: str, learner: str, optimizer: str
) -> None:
    """As the parser trains: with what it takes for negligible. Rates stay within bounds."""
    options = {"learner": learner, "optimizer": optimizer, "gradient__negligible": 1e-3}
    history = duality(
        100, odd_treebank(12), factorization=factorization, trees=trees, regularization=10.0, **options
    )
    assert all(epoch["gap"] >= 0 for epoch in history)
    assert all(epoch["primal"] - epoch["dual"] > -1e-6 * epoch["primal"] for epoch in history)
    assert history[-1]["gap"] <= 1e-3 * history[-1]["primal"]
    assert all(epoch["rate"] <= 8000 for epoch in history)


def test_the_margin_agrees_with_another_solver() -> None:
    """None finds less than the primal, nor less than the dual."""
    sentences = odd_treebank(5)
    options = {"factorization": "arc", "trees": "projective", "regularization": 10.0}
    last = duality(100, sentences, learner="max-margin", optimizer="eg", **options)[-1]
    prepared, settings = prepare(sentences, learner="max-margin", **options)
    objective = Objective.of(prepared.trainer, native_learner(settings), settings.regularization_constant)
    found = minimize(
        objective, np.zeros(objective.size), jac=True, method="L-BFGS-B", options={"maxiter": 3000}
    )
    assert last["primal"] <= found.fun + 1e-3 * found.fun
    assert last["dual"] <= found.fun


def test_crossing_trees_above_first_order_are_refused() -> None:
    sentences = toy_treebank(8, seed=3)
    settings = TrainingSettings.preset(
        **SMALL,
        learner="log-linear",
        optimizer="eg",
        factorization="sibling",
        trees="nonprojective",
        epochs=1,
        labels="none",
        calibrate=False,
    )
    with pytest.raises(HeadwiseError, match="--trees projective"):
        train_parser(sentences, None, settings)


def test_a_failed_step_halves_the_rate() -> None:
    history = duality(30, learner="max-margin", optimizer="eg-batch", factorization="arc", eg__rate=1000.0)
    rates = [epoch["rate"] for epoch in history]
    duals = [epoch["dual"] for epoch in history]
    assert rates[0] < 1000.0
    assert duals == sorted(duals)  # a step that would lower it is taken back


@pytest.mark.parametrize("method", ["l-bfgs", "cg"])
def test_scipy_converges_and_shows_it(method: str) -> None:
    prepared, settings = prepare(toy_treebank(4, seed=3), learner="log-linear", factorization="arc")
    reports: list[EpochReport] = []
    messages: list[str] = []
    objective = Objective.of(prepared.trainer, likelihood_learner(settings), settings.regularization_constant)
    outcome = run_batch(
        objective,
        method=method,
        iterations=200,
        words=50,
        evaluate=None,
        listener=Listener(epoch=reports.append, message=messages.append),
    )
    values = [report.measures["objective"] for report in reports]
    assert values == sorted(values, reverse=True)
    assert reports[-1].measures["gradient norm"] < 0.05 * reports[0].measures["gradient norm"]
    assert values[-1] == pytest.approx(least_log_linear(factorization="arc"), rel=1e-3)
    assert len(reports) < 200
    assert method in messages[-1]
    assert np.count_nonzero(outcome.weights[0]) > 100


@pytest.mark.parametrize("optimizer", ["l-bfgs", "cg", "eg", "eg-batch"])
@pytest.mark.parametrize("learner", ["log-linear", "max-margin"])
def test_parsers_are_learned(optimizer: str, learner: str, train_sentences: list[Sentence]) -> None:
    options: dict[str, Any] = {"preset": "first", "learner": learner, "optimizer": optimizer, "epochs": 8}
    bits = {"arc_bits": 14, "label_bits": 14, "regularization": 1.0}
    if learner == "max-margin" and optimizer in ("l-bfgs", "cg"):
        with pytest.raises(ValueError, match="needs learner='log-linear'"):
            Parser.train(train_sentences, **options)
        return
    parser = Parser.train(train_sentences, **options, **bits)
    right = [p.heads == p.sentence.heads for p in parser.pipe(toy_treebank(40, seed=2))]
    assert np.mean(np.concatenate(right)) > 0.9


def test_without_scipy_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(HeadwiseError, match=r"pip install 'headwise\[batch\]'"):
        Parser.train(toy_treebank(3, seed=1), preset="first", learner="log-linear", optimizer="l-bfgs")


class Killed(BaseException):
    """Stands for a process that is killed."""


@pytest.mark.parametrize("optimizer", ["online", "eg", "eg-batch"])
@pytest.mark.parametrize("factorization", ["arc", "carreras"])
def test_an_interrupted_run_ends_with_the_same_bytes(
    optimizer: str, factorization: str, tmp_path: Path
) -> None:
    settings = TrainingSettings.preset(
        learner="log-linear", optimizer=optimizer, factorization=factorization, epochs=4, **SMALL
    )  # type: ignore[arg-type]
    sentences = toy_treebank(20, seed=1)
    whole = train_parser(sentences, None, settings)

    def kill(report: EpochReport) -> None:
        if report.epoch == 3:
            raise Killed

    with pytest.raises(Killed):
        train_parser(sentences, None, settings, listener=Listener(epoch=kill), model_path=tmp_path / "m.hw")
    resumed = train_parser(sentences, None, settings, model_path=tmp_path / "m.hw", resume=True)
    for name, table in whole.weights.items():
        assert np.array_equal(table, resumed.weights[name]), name


def test_batch_runs_resume_towards_the_same_optimum(tmp_path: Path) -> None:
    settings = TrainingSettings.preset(
        learner="log-linear", optimizer="l-bfgs", factorization="arc", labels="none", epochs=100, **SMALL
    )  # type: ignore[arg-type]
    sentences = toy_treebank(4, seed=3)
    whole = train_parser(sentences, None, settings)

    def kill(report: EpochReport) -> None:
        if report.epoch == 5:
            raise Killed

    with pytest.raises(Killed):
        train_parser(sentences, None, settings, listener=Listener(epoch=kill), model_path=tmp_path / "m.hw")
    messages: list[str] = []
    resumed = train_parser(
        sentences,
        None,
        settings,
        listener=Listener(message=messages.append),
        model_path=tmp_path / "m.hw",
        resume=True,
    )
    assert any("resuming after iteration 4" in message for message in messages)
    assert resumed.weights["arcs"] == pytest.approx(whole.weights["arcs"], abs=0.02)


@pytest.mark.parametrize("factorization", ["arc", "carreras"])
@pytest.mark.parametrize("step", [1e4, 1e30, 1e300])
def test_divergence_is_reported(step: float, factorization: str, train_sentences: list[Sentence]) -> None:
    with pytest.raises(HeadwiseError, match="training diverged"):
        Parser.train(
            train_sentences,
            factorization=factorization,
            learner="log-linear",
            gradient__step=step,
            epochs=3,
            **SMALL,
        )


def test_minimum_risk_is_the_default_only_where_it_is_better_on_dev(train_sentences: list[Sentence]) -> None:
    dev = toy_treebank(30, seed=7)
    few = train_sentences[:4]
    chosen = set()
    for step in (0.01, 0.1, 0.5):
        options: dict[str, Any] = {
            "preset": "first",
            "epochs": 1,
            "arc_bits": 12,
            "labels": "none",
            "gradient__step": step,
        }
        parser = Parser.train(few, dev, learner="log-linear", **options)
        right = {
            decoder: sum(int(np.sum(p.heads == p.sentence.heads)) for p in parser.pipe(dev, decoder=decoder))
            for decoder in ("map", "minimum-risk")
        }
        expected = "minimum-risk" if right["minimum-risk"] > right["map"] else "map"
        assert parser.config.decoder == expected
        chosen.add(expected)
        assert Parser.train(few, dev, learner="mira", **options).config.decoder == "map"
