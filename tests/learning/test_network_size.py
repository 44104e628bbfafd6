"""What a treebank decides about its network where nobody says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_runner import CliRunner
from headwise import Parser
from headwise.cli.app import app
from headwise.components.network.size import (
    NATIVE_EPOCHS,
    TORCH_EPOCHS,
    NetworkSize,
    native_size,
    torch_size,
    with_network_size,
)
from headwise.learning import Listener
from headwise.training import TrainingSettings
from headwise.training.train import dev_scores
from headwise.treebank import write
from toy_language import SMALL, toy_treebank

TOY = toy_treebank(30, seed=1)


def native_of(words: int) -> NetworkSize:
    return native_size(max(1, words // 16), words)


@pytest.mark.parametrize(("size", "epochs"), [(native_of, NATIVE_EPOCHS), (torch_size, TORCH_EPOCHS)])
@given(words=st.integers(0, 3_000_000), more=st.integers(0, 1_000_000))
def test_small_treebanks_are_read_more_often(
    size: Callable[[int], NetworkSize], epochs: tuple[int, int], words: int, more: int
) -> None:
    smaller, larger = size(words), size(words + more)
    assert epochs[0] <= larger.epochs <= smaller.epochs <= epochs[1]
    assert smaller.width % 16 == 0


@given(words=st.integers(0, 3_000_000), more=st.integers(0, 1_000_000))
def test_a_network_is_wide_where_that_takes_no_time(words: int, more: int) -> None:
    """The core's are wide where there is little to read; those of a GPU where there is much to learn."""
    assert native_of(words).width >= native_of(words + more).width
    small, large = torch_size(words), torch_size(words + more)
    assert (small.width, small.layers) <= (large.width, large.layers)


def test_sizes_that_figures_were_measured_with() -> None:
    """EWT, 12,544 sentences of 204,577 words, and Gothic, 3,387 of 35,024."""
    assert native_size(12_544, 204_577) == NetworkSize(192, 2, 15)
    assert native_size(3_387, 35_024) == NetworkSize(256, 2, 57)
    assert torch_size(204_577) == NetworkSize(400, 3, 60)
    assert torch_size(35_024) == NetworkSize(256, 2, 200)


def test_what_is_chosen_stays() -> None:
    own = TrainingSettings.preset("accurate", network={"width": 48, "epochs": 3})
    assert with_network_size(own, TOY) == own
    torch = TrainingSettings.preset("accurate", torch={"use": True, "width": 48, "layers": 1, "epochs": 3})
    assert (torch.network.width, torch.network.epochs) == (48, 3)
    assert with_network_size(torch, TOY) == torch
    features = TrainingSettings.preset("fast")
    assert with_network_size(features, TOY) == features


def test_a_pretrained_file_decides_how_wide_and_how_deep() -> None:
    settings = TrainingSettings.preset("accurate", torch={"use": True, "pretrained": "en.hwe"})
    found = with_network_size(settings, TOY)
    assert (found.network.width, found.torch.layers) == (None, None)
    assert found.network.epochs == torch_size(sum(map(len, TOY))).epochs


def test_the_choice_is_said_and_stored() -> None:
    heard: list[str] = []
    small = {**SMALL, "preset": "second", "network": {"use": True, "width": 16}, "calibrate": False}
    parser = Parser.train(TOY, listener=Listener(message=heard.append), **small)
    assert any("16 wide, 60 epochs" in line for line in heard)
    stored = parser.config.training["settings"]["network"]
    assert (stored["width"], stored["epochs"]) == (16, 60)


def test_the_width_is_an_option_and_a_network_alone_says_how_good_it_is(tmp_path: Path) -> None:
    write(TOY, tmp_path / "train.conllu")
    model, treebank = str(tmp_path / "m.hw"), str(tmp_path / "train.conllu")
    call = ["train", treebank, "--dev", treebank, "-o", model, "--network-alone", "--no-calibration"]
    call += ["--full-precision"]  # what is said is of the weights before they are rounded
    trained = CliRunner().invoke(app, [*call, "--network-width", "32"])
    assert trained.exit_code == 0, trained.output
    assert "32 wide" in trained.stderr
    parser = Parser.load(model)
    assert parser.config.network is not None
    assert parser.config.network.lstm == 32
    assert f"with a network alone: {dev_scores(parser, TOY, 1)}\n" in trained.stderr
