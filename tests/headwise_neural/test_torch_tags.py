"""A network that reads bare words and finds tags beside trees: in PyTorch as natively, and in a pipeline."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from small_networks import NO_DROPOUT, SMALL_TORCH

from headwise import Parser, Pipeline
from headwise._native import learning as native
from headwise.components.tagging import Tagger
from headwise.components.tagging.tag_task import TagTask
from headwise.learning.loop import EpochReport, Listener
from headwise.training import TrainingSettings, train_parser
from headwise.training.neural.dropout import Dropout
from headwise.training.neural.network import Network
from headwise.training.neural.tag_head import tag_pieces
from headwise.training.neural.treebank import AtomTreebank
from headwise.treebank import Sentence
from toy_language import toy_treebank

SENTENCES, DEV = toy_treebank(60, seed=1), toy_treebank(15, seed=2)
NETWORK: dict[str, Any] = {**SMALL_TORCH, "epochs": 12, "tags": 11, "reads_tags": False}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger.train(SENTENCES, bits=14, epochs=1, frequent=1000, lemmas=False)


@pytest.fixture(scope="module")
def reader(tagger: Tagger) -> Parser:
    settings = TrainingSettings.preset(
        "network", torch={**NETWORK, **NO_DROPOUT, "epochs": 25}, network={"bits": 32}, calibrate=False
    )
    return train_parser(SENTENCES, DEV, settings, tags=TagTask.of(tagger.config, SENTENCES, DEV))


def test_tags_share_their_pieces() -> None:
    pieces = tag_pieces([["NOUN", "NN", "Case=Nom|Number=Sing"], ["NOUN", "NNS", "_"], ["NOUN", "NN", "_"]])
    shared = (pieces @ pieces.T).tolist()
    assert shared == [[5, 1, 2], [1, 3, 1], [2, 1, 3]]  # upos, xpos, two features; the whole tag is its own


def test_it_learns_tags_and_the_exported_network_knows_them(tagger: Tagger, reader: Parser) -> None:
    """What a tagger hears natively is what PyTorch computes."""
    config, labels = reader.config.network, len(reader.config.labels)
    assert config is not None
    assert config.tag_count == len(tagger.config.tags)
    vocabulary = np.asarray(reader.weights["vocabulary"])
    network = Network(config, len(vocabulary), labels, Dropout(0.0, 0.0, 0.0)).eval()
    network.load_tables(np.asarray(reader.weights["network"]), np.asarray(reader.weights["vectors"]))
    assert [t.tobytes() for t in network.to_tables()] == [
        np.asarray(reader.weights[name]).tobytes() for name in ("network", "vectors")
    ]
    shape = reader.config.shape(reader.weights)
    examples = [native.TrainingExample(s, s.heads, reader.label_ids(s.labels), shape) for s in DEV]
    treebank = AtomTreebank(examples, config.shape(vocabulary, labels), 0)
    numbers = {tuple(tag): t for t, tag in enumerate(tagger.config.tags)}
    right = words = 0
    for i, sentence in enumerate(DEV):
        scores = network(treebank.batch(np.array([i]))).tags
        assert scores is not None
        expected = scores[0, 1:].log_softmax(dim=-1).detach().numpy()
        alone, heard = tagger.lattice(sentence), tagger.with_network(reader, 1.0).lattice(sentence)
        prices = [
            expected[m, numbers[tag]] * (len(word) > 1) for m, word in enumerate(alone.tags) for tag in word
        ]
        np.testing.assert_allclose(
            heard._scores - alone._scores, np.array(prices)[alone._places], atol=1e-4, rtol=1e-4
        )
        found = [tagger.config.tags[t][0] for t in expected.argmax(axis=1)]
        right, words = (
            right + sum(a == b for a, b in zip(found, sentence.upos, strict=True)),
            words + len(found),
        )
    assert right > 0.95 * words


def test_tags_of_words_make_no_difference_to_it(reader: Parser) -> None:
    shape = reader.config.network
    assert shape is not None
    own = shape.shape(np.asarray(reader.weights["vocabulary"]), len(reader.config.labels))
    for sentence in DEV:
        bare = Sentence.from_words(sentence.forms)
        assert own.vector_rows(bare) == own.vector_rows(sentence)


@pytest.mark.parametrize("preset", ["second", "network"])
def test_a_pipeline_has_one_network(preset: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"torch": {**NETWORK, "epochs": 3}, "calibrate": False}
    if preset == "second":
        options |= {"arc_bits": 14, "label_bits": 14, "epochs": 1}
    shown: list[str] = []
    reports: list[EpochReport] = []
    listener = Listener(message=shown.append, epoch=reports.append)
    pipeline = Pipeline.train(SENTENCES, DEV, preset=preset, jackknife=2, listener=listener, **options)
    assert sum("by PyTorch" in line for line in shown) == 1
    assert "tags" in (reports[0].dev.measures() if reports[0].dev else {})
    assert pipeline.parser.config.network is not None
    assert pipeline.parser.config.network.tag_count == len(pipeline.tagger.config.tags)
    # Whatever the development set said, a tagger that hears runs without PyTorch.
    heard = Pipeline(pipeline.tokenizer, pipeline.tagger.with_network(pipeline.parser, 0.5), pipeline.parser)
    heard.save(tmp_path / "p.hw")
    words = DEV[0].forms
    expected = next(heard.pipe_sentences([words])).to_sentence()
    program = (
        "import sys; sys.modules['torch'] = None\n"
        f"from headwise import Pipeline; p = Pipeline.load({str(tmp_path / 'p.hw')!r})\n"
        f"s = next(p.pipe_sentences([{words!r}])).to_sentence(); print(s.upos, s.heads.tolist())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{expected.upos} {expected.heads.tolist()}"


@pytest.mark.parametrize("when", ["network", "tags", "parser"])
def test_an_interrupted_run_is_a_whole_pipeline(when: str) -> None:
    """Where the parser has not come to hear the network, it is put beside what features there are."""

    def at_epoch(report: EpochReport) -> None:
        measures = report.dev.measures() if report.dev else {}
        if "uas" in measures and ("tags" in measures) == (when == "network") and when != "tags":
            raise KeyboardInterrupt

    def at_message(text: str) -> None:
        if when == "tags" and text.startswith("tagging the training data"):
            raise KeyboardInterrupt

    network = {**NETWORK, "epochs": 2}
    listener = Listener(epoch=at_epoch, message=at_message)
    options: dict[str, Any] = {"arc_bits": 14, "label_bits": 14}
    pipeline = Pipeline.train(SENTENCES, DEV, jackknife=2, torch=network, listener=listener, **options)
    assert pipeline.parser.config.network is not None
    assert pipeline.parser.config.arc_templates
    heard = Pipeline(pipeline.tokenizer, pipeline.tagger.with_network(pipeline.parser, 0.5), pipeline.parser)
    assert len(heard("The dog sees a tree .")) >= 1


def test_a_killed_pipeline_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed in its network, then in its parser; the network is not trained from the start again."""
    monkeypatch.setattr("headwise.training.neural.training.CHECKPOINTS", 1)
    whole, path = tmp_path / "whole.hw", tmp_path / "killed.hw"

    class KilledError(Exception):
        pass

    def train(path: Path, stage: str = "", epochs: int = 0, **options: Any) -> list[str]:
        """Killed after so many epochs of a stage."""
        messages: list[str] = []
        reports: list[str] = []

        def count(_: EpochReport) -> None:
            reports.append(next(m for m in reversed(messages) if m.startswith("training the")))
            if reports.count(stage) == epochs and epochs:
                raise KilledError

        chosen = TrainingSettings.preset(
            "second", torch=SMALL_TORCH, network={"use": True}, arc_bits=10, label_bits=10, epochs=3
        )
        listener = Listener(message=messages.append, epoch=count)
        Pipeline.train(
            SENTENCES, DEV, settings=chosen, jackknife=2, listener=listener, model_path=path, **options
        ).save(path)
        return messages

    train(whole)
    with pytest.raises(KilledError):
        train(path, "training the network", 3)
    with pytest.raises(KilledError):
        train(path, "training the parser", 2, resume=True)
    assert {file.name for file in tmp_path.glob("*.state")} == {"killed.hw.state", "killed.hw.network.state"}
    messages = train(path, resume=True)
    assert messages.count("resuming after epoch 3") == 1  # of 4, the network
    assert messages.count("resuming after epoch 1") == 1  # the parser
    assert path.read_bytes() == whole.read_bytes()
    assert not list(tmp_path.glob("*.state"))
