"""The commands, run as a user runs them: train, parse, evaluate, info; good input and bad."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_runner import CliRunner
from headwise.base.errors import ModelError
from headwise.cli.app import app
from headwise.model import ModelFile, weights_digest
from headwise.model.stored import checked
from headwise.treebank import read, write
from toy_language import toy_treebank

COMMAND = [sys.executable, "-c", "from headwise.cli import main; main()"]
FEW = ["--factorization", "arc", "--arc-bits", "14", "--epochs", "3"]


def headwise(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    result = subprocess.run(
        [*COMMAND, *map(str, arguments)], input=stdin, capture_output=True, check=False, timeout=120
    )
    assert b"Traceback" not in result.stderr
    return result


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("treebank")
    write(toy_treebank(100, seed=1), folder / "train.conllu")
    write(toy_treebank(30, seed=2), folder / "dev.conllu.xz")
    write(toy_treebank(30, seed=3), folder / "test.conllu")
    result = headwise(
        "train", folder / "train.conllu", "--dev", folder / "dev.conllu.xz", "-o", folder / "m.hw", *FEW
    )
    assert result.returncode == 0, result.stderr.decode()
    assert b"dev UAS" in result.stderr
    assert b"projective trees with one root" in result.stderr
    return folder


def test_train_parse_evaluate(files: Path, tmp_path: Path) -> None:
    parsed = tmp_path / "parsed.conllu"
    assert headwise("parse", files / "test.conllu", "-m", files / "m.hw", "-o", parsed).returncode == 0
    result = headwise("evaluate", files / "test.conllu", parsed, "--json")
    assert json.loads(result.stdout)["scores"]["las"]["f1"] > 0.95


def test_parse_reads_stdin_and_writes_stdout(files: Path) -> None:
    data = (files / "test.conllu").read_bytes()
    from_file = headwise("parse", files / "test.conllu", "-m", files / "m.hw")
    from_stdin = headwise("parse", "-m", files / "m.hw", stdin=data)
    two_threads = headwise("parse", "-", "-m", files / "m.hw", "--threads", 2, stdin=data)
    assert from_file.stdout == from_stdin.stdout == two_threads.stdout
    assert from_file.stderr == b""  # quiet in a pipe
    assert [s.forms for s in read(io.BytesIO(from_file.stdout))] == [s.forms for s in read(data)]


def test_several_files_follow_each_other(files: Path, tmp_path: Path) -> None:
    unfinished = tmp_path / "unfinished.conllu"
    unfinished.write_bytes((files / "test.conllu").read_bytes().rstrip(b"\n"))
    result = headwise("parse", unfinished, files / "test.conllu", "-m", files / "m.hw")
    assert len(list(read(result.stdout))) == 60


def test_empty_input_gives_empty_output(files: Path) -> None:
    result = headwise("parse", "-m", files / "m.hw")
    assert (result.returncode, result.stdout) == (0, b"")


def test_output_can_be_converted(files: Path) -> None:
    result = headwise("parse", files / "test.conllu", "-m", files / "m.hw", "--to", "conllx")
    assert result.returncode == 0
    assert len(list(read(result.stdout, format="conllx"))) == 30


def test_broken_sentences(files: Path) -> None:
    broken = b"1\tonly three\tcolumns\n\n" + (files / "test.conllu").read_bytes()
    stopped = headwise("parse", "-m", files / "m.hw", stdin=broken)
    assert stopped.returncode == 1
    assert b"<stdin>:1" in stopped.stderr
    skipped = headwise("parse", "-m", files / "m.hw", "--on-error", "skip", stdin=broken)
    assert skipped.returncode == 0
    assert b"1 broken sentence skipped" in skipped.stderr
    assert len(list(read(skipped.stdout))) == 30


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["train", "missing.conllu", "-o", "m.hw"], 1, "missing.conllu"),
        (["parse", "--model", "missing.hw"], 1, "no such file"),
        (["train"], 2, "TREEBANK"),
        (["train", "x", "-o", "y", "--learner", "magic"], 2, "magic"),
        (["train", "x", "-o", "y", "--labels", "joint", "--network"], 2, "afterwards"),
        (["train", "x", "-o", "y", "--without", "cousin"], 2, "cousin"),
        (["train", "x", "-o", "no/such/folder/y"], 2, "folder"),
        (["fly"], 2, "fly"),
    ],
)
def test_exit_codes(arguments: list[str], code: int, message: str, tmp_path: Path) -> None:
    result = subprocess.run([*COMMAND, *arguments], capture_output=True, cwd=tmp_path, check=False, text=True)
    assert result.returncode == code
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_training_needs_trees(tmp_path: Path) -> None:
    treebank, model = tmp_path / "half.conllu", tmp_path / "m.hw"
    rows = b"1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    treebank.write_bytes(rows)
    stopped = headwise("train", treebank, "-o", model)
    assert stopped.returncode == 1
    assert b"half.conllu:1" in stopped.stderr
    assert b"has no head" in stopped.stderr
    assert headwise("train", treebank, "-o", model, "--on-error", "skip", *FEW).returncode == 0


def test_an_empty_treebank_cannot_be_trained_on(tmp_path: Path) -> None:
    empty = tmp_path / "empty.conllu"
    empty.touch()
    result = headwise("train", empty, "-o", tmp_path / "m.hw")
    assert result.returncode == 1
    assert b"no sentences" in result.stderr


def test_own_templates(files: Path, tmp_path: Path) -> None:
    templates = tmp_path / "templates.txt"
    templates.write_text("h.tag m.tag  # only this\n")
    model = tmp_path / "m.hw"
    result = headwise("train", files / "train.conllu", "-o", model, "--templates", templates, *FEW)
    assert result.returncode == 0, result.stderr.decode()
    assert json.loads(headwise("info", model, "--json").stdout)["arc_templates"] == ["h.tag m.tag"]
    templates.write_text("h.tag q.tag\n")
    wrong = headwise("train", files / "train.conllu", "-o", model, "--templates", templates, *FEW)
    assert wrong.returncode == 1
    assert b"no word is called 'q'" in wrong.stderr


def test_templates_can_be_listed_added_and_switched_off(files: Path, tmp_path: Path) -> None:
    listed = headwise("templates", "sibling").stdout.decode()
    assert listed.startswith("[sibling]")
    assert "\nm.pos s.pos\n" in listed
    changes, model = tmp_path / "changes.txt", tmp_path / "m.hw"
    changes.write_text("[sibling]\n+ m.suffix s.suffix\n- m.pos s.pos\n")
    options = ["--preset", "fast", "--templates", changes, "--epochs", 1, "--arc-bits", 14]
    assert headwise("train", files / "train.conllu", "-o", model, *options).returncode == 0
    used = json.loads(headwise("info", model, "--json").stdout)["part_templates"]["sibling"]
    assert "m.suffix s.suffix" in used
    assert "m.tag s.tag" not in used
    changes.write_text("[sibling]\n- no.such line\n")
    wrong = headwise("train", files / "train.conllu", "-o", model, *options)
    assert wrong.returncode == 1
    assert b"changes.txt:2" in wrong.stderr


def test_info_tells_about_models(files: Path) -> None:
    result = headwise("info", files / "m.hw")
    assert result.returncode == 0
    assert b"projective, one root" in result.stdout
    assert b"100 sentences" in result.stdout


def test_killed_training_resumes(files: Path, tmp_path: Path) -> None:
    """A run that is killed and resumed ends with the bytes of an undisturbed one."""
    whole, killed = tmp_path / "whole.hw", tmp_path / "killed.hw"
    options = ["train", files / "train.conllu", "--factorization", "arc", "--arc-bits", "14", "--epochs"]
    process = subprocess.Popen(
        [*COMMAND, *map(str, options), "1000000", "-o", str(killed)], stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    while b"epoch 3/" not in process.stderr.readline():
        pass
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stderr.close()
    assert not killed.exists()
    epochs = ModelFile.open(f"{killed}.state").config["epoch"] + 3
    resumed = headwise(*options, epochs, "-o", killed, "--resume")
    assert resumed.returncode == 0, resumed.stderr.decode()
    assert b"resuming after epoch" in resumed.stderr
    assert headwise(*options, epochs, "-o", whole, "-q").returncode == 0
    assert killed.read_bytes() == whole.read_bytes()


def test_info_says_which_settings_differ_from_a_preset(files: Path) -> None:
    shown = CliRunner().invoke(app, ["info", str(files / "m.hw")]).stdout
    told = " ".join(shown.split())
    assert "Settings preset fast, arc_bits=14, epochs=3, factorization=arc" in told
    assert "(all of them: --json)" in told
    assert "Kept epoch" in told


def test_info_shows_a_network_as_it_is(files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its size is that of the model, and what is longer than a line is not cut."""
    monkeypatch.setenv("COLUMNS", "60")
    large, model = tmp_path / "large.hw", tmp_path / f"{'a name that is long ' * 4}.hw"
    call = [
        "train",
        str(files / "train.conllu"),
        "-o",
        str(large),
        "--network-alone",
        "--network-width",
        "32",
        "-q",
    ]
    for words in (
        [*call, "--no-calibration", "--network-bits", "32"],
        ["compress", str(large), "-o", str(model), "--network-bits", "8"],
    ):
        assert CliRunner().invoke(app, words).exit_code == 0
    shown = CliRunner().invoke(app, ["info", str(model)]).stdout
    whole = "".join(shown.replace("Model", " ", 1).split())
    assert "…" not in shown
    assert str(model).replace(" ", "") in whole
    assert weights_digest(checked(ModelFile.open(model))[1]) in whole
    assert "2layersof32ineachdirection,of8bits" in whole
    assert "calibrate=False,factorization=arc,network.alone=True,network.epochs=60(all" in whole
    assert "Keptepoch" not in whole


