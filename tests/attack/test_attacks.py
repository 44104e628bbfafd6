"""What once broke a promise, replayed; and some hundred new mutants, always the same ones."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest
from attack.runs import TARGETS, outcome, run
from attack.target import Target

from sanitizers import not_under_sanitizers

CORPUS = Path(__file__).parents[1] / "fixtures" / "attack"
FEW = {
    "readers": 400,
    "models": 150,
    "commands": 12,
    "requests": 150,
    "annotator": 100,
    "recommender": 60,
    "processes": 5,
}
ACCEPTED_ALONE = {"processes"}
"""Here a case is something that happens, and not a file that could be refused."""


MARKS = {"processes": not_under_sanitizers}  # it takes memory away from commands


@pytest.fixture(scope="module", params=[pytest.param(name, marks=MARKS.get(name, ())) for name in TARGETS])
def target(request: pytest.FixtureRequest) -> Target:
    if request.param in ("requests", "annotator", "recommender"):
        pytest.importorskip("uvicorn", reason="the extra serve is not installed")
    if request.param == "recommender":
        pytest.importorskip("cassis", reason="the extra inception is not installed")
    return TARGETS[request.param]()


def test_past_failures(target: Target) -> None:
    cases = sorted((CORPUS / target.name).iterdir())
    assert cases
    for path in cases:
        assert outcome(target, path.read_bytes()) in ("accepted", "refused"), path.name


@pytest.mark.filterwarnings("ignore:.*parts of speech")
def test_a_few_mutants(target: Target) -> None:
    outcomes = [outcome(target, target.case(0, number)) for number in range(FEW[target.name])]
    assert set(outcomes) <= {"accepted", "refused"}, max(outcomes, key=len)
    assert "refused" in outcomes or target.name in ACCEPTED_ALONE


def test_mutants_are_the_same_for_the_same_seed(target: Target) -> None:
    again = type(target)()
    numbers = range(20)
    assert [target.case(3, n) for n in numbers] == [again.case(3, n) for n in numbers]
    assert [target.case(3, n) for n in numbers] != [target.case(4, n) for n in numbers]


class Hanging(Target):
    """A target that crashes, hangs and raises, to see that runs notice."""

    name = "hanging"
    patience = 2.0

    def mutant(self, rng: object) -> bytes:
        return b""

    def case(self, seed: int, number: int) -> bytes:
        return str(number).encode()

    def attack(self, data: bytes) -> str:  # type: ignore[override]
        if data == b"1":
            os.kill(os.getpid(), signal.SIGSEGV)
        if data == b"2":
            time.sleep(60)
        if data == b"3":
            raise KeyError("surprise")
        return "accepted"


@pytest.mark.slow
def test_runs_notice_crashes_hangs_and_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TARGETS, "hanging", Hanging)
    forking = multiprocessing.get_context("fork")  # a process that is spawned would not know this target
    monkeypatch.setattr("multiprocessing.get_context", lambda _: forking)
    report = run("hanging", 1, 0, 6, keep=tmp_path)
    assert set(report.failures) == {1, 2, 3}
    assert report.counts == {"accepted": 3, "crashes": 1, "hangs": 1, "failures": 1}
    assert (tmp_path / "1-2").read_bytes() == b"2"
