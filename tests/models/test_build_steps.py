"""Steps: nothing is done twice, and what was broken off goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.steps import Steps


def test_a_step_is_done_once_for_the_same_inputs(tmp_path: Path) -> None:
    steps, done = Steps(tmp_path, lambda text: None), []

    def make(folder: Path) -> None:
        done.append(folder)
        (folder / "result").write_text(str(len(done)))

    first = steps.kept("one", {"seed": 1}, make)
    assert steps.kept("one", {"seed": 1}, make) == first
    assert (first.folder / "result").read_text() == "1"
    other = steps.kept("one", {"seed": 2}, make)
    assert other.key != first.key
    assert (other.folder / "result").read_text() == "2"
    assert len(done) == 2
    assert steps.done() == ["one"]


def test_a_step_that_was_broken_off_finds_what_it_left(tmp_path: Path) -> None:
    steps, found = Steps(tmp_path, lambda text: None), []

    def broken_off(folder: Path) -> None:
        (folder / "state").write_text("half")
        raise KeyboardInterrupt

    def going_on(folder: Path) -> None:
        found.append((folder / "state").exists())

    with pytest.raises(KeyboardInterrupt):
        steps.kept("one", {"seed": 1}, broken_off)
    assert steps.done() == []
    steps.kept("one", {"seed": 1}, going_on)
    with pytest.raises(KeyboardInterrupt):
        steps.kept("two", {"seed": 1}, broken_off)
    steps.kept("two", {"seed": 2}, going_on)
    assert found == [True, False]
