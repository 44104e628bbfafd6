"""What the development set chooses: values of settings, and trees with or without crossing arcs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_runner import CliRunner
from headwise import Parser
from headwise.cli.app import app
from headwise.components.parser.decoders import Decoder
from headwise.learning.choices import Preset
from headwise.learning.loop import Listener
from headwise.training import TrainingSettings
from headwise.training.train import dev_scores
from headwise.training.tuning import check_grid, distinct_trials, parsed_grid, tuned_parser
from headwise.treebank import Sentence, write
from toy_language import toy_treebank

SMALL = TrainingSettings.preset("first", epochs=2, arc_bits=14, label_bits=14, calibrate=False)


def test_the_best_trial_is_kept() -> None:
    train, dev = toy_treebank(20, seed=1), toy_treebank(20, seed=2)
    settings = SMALL.changed(learner="log-linear", optimizer="l-bfgs")
    tuned = tuned_parser(train, dev, settings, {"regularization": [1e4, 1.0], "epochs": [1, 5]})
    scores = [trial.scores.selection for trial in tuned.trials]
    assert [trial.changes for trial in tuned.trials] == [
        {"regularization": c, "epochs": epochs} for c in (1e4, 1.0) for epochs in (1, 5)
    ]
    assert tuned.best is tuned.trials[int(np.argmax(scores))]
    assert max(scores) > min(scores)
    decoder = tuned.parser.config.decoder
    assert dev_scores(tuned.parser, dev, 1, decoder).selection == max(scores)
    alone = Parser.train(train, dev, settings=settings.changed(**tuned.best.changes))
    assert np.array_equal(alone.weights["arcs"], tuned.parser.weights["arcs"])


def test_the_size_of_a_network_is_tuned() -> None:
    train, dev = toy_treebank(30, seed=1), toy_treebank(10, seed=2)
    settings = TrainingSettings.preset("network", network={"epochs": 2}, calibrate=False)
    messages: list[str] = []
    listener = Listener(message=messages.append)
    tuned = tuned_parser(train, dev, settings, parsed_grid(["network.width=16,32"]), listener=listener)
    assert [m for m in messages if m.startswith("network.width")] == [str(trial) for trial in tuned.trials]
    assert messages[-1] == f"best: {tuned.best}"
    assert tuned.parser.config.network is not None
    assert tuned.parser.config.network.lstm == tuned.best.changes["network__width"]


def test_a_grid_is_read_from_text() -> None:
    assert parsed_grid(["regularization=1,0.5", "gradient.step=0.1", "learner=mira,perceptron"]) == {
        "regularization": [1, 0.5],
        "gradient__step": [0.1],
        "learner": ["mira", "perceptron"],
    }
    with pytest.raises(ValueError, match="NAME=VALUE"):
        parsed_grid(["epochs"])
    with pytest.raises(ValueError, match="a grid needs"):
        tuned_parser([], [], SMALL, {})


def test_values_are_of_the_type_of_their_setting() -> None:
    texts = ["network.use=true,False", "averaged=false", "network.width=none,32", "aggressiveness=1"]
    grid = parsed_grid([*texts, "words.bits=4+6", "whole_tree.families=valency,valency+span", "torch=true"])
    assert grid == {
        "network__use": [True, False],
        "averaged": [False],
        "network__width": [None, 32],
        "aggressiveness": [1.0],
        "words__bits": [(4, 6)],
        "whole_tree__families": [("valency",), ("valency", "span")],
        "torch": [True],
    }
    assert isinstance(grid["aggressiveness"][0], float)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("epochs=3.5", "epochs is '3.5', must be a whole number"),
        ("seed=x", "seed is 'x', must be a whole number"),
        ("network.width=abc", "network.width is 'abc', must be a whole number or none"),
        ("averaged=perhaps", "averaged is 'perhaps', must be true or false"),
        ("learner=guess", "learner is 'guess', must be one of: mira, "),
        ("words.bits=4", "words.bits is '4', must be 2 numbers"),
        ("colour=1", "there is no setting colour "),
        ("network.colour=1", "there is no setting network.colour "),
        ("epochs.x=1", "there is no setting epochs.x"),
        ("pruning=1", "pruning is a group of settings"),
    ],
)
def test_other_values_are_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        parsed_grid([text])


@pytest.mark.parametrize(
    ("preset", "grid", "why"),
    [
        ("fast", {"network__width": [32, 64]}, "there is no network"),
        ("fast", {"torch__layers": [1, 2]}, "PyTorch trains no network"),
        ("network", {"epochs": [1, 2]}, "a network alone"),
        ("network", {"network__weight": [0.1, 0.2]}, "no features to weigh"),
        ("first", {"pruning__heads": [5, 10]}, "no parts above arcs"),
        ("first", {"gradient__step": [0.1, 0.2]}, "learner mira follows no gradient"),
        ("first", {"regularization": [1.0, 2.0]}, "optimizer online"),
        ("first", {"epochs": [2, 2]}, "epochs is to be 2 twice"),
        ("first", {"threads": [1, 2]}, "no tree depends on it"),
    ],
)
def test_twins_are_not_trained(preset: Preset, grid: dict[str, list[Any]], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        tuned_parser([], [], TrainingSettings.preset(preset), grid)


def test_a_setting_may_have_an_effect_in_some_trials_only() -> None:
    check_grid({"network__use": [False, True], "network__width": [32, 64]}, TrainingSettings.preset("fast"))
    with_torch = TrainingSettings.preset("third", torch=True)
    check_grid({"torch__layers": [1, 2], "network__members": [1, 2]}, with_torch)
    check_grid({"network__width": [32, 64]}, with_torch)
    with pytest.raises(ValueError, match="by settings of torch"):
        check_grid({"network__use": [False, True]}, with_torch)


def test_what_has_no_effect_beside_the_others_makes_no_trial() -> None:
    grid = {"network__use": [False, True], "network__width": [32, 64]}
    assert distinct_trials(grid, TrainingSettings.preset("fast")) == [
        {"network__use": False},
        {"network__use": True, "network__width": 32},
        {"network__use": True, "network__width": 64},
    ]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"network": {"width": "abc"}}, "network.width is 'abc', must be a whole number or none"),
        ({"epochs": 3.5}, "epochs is 3.5, must be a whole number"),
        ({"epochs": True}, "epochs is True, must be a whole number"),
        ({"averaged": "false"}, "averaged is 'false', must be true or false"),
        ({"words__bits": (4,)}, "words.bits is (4,), must be 2 numbers"),
        ({"without": "sibling"}, "without is 'sibling', must be a list"),
    ],
)
def test_settings_are_of_their_types(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        TrainingSettings.preset("third", **changes)


def test_numbers_of_numpy_are_numbers() -> None:
    settings = TrainingSettings.preset("third", epochs=np.int64(3), aggressiveness=np.float64(0.1))
    assert (settings.epochs, settings.aggressiveness) == (3, 0.1)


def crossing(sentences: list[Sentence]) -> list[Sentence]:
    """Sentences whose second word hangs from the last, and whose first from the third."""

    def crossed(sentence: Sentence) -> Sentence:
        n = len(sentence)
        heads = np.full(n, 3, np.int32)
        heads[2], heads[1] = 0, n
        return sentence.with_tree(heads, list(sentence.labels))

    return [crossed(sentence) for sentence in sentences if len(sentence) > 4]


def test_trees_are_chosen_by_the_development_set() -> None:
    """A parser of crossing trees, judged by projective ones, and by crossing ones."""
    train = crossing(toy_treebank(80, seed=1))
    settings = SMALL.changed(trees="nonprojective", choose_trees=True, labels="none")
    chosen = {}
    for name, dev in {"projective": toy_treebank(20, seed=2), "crossing": train[:20]}.items():
        parser = Parser.train(train, dev, settings=settings)
        chosen[name] = parser.config.decoder
        scores = {d: dev_scores(parser, dev, 1, d).selection for d in (Decoder.map, Decoder.projective)}
        assert (parser.config.decoder is Decoder.projective) == (
            scores[Decoder.projective] > scores[Decoder.map]
        )
    assert chosen["crossing"] is Decoder.map
    assert (
        Parser.train(train, train[:20], settings=settings.changed(choose_trees=False)).config.decoder
        is Decoder.map
    )


def test_weights_need_not_be_averaged() -> None:
    """The weights of a perceptron are whole numbers, and their mean is not."""
    train = toy_treebank(30, seed=1)
    settings = SMALL.changed(learner="perceptron", epochs=1)
    last = Parser.train(train, settings=settings.changed(averaged=False)).weights["arcs"]
    mean = Parser.train(train, settings=settings).weights["arcs"]
    assert np.array_equal(last, np.round(last))
    assert not np.array_equal(mean, np.round(mean))
    with pytest.raises(ValueError, match="averaged=False needs"):
        SMALL.changed(learner="log-linear", optimizer="l-bfgs", averaged=False)


def test_the_command_line_tunes(tmp_path: Path) -> None:
    train, dev, model = (tmp_path / name for name in ("train.conllu", "dev.conllu", "m.hw"))
    write(toy_treebank(20, seed=1), train)
    write(toy_treebank(10, seed=2), dev)
    few = [
        "--factorization",
        "arc",
        "--arc-bits",
        "12",
        "--no-calibration",
        "--no-averaging",
        "--choose-trees",
    ]
    arguments = ["train", str(train), "-o", str(model), *few, "--tune", "epochs=1,2"]
    assert CliRunner().invoke(app, arguments).exit_code == 2
    twins = ["train", str(train), "-o", str(model), "--preset", "fast", "--tune", "network.width=32,64"]
    refused = CliRunner().invoke(app, [*twins, "--dev", str(dev)])
    assert refused.exit_code == 2
    assert "network.width has no effect here: there is no network" in refused.stderr
    unknown = CliRunner().invoke(app, [*arguments, "--dev", str(dev), "--tune", "colour=1"])
    assert unknown.exit_code == 2
    done = CliRunner().invoke(app, [*arguments, "--dev", str(dev)])
    assert done.exit_code == 0, done.output
    assert "epochs = 1: dev UAS" in done.output
    assert Parser.load(model).config.training["settings"]["epochs"] in (1, 2)


def test_a_run_that_is_interrupted_before_it_tunes_writes_a_small_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("headwise.components.tagging.realistic_tags", interrupt)
    train, model = str(tmp_path / "train.conllu"), str(tmp_path / "m.hw")
    write(toy_treebank(20, seed=1), train)
    call = ["train", train, "--dev", train, "-o", model, "--jackknife", "2", "--tune", "network.width=16,32"]
    done = CliRunner().invoke(app, call)
    assert done.exit_code == 0, done.output
    assert Parser.load(model).config.network is None
