"""`headwise rerank` trains, parses, and says what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from command_runner import CliRunner
from headwise.cli.app import app
from headwise.treebank import read, write
from toy_language import toy_treebank


def test_it_trains_and_parses(tmp_path: Path) -> None:
    train, test, parsed = (tmp_path / name for name in ("train.conllu", "test.conllu", "parsed.conllu"))
    write(toy_treebank(60, seed=1), train)
    gold = toy_treebank(10, seed=2)
    write(gold, test)
    few = ["-k", "4", "--folds", "2", "--epochs", "2"]
    done = CliRunner().invoke(app, ["rerank", str(train), str(test), "-o", str(parsed), *few])
    assert done.exit_code == 0, done.output
    found = list(read(parsed))
    assert [s.forms for s in found] == [s.forms for s in gold]
    hits = np.concatenate([a.heads == b.heads for a, b in zip(found, gold, strict=True)])
    assert np.mean(hits) > 0.9


def test_too_few_sentences_are_an_error(tmp_path: Path) -> None:
    train = tmp_path / "train.conllu"
    write(toy_treebank(3, seed=1), train)
    done = CliRunner().invoke(app, ["rerank", str(train), str(train), "-o", str(tmp_path / "p.conllu")])
    assert done.exit_code == 1
    assert "10 folds" in str(done.exception)


def test_what_is_saved_parses_as_before(tmp_path: Path) -> None:
    train, test, model, parsed, again = (
        tmp_path / name for name in ("train.conllu", "test.conllu", "m.hw", "parsed.conllu", "again.conllu")
    )
    write(toy_treebank(40, seed=1), train)
    write(toy_treebank(10, seed=2), test)
    few = ["-k", "4", "--folds", "2", "--epochs", "2", "--save", str(model)]
    done = CliRunner().invoke(app, ["rerank", str(train), str(test), "-o", str(parsed), *few])
    assert done.exit_code == 0, done.output
    call = ["parse", str(test), "-m", str(model), "-o", str(again)]
    # As a process: what it says at its end is seen too.
    done = subprocess.run(
        [sys.executable, "-m", "headwise", *call], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert done.stderr == "", "neither of leaks nor of k best trees is anything said"
    assert again.read_bytes() == parsed.read_bytes()
    assert set(next(iter(read(again))).labels) != {"_"}
    assert b"Prob" not in again.read_bytes(), "nobody asked for probabilities"
    assert CliRunner().invoke(app, [*call, "--confidence"]).exit_code == 0
    assert b"HeadProb" in again.read_bytes()
    refused = CliRunner().invoke(app, [*call, "--k-best", "2"])
    assert refused.exit_code == 2
    assert "--k-best cannot be used with a reranker" in refused.output


def test_something_must_be_kept(tmp_path: Path) -> None:
    train = tmp_path / "train.conllu"
    write(toy_treebank(3, seed=1), train)
    for call in ([], [str(train)], ["-o", str(tmp_path / "p.conllu")]):
        done = CliRunner().invoke(app, ["rerank", str(train), *call])
        assert done.exit_code == 2
