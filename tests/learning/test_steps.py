"""A run as a list of steps: whatever is interrupted, there is a model; what cannot be kept ends no run."""

from __future__ import annotations

import signal
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headwise import Parser
from headwise.base.interruption import finished_first
from headwise.learning import Listener
from headwise.learning.loop import INTERRUPTED, DivergedError
from headwise.learning.steps import AnyRun, Step, always, follow
from headwise.model import stored
from headwise.training import TrainingSettings, train_parser
from headwise.training.small_parser import SMALL_PARSER
from toy_language import toy_treebank

TRAIN, DEV = toy_treebank(30, seed=1), toy_treebank(8, seed=2)
ALL_STEPS = TrainingSettings.preset(
    "third",
    epochs=1,
    arc_bits=12,
    label_bits=12,
    runs=2,
    roles=True,
    tensor=3,
    choose_trees=True,
    trees="nonprojective",
    pruning={"bits": 12},
    whole_tree={"families": ("valency",), "bits": 12, "epochs": 1, "fold_epochs": 1},
    network={"use": True, "width": 16, "epochs": 1},
)


@dataclass(frozen=True, kw_only=True)
class Count(AnyRun):
    done: tuple[str, ...] = ()


def adding(what: str, error: BaseException | None = None, **options: Any) -> Step[Count]:
    def add(run: Count) -> Count:
        if error is not None:
            raise error
        return replace(run, done=(*run.done, what))

    return Step(add, **options)


def hurrying(run: Count) -> Count:
    return replace(run, done=(*run.done, "hurried"))


def test_steps_are_followed_in_order() -> None:
    assert follow(Count(), [adding("a"), adding("b")]) == Count(done=("a", "b"))


def test_what_comes_after_an_interruption_is_hurried_left_out_or_quick() -> None:
    messages: list[str] = []
    run = follow(
        Count(listener=Listener(message=messages.append)),
        [
            adding("a"),
            adding("b", KeyboardInterrupt(), instead=hurrying),
            adding("c", instead=hurrying),
            adding("d"),
            adding("e", is_quick=always),
            adding("f", KeyboardInterrupt(), is_quick=always),
        ],
    )
    assert run.done == ("a", "hurried", "hurried", "e")
    assert run.interrupted
    assert messages == [INTERRUPTED]


def test_only_what_a_run_can_do_without_may_diverge() -> None:
    messages: list[str] = []
    diverging = {"error": DivergedError("far worse"), "name": "it"}
    run = Count(listener=Listener(message=messages.append))
    assert follow(run, [adding("a", **diverging, is_optional=always), adding("b")]).done == ("b",)
    assert messages == ["it diverged, and is left out"]
    with pytest.raises(DivergedError):
        follow(run, [adding("a", **diverging)])


@pytest.mark.parametrize(
    "place",
    [
        "training.preparing.decide_tree_kind",
        "components.pruner.training.train_pruner",
        "components.roles.training.guess_roles",
        "components.tensor.training.low_rank",
        "training.features.make_trainer",
        "training.averaging.parser_of",
        "components.whole_tree.training.whole_tree_config",
        "components.network.training.train_network",
        "training.adding_network.with_best_weight",
        "training.choosing.dev_scores",
        "training.calibrating.fit_calibration",
    ],
)
def test_an_interruption_anywhere_ends_in_a_parser(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, _, name = place.rpartition(".")
    home = import_module(f"headwise.{module}")
    done = getattr(home, name)

    def interrupt(*_: object, **__: object) -> None:
        monkeypatch.setattr(home, name, done)  # whoever hurries is not interrupted again
        raise KeyboardInterrupt

    monkeypatch.setattr(home, name, interrupt)
    messages: list[str] = []
    parser = train_parser(TRAIN, DEV, ALL_STEPS, listener=Listener(message=messages.append))
    assert INTERRUPTED in messages or SMALL_PARSER in messages
    assert parser.config.training["interrupted"]
    right = [np.mean(parse.heads == parse.sentence.heads) for parse in parser.pipe(DEV)]
    assert np.mean(right) > 0.5


def test_an_interruption_while_judges_are_trained_keeps_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("headwise.training.calibrating.trained_judges", interrupt)
    parser = train_parser(TRAIN, None, TrainingSettings.preset("first", epochs=1, arc_bits=12, label_bits=12))
    assert parser.config.training["interrupted"]
    assert not parser.config.calibration.is_fitted


def test_a_network_alone_that_never_began_leaves_a_small_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("headwise.components.network.training.train_network", interrupt)
    parser = train_parser(TRAIN, None, TrainingSettings.preset("network", network={"width": 16, "epochs": 1}))
    assert parser.config.arc_templates
    assert parser.config.network is None


def test_a_state_that_cannot_be_written_is_told_and_training_goes_on(tmp_path: Path) -> None:
    messages: list[str] = []
    settings = TrainingSettings.preset("first", epochs=3, arc_bits=12, label_bits=12, calibrate=False)
    listener = Listener(message=messages.append)
    parser = train_parser(TRAIN, None, settings, listener=listener, model_path=tmp_path / "nowhere" / "m.hw")
    assert len(parser.config.training["history"]) == 3
    assert sum("the state of the run is not kept" in message for message in messages) == 2


def test_an_interruption_while_the_model_is_written_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = TrainingSettings.preset("first", epochs=1, arc_bits=12, label_bits=12, calibrate=False)
    parser, write = train_parser(TRAIN, None, settings), stored.write_model

    def interrupted_write(*arguments: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        write(*arguments)

    monkeypatch.setattr(stored, "write_model", interrupted_write)
    with pytest.raises(KeyboardInterrupt):
        parser.save(tmp_path / "m.hw")
    assert len(list(Parser.load(tmp_path / "m.hw").pipe(DEV))) == len(DEV)


def test_a_second_interruption_does_not_wait() -> None:
    reached = []

    def twice_interrupted() -> None:
        with finished_first():
            signal.raise_signal(signal.SIGINT)
            reached.append(1)
            signal.raise_signal(signal.SIGINT)
            reached.append(2)

    with pytest.raises(KeyboardInterrupt):
        twice_interrupted()
    assert reached == [1]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
