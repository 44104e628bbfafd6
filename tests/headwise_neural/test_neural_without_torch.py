"""PyTorch is asked for where a network is to be trained by it, and not before."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from headwise import Parser
from headwise.training import TrainingSettings
from toy_language import toy_treebank

WITHOUT = "import sys; sys.modules['torch'] = None; "


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code, *arguments], capture_output=True, text=True, check=False
    )


def test_the_error_says_what_to_install(tmp_path: Path) -> None:
    treebank = tmp_path / "train.conllu"
    treebank.write_bytes(b"".join(s.to_bytes() for s in toy_treebank(5, seed=1)))
    main = "from headwise.cli import main; main()"
    result = run(main, "train", str(treebank), "-o", str(tmp_path / "m.hw"), "--torch")
    assert result.returncode != 0
    assert "pip install headwise[torch]" in result.stderr
    assert "Traceback" not in result.stderr


def test_options_of_torch_need_it(tmp_path: Path) -> None:
    main = "from headwise.cli import main; main()"
    result = run(main, "train", "none.conllu", "-o", str(tmp_path / "m.hw"), "--device", "cpu")
    assert result.returncode != 0
    assert "--torch" in result.stderr


def test_torch_is_installed() -> None:
    if importlib.util.find_spec("torch") is None:
        pytest.skip("PyTorch is not installed: nothing of headwise.training.neural was tested")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"network__width": 20}, "multiple of 16"),
        ({"torch__dropout": 1.0}, "below 1"),
        ({"network__epochs": 0}, "at least 1"),
        ({"torch__loss": "none"}, "must be one of"),
        ({"network__pieces": 17}, "from 0 to 16"),
    ],
)
def test_impossible_settings_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainingSettings.preset("third", **changes)


def test_a_network_alone_is_of_first_order() -> None:
    assert TrainingSettings.preset("network").network.alone
    assert not TrainingSettings.preset("network").has_larger_parts
    with pytest.raises(ValueError, match="arc"):
        TrainingSettings.preset("third", network={"use": True, "alone": True})


def test_a_network_beside_features_needs_larger_parts() -> None:
    with pytest.raises(ValueError, match="network"):
        TrainingSettings.preset("first", torch=True)


def test_networks_are_weighed_beside_features_unless_their_weight_is_given() -> None:
    assert TrainingSettings.preset("third", network=True).weighs_network
    assert TrainingSettings.preset("third", torch=True).weighs_network
    assert not TrainingSettings.preset("third", torch=True, network__weight=0.4).weighs_network
    assert not TrainingSettings.preset("network", torch=True).weighs_network
    assert not TrainingSettings.preset("third").weighs_network


def test_the_native_trainer_trains_a_network_alone() -> None:
    parser = Parser.train(toy_treebank(100, seed=3), preset="network", network__width=32, calibrate=False)
    assert not parser.config.arc_templates
    assert not parser.config.label_templates
    right = words = 0
    for parse in parser.pipe(toy_treebank(20, seed=4)):
        right += int((parse.heads == parse.sentence.heads).sum())
        words += len(parse.sentence)
    assert right / words > 0.85
