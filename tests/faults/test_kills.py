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
    "perceptron": ["--factorization", "arc", "--learner", "perceptron", "--unlabeled", "--epochs", "60"],
    "mira": ["--preset", "fast", "--unlabeled", "--epochs", "25"],
    "log-linear": ["--factorization", "arc", "--learner", "log-linear", "--unlabeled", "--epochs", "30"],
    "labels": [
        "--factorization",
        "arc",
        "--epochs",
        "8",
        "--no-calibration",
    ],
    "tensor": ["--factorization", "arc", "--tensor-rank", "5", "--unlabeled", "--epochs", "40"],
}


class Killer:
    """Starts a command and kills it at a random moment of the time that it takes when nobody disturbs it."""

    def __init__(self, folder: Path, seed: str) -> None:
        self.folder = folder
        self.rng = random.Random(seed)
        self.kills = 0
        self.duration = float("inf")
        """Of the quickest run: others may have been slowed down by what else the machine does."""

    def finish(self, *arguments: object) -> None:
        began = time.monotonic()
        code, said = finish(start(self.folder, *arguments))
        assert code == 0, said
        self.duration = min(self.duration, time.monotonic() - began)

    def kill(self, *arguments: object) -> None:
        process = start(self.folder, *arguments)
        time.sleep(self.rng.uniform(0.1, 1) * self.duration)
        self.kills += process.poll() is None
        process.kill()
        process.communicate()


@pytest.mark.parametrize("learner", LEARNERS)
def test_killed_training_ends_with_the_same_bytes(
    learner: str, folder: Path, tmp_path: Path, tally: Tally
) -> None:
    train = ["train", "train.conllu", "--arc-bits", "14", "--threads", "1", *LEARNERS[learner]]
    killer = Killer(folder, learner)
    killer.finish(*train, "-o", tmp_path / "whole.hw")
    whole = (tmp_path / "whole.hw").read_bytes()
    for run in range(15):
        model = tmp_path / f"{run}.hw"
        state = Path(f"{model}.state")
        for _ in range(4):
            killer.kill(*train, "-o", model, *(["--resume"] if state.exists() else []))
            assert not model.exists() or model.read_bytes() == whole
        killer.finish(*train, "-o", model, *(["--resume"] if state.exists() else []))
        assert model.read_bytes() == whole
    assert killer.kills > 30
    tally("kills in training, resumed to the same bytes", killer.kills)


@pytest.mark.parametrize("writer", WRITERS)
def test_a_killed_writer_leaves_the_old_file_or_the_new_one(
    writer: str, folder: Path, tmp_path: Path, tally: Tally
) -> None:
    out, old = tmp_path / "out", b"what was there before"
    killer = Killer(folder, writer)
    killer.finish(*WRITERS[writer], "-o", out)
    new = out.read_bytes()
    for _ in range(12):
        out.write_bytes(old)
        killer.kill(*WRITERS[writer], "-o", out)
        assert out.read_bytes() in (old, new)
    tally("kills in writing, the file whole", killer.kills)
