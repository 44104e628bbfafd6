"""What is wrong with settings is said in the names of the options that somebody typed."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from command_runner import CliRunner
from headwise.cli.app import app
from headwise.cli.setting_names import ALIKE, OF_SETTINGS, as_typed
from headwise.training import TrainingSettings
from headwise.treebank import write
from toy_language import toy_treebank


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--networks", "17"], "--networks is 17, must be from 1 to 16"),
        (["--torch", "--torch-width", "30"], "--torch-width is 30, must be a multiple of 16"),
        (["--labels", "joint", "--network"], "found afterwards: --labels separate, or --no-network"),
        (["--labels", "joint", "--torch"], "found afterwards: --labels separate, or no --torch"),
        (
            ["--preset", "network", "--no-network"],
            "--preset network has no features, and there is no network",
        ),
        (["--network-width", "30"], "--network-width is 30, must be a multiple of 16"),
        (["--network-width", "32", "--torch"], "not for --torch, which has --torch-width"),
        (["--network-width", "32", "--preset", "fast"], "as there is no network: add --network"),
        (["--network-weight", "2", "--preset", "fast"], "--network-weight changes nothing"),
        (["--network-bits", "8", "--no-network"], "--network-bits changes nothing, as there is no network"),
        (["--network-weight", "2", "--preset", "network"], "no features to weigh the network against"),
        (["--network-width", "32", "--labels", "joint"], "as there is no network"),
        (["--network-width", "32", "--joint-tags", "senses"], "finds no network beside --joint-tags senses"),
        (
            ["--torch", "--no-network"],
            "--torch and --pretrained train a network, and --no-network wants none",
        ),
        (["--labels", "latent"], "--labels latent needs --learner log-linear"),
        (["--regularization", "-1"], "--regularization is -1.0, must be positive"),
    ],
)
def test_errors_name_options(options: list[str], told: str, tmp_path: Path) -> None:
    write(toy_treebank(3, seed=1), tmp_path / "toy.conllu")
    call = ["train", str(tmp_path / "toy.conllu"), "-o", str(tmp_path / "m.hw"), *options]
    result = CliRunner().invoke(app, call)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.replace("│", " ").split())


def test_every_name_is_one_of_a_setting_and_of_an_option() -> None:
    settings = TrainingSettings()
    known = {"preset"} | {f.name for f in fields(settings)}
    for f in fields(settings):
        if is_dataclass(group := getattr(settings, f.name)):
            known |= {f"{f.name}.{own.name}" for own in fields(group)}
    assert set(OF_SETTINGS) | set(ALIKE.split("|")) <= known
    train = app.get_command(None, "train")  # type: ignore[arg-type]
    options = {name for one in train.params for name in one.opts}  # type: ignore[union-attr]
    typed = {option.split()[0] for option in OF_SETTINGS.values()}
    assert typed | {f"--{name}" for name in ALIKE.split("|")} <= options


def test_other_words_stay() -> None:
    assert as_typed("network.membership is no setting") == "network.membership is no setting"
    assert as_typed("roles need a factorization above 'arc'") == "roles need a factorization above 'arc'"
