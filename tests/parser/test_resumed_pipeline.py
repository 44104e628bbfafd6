"""Training that was killed goes on with `resume`, and ends with the bytes of a run that was not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from headwise import Parser, Pipeline
from headwise.learning import Listener
from headwise.learning.checkpoint import NOTHING_TO_RESUME
from headwise.learning.loop import EpochReport
from headwise.training import TrainingSettings, train_parser
from toy_language import toy_treebank

TRAIN, DEV = toy_treebank(40, seed=1), toy_treebank(10, seed=2)
SMALL = {"arc_bits": 12, "label_bits": 12, "epochs": 2, "roles": False}
NATIVE = TrainingSettings.preset(
    "second", network={"use": True, "width": 16, "epochs": 4, "weight": 0.3}, **SMALL
)


class KilledError(Exception):
    pass


def after(reports: int) -> Listener:
    """Kills the run when so many epochs are over."""
    left = [reports]

    def count(_: EpochReport) -> None:
        left[0] -= 1
        if not left[0]:
            raise KilledError

    return Listener(epoch=count)


def epochs_of(train: Callable[..., Any]) -> int:
    reports: list[EpochReport] = []
    train(listener=Listener(epoch=reports.append))
    return len(reports)


def check_resumed(train: Callable[..., Parser | Pipeline], folder: Path, killed_after: int) -> list[str]:
    whole, resumed = folder / "whole.hw", folder / "resumed.hw"
    train(model_path=whole).save(whole)
    with pytest.raises(KilledError):
        train(model_path=resumed, listener=after(killed_after))
    assert list(folder.glob("resumed.hw*.state"))
    messages: list[str] = []
    train(model_path=resumed, resume=True, listener=Listener(message=messages.append)).save(resumed)
    assert resumed.read_bytes() == whole.read_bytes()
    assert not list(folder.glob("*.state"))
    return messages


def test_a_network_is_resumed(tmp_path: Path) -> None:
    def train(**options: Any) -> Parser:
        return train_parser(TRAIN, DEV, NATIVE, **options)

    messages = check_resumed(train, tmp_path, killed_after=5)  # the third of the network
    assert "resuming after epoch 1" in messages  # of features, whose last epoch is not kept
    assert "resuming after epoch 2" in messages


@pytest.mark.parametrize("before_the_end", [1, 4])
def test_a_pipeline_is_resumed(tmp_path: Path, before_the_end: int) -> None:
    """In its network, or in its parser."""

    def train(**options: Any) -> Pipeline:
        return Pipeline.train(TRAIN, DEV, settings=NATIVE, jackknife=2, **options)

    messages = check_resumed(train, tmp_path, epochs_of(train) - before_the_end)
    assert any("resuming" in message for message in messages)
    assert NOTHING_TO_RESUME not in messages


def test_a_pipeline_without_a_state_says_so_once(tmp_path: Path) -> None:
    messages: list[str] = []
    listener = Listener(message=messages.append)
    path = tmp_path / "m.hw"
    Pipeline.train(TRAIN, settings=NATIVE, jackknife=2, model_path=path, resume=True, listener=listener)
    assert messages.count(NOTHING_TO_RESUME) == 1


def test_a_run_is_resumed_that_was_killed_while_probabilities_were_fitted(tmp_path: Path) -> None:
    """Without a development set that takes another training, before which nothing is to be lost."""
    path = tmp_path / "m.hw"

    def kill(message: str) -> None:
        if "to fit probabilities" in message:
            raise KilledError

    many = toy_treebank(300, seed=3)
    with pytest.raises(KilledError):
        train_parser(many, None, NATIVE, model_path=path, listener=Listener(message=kill))
    assert {file.name for file in tmp_path.iterdir()} == {"m.hw.state", "m.hw.network.state"}
