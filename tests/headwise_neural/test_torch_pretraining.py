"""What raw text teaches a network: it learns, depends on its seed alone, is resumed, fits or is refused."""

from __future__ import annotations

import lzma
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from small_networks import SMALL_TORCH

from command_runner import CliRunner
from headwise import Parser
from headwise._native.clusters import WordLineCollector
from headwise.base.errors import HeadwiseError
from headwise.cli.app import app
from headwise.components.network.pretrained import Pretrained, Sizes
from headwise.learning.loop import EpochReport, Listener
from headwise.model import ModelError, read_model, write_model
from headwise.training import TrainingSettings, train_parser
from headwise.training.neural.dropout import Dropout
from headwise.training.neural.network import Network
from headwise.training.neural.pretraining import LanguageModel, pretrain
from headwise.training.neural.text import Text, TextBatches
from headwise.training.pretraining_settings import PretrainingSettings
from headwise.treebank import write
from toy_language import WORDS, toy_treebank

SETTINGS = PretrainingSettings(
    epochs=2, width=16, layers=2, vectors=12, batch=500, samples=15, pieces=3, device="cpu", rate=0.01
)
TEXT = "".join(" ".join(s.forms) + "\n" for s in toy_treebank(300, seed=5)) + "zebras meet gnus\n" * 10


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def collected(text: str = TEXT) -> WordLineCollector:
    collector = WordLineCollector()
    collector.add(text.encode(), " ")
    return collector


@pytest.fixture(scope="module")
def learned() -> Pretrained:
    return pretrain(collected(), SETTINGS)


def tables(found: Pretrained) -> list[bytes]:
    return [found.vocabulary.tobytes(), found.vectors.tobytes(), found.layers.tobytes()]


def test_batches_say_what_stands_beside_each_word() -> None:
    text = Text.of(collected("a b c\nb a\nlonely\nc c b a\n" * 2), 2, replace(SETTINGS, at_least=1))
    assert len(text) == 6  # a line of one word teaches nothing
    batch = TextBatches(text).batch(np.array([0, 1, 2]))
    types: Any = batch.read_as
    name = {int(text.targets[n]): n for n in range(len(text.targets)) if text.targets[n] >= 0}
    assert len(name) == 4
    sentences = batch.sentence.numpy()
    for s in range(3):
        own = np.flatnonzero(sentences == s)
        targets, after, before = (t.numpy()[own].tolist() for t in (types.targets, types.after, types.before))
        assert targets[0] == -1  # the root
        assert after == [*targets[1:], -1]
        assert before[1:] == targets[:-1]
        assert before[0] == -1


def test_every_word_of_the_text_has_its_atoms() -> None:
    """As a network that reads a treebank finds them."""
    text = Text.of(collected(), 3, SETTINGS)
    shape = Sizes(12, 16, 2, 3).network().shape(text.vocabulary, 0)
    sentence = toy_treebank(1, seed=5)[0]
    expected = [sorted(rows) for rows in shape.vector_rows(sentence)]
    numbers = [0, *text.numbers[: len(sentence)].tolist()]
    assert [sorted(text.rows[text.first[n] : text.first[n + 1]].tolist()) for n in numbers] == expected


def test_the_loss_of_a_sample_of_all_words_is_that_of_all() -> None:
    """With every word in the sample as often as the sample expects it, the sum is over the vocabulary."""
    text = Text.of(collected(), 3, SETTINGS)
    model = LanguageModel(
        Network(Sizes(12, 16, 2, 3).network(), len(text.vocabulary), 0, Dropout(0, 0, 0)), text, SETTINGS
    )
    model.start(torch.Generator().manual_seed(1), torch.zeros(len(text.vocabulary), dtype=torch.bool))
    words = len(text.target_counts)
    model._shares.fill_(1 / words)
    states = torch.randn(30, 12, generator=torch.Generator().manual_seed(2))
    targets = torch.arange(30) % words
    loss, _ = model._loss(states, targets, torch.arange(words))
    scores = states @ model.words.weights.T + model.words.bias
    expected = torch.nn.functional.cross_entropy(scores, targets, reduction="sum")
    assert float(loss.detach()) == pytest.approx(float(expected.detach()), rel=1e-5)


def test_it_learns_what_comes_next() -> None:
    losses: list[float] = []
    pretrain(
        collected(), replace(SETTINGS, epochs=8), listener=Listener(epoch=lambda r: losses.append(r.loss))
    )
    assert losses[-1] < 0.95 * losses[0]


def test_words_that_are_used_alike_have_vectors_alike() -> None:
    found = pretrain(collected(TEXT * 3), replace(SETTINGS, epochs=8, spellings=1, pieces=0))
    network = found.config.sizes.network()
    shape = network.shape(found.vocabulary, 0)
    vectors = found.vectors.reshape(-1, 12)
    from headwise.treebank import Sentence

    def vector(word: str) -> np.ndarray:
        own = vectors[shape.vector_rows(Sentence.from_words([word]))[1]].sum(axis=0)
        return own / np.linalg.norm(own)

    nouns, verbs = [[vector(w) for w in WORDS[tag]] for tag in ("NOUN", "VERB")]
    alike = np.mean([a @ b for i, a in enumerate(nouns) for b in nouns[:i]])
    unlike = np.mean([a @ b for a in nouns for b in verbs])
    assert alike > unlike + 0.2


def test_seeds_decide_everything(learned: Pretrained) -> None:
    assert tables(pretrain(collected(), SETTINGS)) == tables(learned)
    other = tables(pretrain(collected(), replace(SETTINGS, seed=2)))
    assert other[0] == tables(learned)[0]
    assert other[1] != tables(learned)[1]


