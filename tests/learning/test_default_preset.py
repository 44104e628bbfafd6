"""Which preset is trained where nobody names one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from command_runner import CliRunner
from headwise import Parser, Pipeline
from headwise.cli.app import app
from headwise.learning import Listener
from headwise.learning.choices import JointTags, Learner, Preset
from headwise.training import TrainingSettings, default_preset, settings_for
from headwise.treebank import Sentence, write
from toy_language import toy_treebank

TINY = {"arc_bits": 14, "label_bits": 14, "epochs": 1, "pruning__bits": 12}
TOY = toy_treebank(20, seed=1)


@pytest.fixture
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy treebank is larger than what ``accurate`` is the default for."""
    monkeypatch.setattr(default_preset, "ACCURATE_WORDS", sum(map(len, TOY)) - 1)


def chosen(sentences: list[Sentence] = TOY, **options: Any) -> tuple[TrainingSettings, str]:
    heard: list[str] = []
    settings = settings_for(sentences, Listener(message=heard.append), **options)
    return settings, "\n".join(heard)


def test_accurate_is_third_order_with_a_network_and_fast_is_second_order() -> None:
    accurate, fast = TrainingSettings.preset("accurate"), TrainingSettings.preset("fast")
    assert accurate == TrainingSettings.preset("third", network=True)
    assert fast == TrainingSettings.preset("second")


def test_by_default_a_treebank_gets_accurate_and_hears_of_fast() -> None:
    settings, heard = chosen()
    assert settings == TrainingSettings.preset("accurate")
    assert "--preset fast" in heard


@pytest.mark.usefixtures("_large")
def test_a_large_treebank_gets_fast_and_hears_of_accurate() -> None:
    settings, heard = chosen(seed=7)
    assert settings == TrainingSettings.preset("fast", seed=7)
    assert "--preset accurate" in heard
    assert f"{sum(map(len, TOY)):,} words" in heard


@pytest.mark.usefixtures("_large")
@pytest.mark.parametrize(
    ("options", "has_network"),
    [
        ({"preset": "accurate"}, True),
        ({"network": True}, True),  # who asks for a network gets it, whatever it takes
        ({"network": {"width": 64}}, True),
        ({"network__weight": 0.2}, True),
        ({"torch": True}, True),
        ({"labels": "joint"}, False),  # no network is possible, so time does not matter: third order
        ({"features_alone": True}, False),
    ],
)
def test_a_large_treebank_gets_third_order_where_the_network_is_asked_for_or_impossible(
    options: dict[str, Any], has_network: bool
) -> None:
    settings, heard = chosen(**options)
    assert settings.factorization == "model1"
    assert settings.has_network == has_network
    assert ("more than an hour" in heard) == (has_network and "preset" not in options)


@pytest.mark.usefixtures("_large")
@pytest.mark.parametrize("default", [{"members": 1}, {"weight": None}, {"bits": 8}])
def test_who_gives_the_default_of_a_setting_asks_for_no_network(default: dict[str, Any]) -> None:
    assert chosen(network=default)[0] == TrainingSettings.preset("fast")


@pytest.mark.parametrize(
    "changes",
    [
        {"factorization": "arc"},
        {"labels": "joint"},
        {"labels": "latent", "learner": "log-linear"},
        {"factorization": "arc", "rival": "independent"},
    ],
)
def test_what_excludes_a_network_leaves_it_out(changes: dict[str, Any]) -> None:
    settings, _ = chosen(**changes)
    assert not settings.has_network
    assert all(getattr(settings, name) == value for name, value in changes.items())


@pytest.mark.parametrize("changes", [{"factorization": "arc"}, {"labels": "joint"}])
def test_the_default_says_that_it_is_left_out_and_by_what(changes: dict[str, Any]) -> None:
    option = " ".join(f"--{name} {value}" for name, value in changes.items())
    assert chosen(**changes)[1] == f"preset accurate without its network, for which {option} leaves no place"
    assert chosen(**changes, network=False)[1] == ""


@pytest.mark.parametrize("preset", ["accurate", "full"])
@pytest.mark.parametrize("changes", [{"factorization": "arc"}, {"labels": "joint"}])
def test_a_preset_that_is_named_does_not_lose_its_network_silently(
    preset: Preset, changes: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match=f"preset='{preset}' has a network.*preset='fast', or network=False"):
        chosen(preset=preset, **changes)
    if changes == {"labels": "joint"}:
        for without in ({"network": False}, {"network": {"use": False}}, {"network__use": False}):
            assert not chosen(preset=preset, **changes, **without)[0].has_network
    assert not chosen(preset="fast", **changes)[0].has_network
    with pytest.raises(ValueError, match="preset is 'fats', must be one of"):
        chosen(preset="fats")


@pytest.mark.parametrize("learner", get_args(Learner))
def test_the_default_trains_with_every_learner(learner: Learner) -> None:
    trees = "nonprojective" if learner == "samplerank" else "auto"
    small: dict[str, Any] = {**TINY, "network__width": 16, "calibrate": False}
    parser = Parser.train(TOY, learner=learner, trees=trees, **small)
    assert parser.config.network is not None


@pytest.mark.parametrize("way", get_args(JointTags))
def test_the_default_does_with_joint_tags(way: JointTags) -> None:
    small: dict[str, Any] = {**TINY, "network__width": 16, "calibrate": False}
    pipeline = Pipeline.train(TOY, jackknife=2, joint_tags=way, **small)
    assert (pipeline.parser.config.network is not None) == (way == "climb")


@pytest.mark.parametrize(
    ("options", "has_network"),
    [
        (["--network-width", "16"], True),
        (["--preset", "fast"], False),
        (["--labels", "joint"], False),
        (["--no-network"], False),
    ],
)
def test_the_command_line(options: list[str], has_network: bool, tmp_path: Path) -> None:
    write(TOY, tmp_path / "toy.conllu")
    few = ["--epochs", "1", "--arc-bits", "14", "--no-calibration"]
    call = ["train", str(tmp_path / "toy.conllu"), "-o", str(tmp_path / "m.hw"), *few, *options]
    result = CliRunner().invoke(app, call)
    assert result.exit_code == 0, result.output
    assert ("preset accurate: features and a network" in result.stderr) == has_network
    assert ("without its network" in result.stderr) == ("joint" in options)
    assert (Parser.load(tmp_path / "m.hw").config.network is not None) == has_network


def test_a_call_that_names_a_preset_and_excludes_its_network_is_refused(tmp_path: Path) -> None:
    write(TOY, tmp_path / "toy.conllu")
    call = ["train", str(tmp_path / "toy.conllu"), "-o", str(tmp_path / "m.hw"), "--labels", "joint"]
    result = CliRunner().invoke(app, [*call, "--preset", "accurate"])
    assert result.exit_code == 2
    told = " ".join(result.stderr.replace("│", " ").split())
    assert "--preset accurate has a network, for which --labels joint leaves no place" in told
    assert "--preset fast, or --no-network, or no --labels joint" in told