@pytest.mark.parametrize("name", ["model.hw", "encoder.hwe"])
@pytest.mark.parametrize("content", [b"", b"hello\n"])
def test_info_on_what_is_named_as_a_model_and_is_none(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    info, parse = (
        CliRunner().invoke(app, call)
        for call in (["info", str(tmp_path / name)], ["parse", "-m", str(tmp_path / name), "It works."])
    )
    assert info.exit_code == parse.exit_code == 1
    assert isinstance(info.exception, ModelError)
    assert "is not a Headwise model, or is damaged" in str(info.exception)
    assert str(info.exception) == str(parse.exception)
    assert info.stdout == ""


@pytest.mark.parametrize("options", [[], ["--tagger"]])
def test_files_without_sentences_are_named(files: Path, tmp_path: Path, options: list[str]) -> None:
    empty, train = tmp_path / "empty.conllu", str(files / "train.conllu")
    empty.write_text("")
    output = ["-o", str(tmp_path / "m.hw"), *options]
    for call in (["train", str(empty), *output], ["train", train, "--dev", str(empty), *output]):
        result = CliRunner().invoke(app, call)
        assert result.exit_code == 1
        assert str(result.exception).startswith(f"{empty} has no sentences")


def test_interrupted_training_writes_a_model(files: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.hw"
    options = [
        "train",
        files / "train.conllu",
        "-o",
        model,
        "--factorization",
        "arc",
        "--arc-bits",
        "14",
        "--epochs",
        "100000",
    ]
    process = subprocess.Popen([*COMMAND, *map(str, options)], stderr=subprocess.PIPE)
    assert process.stderr is not None
    while b"epoch 3/" not in process.stderr.readline():
        pass
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors.decode()
    assert b"interrupted" in errors
    assert headwise("parse", files / "test.conllu", "-m", model).returncode == 0


def test_a_reader_that_goes_away_is_no_disaster(files: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "parse", str(files / "test.conllu"), "-m", str(files / "m.hw")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    _, errors = process.communicate(timeout=30)
    assert b"Traceback" not in errors


@pytest.mark.parametrize("options", [["--unlabeled"], ["--labels", "latent", "--learner", "log-linear"]])
def test_info_on_a_parser_without_labels(files: Path, tmp_path: Path, options: list[str]) -> None:
    model, dev = tmp_path / "m.hw", files / "test.conllu"
    trained = headwise("train", files / "train.conllu", "--dev", dev, "-o", model, *options, *FEW)
    assert trained.returncode == 0, trained.stderr
    shown = headwise("info", model)
    assert shown.returncode == 0, shown.stderr
    assert b"UAS" in shown.stdout
    assert b"LAS" not in shown.stdout


def test_a_decoder_that_does_not_suit_the_model_is_refused_before_anything_is_read(
    files: Path, tmp_path: Path
) -> None:
    model = tmp_path / "m.hw"
    assert headwise("train", files / "train.conllu", "-o", model, *FEW).returncode == 0
    refused = headwise("parse", tmp_path / "missing.conllu", "-m", model, "--decoder", "max-z")
    assert refused.returncode != 0
    refused = headwise("parse", files / "test.conllu", "-m", model, "--decoder", "max-z")
    assert refused.returncode == 2
    assert "latent labels" in " ".join(refused.stderr.decode().replace("│", " ").split())