def test_a_killed_run_is_resumed(learned: Pretrained, tmp_path: Path) -> None:
    class KilledError(Exception):
        pass

    killed: list[int] = []

    def kill(epoch: int, fraction: float) -> None:
        if epoch == 2:
            killed.append(epoch)
            raise KilledError

    path = tmp_path / "x.hwe"
    with pytest.raises(KilledError):
        pretrain(collected(), SETTINGS, listener=Listener(progress=kill), output=path)
    assert (tmp_path / "x.hwe.state").exists()
    assert tables(pretrain(collected(), SETTINGS, output=path, resume=True)) == tables(learned)
    assert not (tmp_path / "x.hwe.state").exists()
    with pytest.raises(KilledError):
        pretrain(collected(), SETTINGS, listener=Listener(progress=kill), output=path)
    with pytest.raises(HeadwiseError):
        pretrain(collected(TEXT + "a b\n"), SETTINGS, output=path, resume=True)


def trained(pretrained: Path | None) -> Parser:
    torch_settings = {**SMALL_TORCH, "epochs": 1, "reads_tags": False}
    if pretrained is not None:  # which decides how wide layers are, and how many there are
        torch_settings = {k: v for k, v in torch_settings.items() if k not in ("width", "layers")}
        torch_settings["pretrained"] = str(pretrained)
    settings = TrainingSettings.preset("network", torch=torch_settings, network={"bits": 32}, calibrate=False)
    return train_parser(toy_treebank(20, seed=1), None, settings)


def test_a_parser_starts_from_it(learned: Pretrained, tmp_path: Path) -> None:
    learned.save(tmp_path / "x.hwe")
    parser = trained(tmp_path / "x.hwe")
    network = parser.config.network
    assert network is not None
    assert (network.vectors, network.lstm, network.layers, network.pieces) == (12, 16, 2, 3)
    vocabulary = np.asarray(parser.weights["vocabulary"])
    assert vocabulary[: len(learned.vocabulary)].tolist() == learned.vocabulary.tolist()
    assert parser.config.training["settings"]["torch"]["pretrained"] == "x.hwe"
    # Words that the treebank lacks keep the vectors of the text.
    vectors = np.asarray(parser.weights["vectors"]).reshape(-1, 12)[: len(learned.vocabulary)]
    same = (vectors == learned.vectors.reshape(-1, 12)).all(axis=1)
    assert 0 < same.sum() < len(same)


def test_files_that_are_broken_are_refused(learned: Pretrained, tmp_path: Path) -> None:
    path = tmp_path / "x.hwe"
    learned.save(path)
    assert tables(Pretrained.load(path)) == tables(learned)
    config, tensors = read_model(path, "pretrained encoder")
    for name, broken in (
        ("vectors", tensors["vectors"][:-1]),
        ("layers", tensors["layers"][:-1]),
        ("vocabulary", np.zeros_like(tensors["vocabulary"])),
        ("layers", np.full_like(tensors["layers"], np.nan)),
    ):
        write_model(path, "pretrained encoder", config, {**tensors, name: broken})
        with pytest.raises(ModelError, match="is not a usable pretrained encoder"):
            Pretrained.load(path)
    path.write_bytes(b"nothing")
    with pytest.raises(ModelError):
        trained(path)
    parser = trained(None)
    parser.save(path)
    with pytest.raises(ModelError, match="holds a parser"):
        trained(path)


def test_the_command(tmp_path: Path) -> None:
    text, output = tmp_path / "t.txt.xz", tmp_path / "t.hwe"
    with lzma.open(text, "wt", encoding="utf-8") as file:
        file.write(TEXT)
    sizes = ["--epochs", "1", "--words", "50", "--vectors", "8", "--width", "16", "--layers", "1"]
    sizes += ["--device", "cpu"]
    runner = CliRunner()
    done = runner.invoke(app, ["pretrain", str(text), "--input", "tokens", *sizes, "-o", str(output)])
    assert done.exit_code == 0, done.output
    assert "that 3," in done.output or "words of text taught" in done.output
    write(toy_treebank(20, seed=1), tmp_path / "train.conllu")
    train = ["train", str(tmp_path / "train.conllu"), "--network-alone", "-o", str(tmp_path / "m.hw")]
    train += ["--pretrained", str(output), "--no-calibration"]
    done = runner.invoke(app, [*train, "--network-epochs", "1", "--device", "cpu"])
    assert done.exit_code == 0, done.output
    assert Parser.load(tmp_path / "m.hw").config.network is not None
    for refused in (["--torch-layers", "2"], ["--network-width", "16"], ["--no-network"]):
        assert runner.invoke(app, [*train, *refused]).exit_code == 2


@pytest.mark.parametrize(("name", "value"), [("width", 20), ("pieces", 17), ("masked", 1.0), ("epochs", 0)])
def test_impossible_settings_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        PretrainingSettings(**{name: value})


def test_a_text_without_sentences_is_refused() -> None:
    with pytest.raises(HeadwiseError, match="no sentence"):
        pretrain(collected("one\ntwo\n" * 3), SETTINGS)


def test_a_report_tells_the_loss_of_a_word() -> None:
    reports: list[EpochReport] = []
    pretrain(collected(), replace(SETTINGS, epochs=1), listener=Listener(epoch=reports.append))
    assert 0 < reports[0].loss < 3 * np.log(len(WORDS) * 10)
