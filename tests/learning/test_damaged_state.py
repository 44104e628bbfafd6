"""Files of unfinished runs that are not what a run left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headwise.base.errors import ModelError
from headwise.learning import EpochReport, Listener
from headwise.learning.checkpoint import KIND
from headwise.model import ModelFile, Tensors, write_model
from headwise.training import TrainingSettings, train_parser
from headwise.treebank import Sentence

SETTINGS = replace(TrainingSettings.preset("first", epochs=3, arc_bits=12, label_bits=12), calibrate=False)


class Killed(Exception):
    pass


@pytest.fixture(scope="module")
def state(train_sentences: list[Sentence], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("state") / "m.hw"

    def kill(report: EpochReport) -> None:
        if report.epoch == 2:
            raise Killed

    with pytest.raises(Killed):
        train_parser(train_sentences, None, SETTINGS, listener=Listener(epoch=kill), model_path=path)
    return Path(f"{path}.state")


def _drop(config: dict[str, Any], tensors: Tensors) -> None:
    tensors.popitem()


def _shorten(config: dict[str, Any], tensors: Tensors) -> None:
    name = max(tensors, key=lambda name: tensors[name].size)
    tensors[name] = tensors[name][:-1]


def _retype(config: dict[str, Any], tensors: Tensors) -> None:
    for name in tensors:
        tensors[name] = np.zeros((2, 2), np.uint8)


CHANGES: dict[str, Callable[[dict[str, Any], Tensors], None]] = {
    "a table is missing": _drop,
    "a table is too short": _shorten,
    "tables of another kind": _retype,
    "no fingerprint": lambda config, tensors: config.pop("fingerprint"),
    "no epoch": lambda config, tensors: config.pop("epoch"),
    "an epoch of another kind": lambda config, tensors: config.update(epoch="two"),
    "an epoch before the first": lambda config, tensors: config.update(epoch=-5),
    "a history of another kind": lambda config, tensors: config.update(history={}),
    "an unknown entry": lambda config, tensors: config.update(more=1),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_damaged_states_are_refused(
    change: Callable[[dict[str, Any], Tensors], None],
    state: Path,
    train_sentences: list[Sentence],
    tmp_path: Path,
) -> None:
    file = ModelFile.open(state)
    config, tensors = dict(file.config), {name: np.array(t) for name, t in file.all_tensors().items()}
    change(config, tensors)
    write_model(tmp_path / "m.hw.state", KIND, config, tensors)
    with pytest.raises(ModelError, match=r"m\.hw\.state"):
        train_parser(train_sentences, None, SETTINGS, model_path=tmp_path / "m.hw", resume=True)


def test_whole_states_are_taken(state: Path, train_sentences: list[Sentence], tmp_path: Path) -> None:
    """So that the test above fails for what it says."""
    (tmp_path / "m.hw.state").write_bytes(state.read_bytes())
    train_parser(train_sentences, None, SETTINGS, model_path=tmp_path / "m.hw", resume=True)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), MemoryError()])
def test_a_state_that_cannot_be_written_ends_no_run(
    error: Exception, train_sentences: list[Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = train_parser(train_sentences, None, SETTINGS)

    def full(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("headwise.model.file.replaced", full)
    said: list[str] = []
    listener = Listener(message=said.append)
    found = train_parser(train_sentences, None, SETTINGS, listener=listener, model_path=tmp_path / "m.hw")
    for name, table in expected.weights.items():
        assert np.array_equal(found.weights[name], table)
    assert any("the state of the run is not kept" in line for line in said)
    assert list(tmp_path.iterdir()) == []


def test_a_state_does_not_follow_links(train_sentences: list[Sentence], tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (tmp_path / "m.hw.state").symlink_to(victim)
    train_parser(train_sentences, None, SETTINGS, model_path=tmp_path / "m.hw")
    assert victim.read_bytes() == b"precious"
