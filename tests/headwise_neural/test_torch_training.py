"""Training by PyTorch: it learns, depends on its seed alone, can be resumed; its models need no PyTorch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from small_networks import NO_DROPOUT, SMALL_TORCH, Twin, examples_of, head_log_probabilities

from headwise import Parser
from headwise.base.errors import HeadwiseError
from headwise.learning.loop import EpochReport, Listener
from headwise.torch import ProjectiveTrees
from headwise.training import TrainingSettings, train_parser
from headwise.training.neural.dropout import Dropout
from headwise.training.neural.losses import Objective
from headwise.training.neural.network import Network
from headwise.training.neural.trainer import NetworkTrainer
from headwise.training.neural.training import chosen_device
from headwise.training.neural.treebank import AtomTreebank
from headwise.treebank import Sentence
from toy_language import toy_treebank

SENTENCES = toy_treebank(40, seed=1)
DEV = toy_treebank(15, seed=2)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def settings(preset: str = "network", seed: int = 1, **torch_settings: Any) -> TrainingSettings:
    chosen: dict[str, Any] = {
        "torch": {**SMALL_TORCH, **torch_settings},
        "network": {"bits": 32},
        "calibrate": False,
        "seed": seed,
    }
    if preset != "network":
        chosen |= {"arc_bits": 14, "label_bits": 14, "epochs": 2}
    return TrainingSettings.preset(preset, **chosen)


def trained(preset: str = "network", seed: int = 1, **torch_settings: Any) -> Parser:
    return train_parser(SENTENCES, DEV, settings(preset, seed, **torch_settings))


def tables(parser: Parser) -> list[bytes]:
    return [np.asarray(parser.weights[name]).tobytes() for name in ("network", "vectors", "vocabulary")]


def assert_exported(parser: Parser, sentences: list[Sentence]) -> None:
    """That PyTorch gives arcs the scores that a parser of a network alone does, and finds the same trees."""
    config, labels = parser.config.network, len(parser.config.labels)
    assert config is not None
    vocabulary = np.asarray(parser.weights["vocabulary"])
    network = Network(config, len(vocabulary), labels, Dropout(0.0, 0.0, 0.0)).eval()
    network.load_tables(np.asarray(parser.weights["network"]), np.asarray(parser.weights["vectors"]))
    examples = examples_of(parser, sentences)
    treebank = AtomTreebank(examples, config.shape(vocabulary, labels), config.given)
    for i, sentence in enumerate(sentences):
        batch = treebank.batch(np.array([i]))
        scores = network(batch)
        own = parser.arc_scores(sentence)
        considered = np.isfinite(own)
        expected = head_log_probabilities(scores.arcs[0], len(sentence))
        np.testing.assert_allclose(own[considered], expected[considered], atol=1e-4)
        arcs = scores.arcs.masked_fill(~torch.from_numpy(considered), -torch.inf)
        trees = ProjectiveTrees(arcs, batch.lengths, single_root=True)
        assert parser(sentence).heads.tolist() == trees.argmax().heads[0].tolist()


def test_it_learns_and_the_exported_network_is_the_same() -> None:
    parser = trained(epochs=25, **NO_DROPOUT)
    assert not parser.config.arc_templates
    assert_exported(parser, DEV)
    hits = np.concatenate([parse.heads == parse.sentence.heads for parse in parser.pipe(DEV)])
    assert hits.mean() > 0.9


def test_it_is_in_bytes_unless_told_otherwise() -> None:
    in_bytes = train_parser(SENTENCES, DEV, settings().changed(network__bits=8))
    assert TrainingSettings.preset("network", torch=True).network.bits == 8
    assert tables(in_bytes) == tables(trained().with_network_bits(8))


def test_vectors_of_words_are_heard(tmp_path: Path) -> None:
    words = sorted({form for sentence in SENTENCES for form in sentence.forms})[:10]
    rng = np.random.default_rng(1)
    lines = [f"{word} {' '.join(f'{x:.4f}' for x in rng.normal(size=6))}" for word in words]
    file = tmp_path / "vectors.txt"
    file.write_text(f"{len(words)} 6\n" + "\n".join(lines) + "\n", encoding="utf-8")
    parser = train_parser(SENTENCES, None, settings().changed(words__vectors=str(file)))
    assert parser.config.network is not None
    assert parser.config.network.given == 6
    assert_exported(parser, DEV[:5])


@pytest.mark.parametrize("loss", ["trees", "margin", "risk"])
def test_every_loss_learns(loss: str) -> None:
    losses: list[float] = []
    listener = Listener(epoch=lambda report: losses.append(report.loss))
    train_parser(SENTENCES, None, settings(loss=loss, epochs=8, **NO_DROPOUT), listener=listener)
    assert losses[-1] < 0.7 * losses[0]


def test_seeds_decide_everything() -> None:
    first, again, other = trained(), trained(), trained(seed=2)
    assert tables(first) == tables(again)
    assert tables(first)[:2] != tables(other)[:2]


def test_a_restored_trainer_goes_on_with_the_same_bytes() -> None:
    twin = Twin.random()

    def make() -> NetworkTrainer:
        network = Network(
            twin.network.config,
            len(twin.network.vectors),
            twin.network.biaffine.label_count,
            Dropout(0.3, 0.3, 0.3),
        )
        network.load_tables(*twin.network.to_tables())
        options: dict[str, Any] = {"device": torch.device("cpu"), "seed": 1, "total": 60}
        return NetworkTrainer(
            network, Objective("heads", True, True), twin.treebank, settings().torch, **options
        )

    whole, halved = make(), make()
    for epoch in range(2):
        order = np.random.default_rng(epoch).permutation(30)
        whole.train(order)
        halved.train(order)
        later = make()
        later.restore(halved.state())
        halved = later
    assert [t.tobytes() for t in whole.averaged()] == [t.tobytes() for t in halved.averaged()]


def test_a_killed_run_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwise.training.neural.training.CHECKPOINTS", 1)
    expected = trained()

    class KilledError(Exception):
        pass

    def kill(report: EpochReport) -> None:
        if report.epoch == 3:
            raise KilledError

    path = tmp_path / "m.hw"
    with pytest.raises(KilledError):
        train_parser(SENTENCES, DEV, settings(), listener=Listener(epoch=kill), model_path=path)
    assert (tmp_path / "m.hw.network.state").exists()
    messages: list[str] = []
    resumed = train_parser(
        SENTENCES,
        DEV,
        settings(),
        listener=Listener(message=messages.append),
        model_path=path,
        resume=True,
    )
    assert "resuming after epoch 2" in messages
    assert tables(resumed) == tables(expected)
    assert not (tmp_path / "m.hw.network.state").exists()


def test_an_interrupted_run_keeps_what_it_has() -> None:
    def interrupt(report: EpochReport) -> None:
        if report.epoch == 2:
            raise KeyboardInterrupt

    parser = train_parser(SENTENCES, None, settings(), listener=Listener(epoch=interrupt))
    assert parser.config.network is not None
    assert parser.config.training["interrupted"]


def test_beside_features_its_weight_is_chosen() -> None:
    messages: list[str] = []
    parser = train_parser(
        SENTENCES, DEV, settings("second", epochs=12), listener=Listener(message=messages.append)
    )
    assert any(message.startswith("the network counts") for message in messages)
    if parser.config.network is not None:  # it is kept only where it helps
        assert f"the network counts {parser.config.network.weight:.3g}" in "\n".join(messages)


def test_partial_trees_and_unknown_labels_of_dev() -> None:
    strange = [s.with_tree(s.heads, ["strange"] * len(s)) for s in DEV[:3]]
    parser = train_parser(SENTENCES, strange, settings(epochs=1))
    assert parser.config.network is not None


def test_a_device_that_is_not_there() -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    with pytest.raises(HeadwiseError, match="--device cpu"):
        chosen_device(settings(device="cuda").torch)


def test_models_run_without_torch(tmp_path: Path) -> None:
    treebank, model = tmp_path / "train.conllu", tmp_path / "m.hw"
    treebank.write_bytes(b"".join(s.to_bytes() for s in SENTENCES))
    main = "from headwise.cli import main; main()"
    small = ["--network-epochs", "1", "--network-width", "16", "--torch-layers", "1", "--no-calibration"]

    def run(code: str, *arguments: str) -> None:
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr

    run(
        main,
        "train",
        f"{treebank}",
        "-o",
        f"{model}",
        "--network-alone",
        "--torch",
        "--device",
        "cpu",
        *small,
    )
    without = "import sys; sys.modules['torch'] = None; " + main
    run(without, "parse", f"{treebank}", "-m", f"{model}", "-o", f"{tmp_path / 'out.conllu'}")
    assert Parser.load(model).config.network is not None
