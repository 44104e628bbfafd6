"""Processes that are killed at random moments: nothing is lost, and no file is ever half there."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from fault_commands import WRITERS, finish, start
from tally import Tally

pytestmark = pytest.mark.slow

LEARNERS = {
    "perceptron": ["--preset", "first", "--learner", "perceptron", "--unlabeled", "--epochs", "60"],
    "mira": ["--preset", "second", "--unlabeled", "--epochs", "25"],
    "log-linear": ["--preset", "first", "--learner", "log-linear", "--unlabeled", "--epochs", "30"],
    "labels": ["--preset", "first", "--epochs", "8", "--no-calibration"],  # their table makes large states
    "tensor": ["--preset", "first", "--tensor-rank", "5", "--unlabeled", "--epochs", "40"],
}


def killed_after(folder: Path, seconds: float, *arguments: object) -> bool:
    """Start a command and kill it after some time; whether it was still running."""
    process = start(folder, *arguments)
    time.sleep(seconds)
    running = process.poll() is None
    process.kill()
    process.communicate()
    return running


@pytest.mark.parametrize("learner", LEARNERS)
def test_killed_training_ends_with_the_same_bytes(
    learner: str, folder: Path, tmp_path: Path, tally: Tally
) -> None:
    train = ["train", "train.conllu", "--arc-bits", "14", "--threads", "1", *LEARNERS[learner]]
    began = time.monotonic()
    code, said = finish(start(folder, *train, "-o", tmp_path / "whole.hw"))
    assert code == 0, said
    whole, duration = (tmp_path / "whole.hw").read_bytes(), time.monotonic() - began
    rng, kills, runs = random.Random(learner), 0, 0
    while kills < 45:
        model = tmp_path / f"{runs}.hw"
        state = Path(f"{model}.state")

        def resume(*, model: Path = model, state: Path = state) -> list[object]:
            return [*train, "-o", model, *(["--resume"] if state.exists() else [])]

        for _ in range(6):
            kills += killed_after(folder, rng.uniform(0.2, 1.1) * duration, *resume())
            if model.exists():
                assert model.read_bytes() == whole
                break
        code, said = finish(start(folder, *train, "-o", model, *(["--resume"] if state.exists() else [])))
        assert code == 0, said
        assert model.read_bytes() == whole
        runs += 1
    tally("kills in training, resumed to the same bytes", kills)


@pytest.mark.parametrize("writer", WRITERS)
def test_a_killed_writer_leaves_the_old_file_or_the_new_one(
    writer: str, folder: Path, tmp_path: Path, tally: Tally
) -> None:
    out = tmp_path / "out"
    began = time.monotonic()
    code, said = finish(start(folder, *WRITERS[writer], "-o", out))
    assert code == 0, said
    new, duration = out.read_bytes(), time.monotonic() - began
    rng, old, kills = random.Random(writer), b"what was there before", 0
    for _ in range(25):
        out.write_bytes(old)
        kills += killed_after(folder, rng.uniform(0.5, 1.1) * duration, *WRITERS[writer], "-o", out)
        assert out.read_bytes() in (old, new)
    tally("kills in writing, the file whole", kills)
