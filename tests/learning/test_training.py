"""Training: it learns, it is the same for a seed, it survives interruption."""

from __future__ import annotations

import _thread
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from headwise import HeadwiseError, Parser
from headwise.learning import EpochReport, Listener
from headwise.training import TrainingSettings, train_parser
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank

SETTINGS = TrainingSettings.preset(**SMALL)


def accuracy(parser: Parser, sentences: list[Sentence]) -> tuple[float, float]:
    words = heads = labels = 0
    for parse in parser.pipe(sentences):
        words += len(parse)
        heads += int(np.sum(parse.heads == parse.sentence.heads))
        labels += sum(a == b for a, b in zip(parse.labels, parse.sentence.labels, strict=True))
    return heads / words, labels / words


@pytest.mark.parametrize("learner", ["mira", "perceptron"])
@pytest.mark.parametrize("labels", ["separate", "joint"])
@pytest.mark.parametrize("trees", ["projective", "nonprojective"])
@pytest.mark.parametrize("root", ["single", "multi"])
def test_every_setting_learns_the_toy_language(
    learner: str,
    labels: str,
    trees: str,
    root: str,
    train_sentences: list[Sentence],
    test_sentences: list[Sentence],
) -> None:
    parser = Parser.train(train_sentences, learner=learner, labels=labels, trees=trees, root=root, **SMALL)
    uas, label_accuracy = accuracy(parser, test_sentences)
    assert uas > 0.97
    assert label_accuracy > 0.97


def test_unlabeled_training_keeps_the_epoch_with_the_best_heads(
    train_sentences: list[Sentence], test_sentences: list[Sentence]
) -> None:
    parser = Parser.train(train_sentences[:10], test_sentences, labels="none", **{**SMALL, "epochs": 6})
    history = parser.config.training["history"]
    assert (
        parser.config.training["best_epoch"] == max(history, key=lambda epoch: epoch["dev"]["uas"])["epoch"]
    )


def test_a_treebank_without_tags_is_learned_from_the_words(
    train_sentences: list[Sentence], test_sentences: list[Sentence]
) -> None:
    def bare(sentences: list[Sentence]) -> list[Sentence]:
        return [Sentence.from_words(s.forms, heads=s.heads, labels=s.labels) for s in sentences]

    parser = Parser.train(bare(train_sentences), **SMALL)
    uas, label_accuracy = accuracy(parser, bare(test_sentences))
    assert uas > 0.9
    assert label_accuracy > 0.9


def test_unlabeled_parser_writes_no_labels(
    train_sentences: list[Sentence], test_sentences: list[Sentence]
) -> None:
    parser = Parser.train(train_sentences, labels="none", **SMALL)
    assert accuracy(parser, test_sentences)[0] > 0.97
    assert set(parser(test_sentences[0]).labels) == {"_"}


def model_bytes(parser: Parser, path: Path) -> bytes:
    parser.save(path)
    return path.read_bytes()


def test_same_seed_same_bytes_whatever_the_threads(train_sentences: list[Sentence], tmp_path: Path) -> None:
    def train(**changes: int) -> bytes:
        return model_bytes(
            train_parser(train_sentences, None, replace(SETTINGS, **changes)), tmp_path / "m.hw"
        )

    assert train(seed=7) == train(seed=7, threads=2)
    assert train(seed=7) != train(seed=8)


class Killed(Exception):
    pass


def kill_after(epoch: int) -> Listener:
    def listen(report: EpochReport) -> None:
        if report.epoch == epoch:
            raise Killed

    return Listener(epoch=listen)


@pytest.mark.parametrize("with_dev", [False, True])
def test_resumed_run_ends_with_the_same_bytes(
    with_dev: bool, train_sentences: list[Sentence], test_sentences: list[Sentence], tmp_path: Path
) -> None:
    dev = test_sentences if with_dev else None
    whole = model_bytes(train_parser(train_sentences, dev, SETTINGS), tmp_path / "whole.hw")
    path = tmp_path / "resumed.hw"
    with pytest.raises(Killed):
        train_parser(train_sentences, dev, SETTINGS, listener=kill_after(2), model_path=path)
    assert Path(f"{path}.state").exists()
    parser = train_parser(train_sentences, dev, SETTINGS, model_path=path, resume=True)
    assert model_bytes(parser, path) == whole
    assert not Path(f"{path}.state").exists()


def test_resuming_another_run_is_refused(train_sentences: list[Sentence], tmp_path: Path) -> None:
    path = tmp_path / "m.hw"
    with pytest.raises(Killed):
        train_parser(train_sentences, None, SETTINGS, listener=kill_after(2), model_path=path)
    with pytest.raises(HeadwiseError, match="other settings or data"):
        train_parser(train_sentences, None, replace(SETTINGS, seed=9), model_path=path, resume=True)


def test_interrupted_training_gives_a_usable_model(
    train_sentences: list[Sentence], test_sentences: list[Sentence]
) -> None:
    interrupting = Listener(progress=lambda epoch, fraction: _thread.interrupt_main() if epoch == 2 else None)
    parser = train_parser(train_sentences, None, replace(SETTINGS, epochs=500), listener=interrupting)
    assert parser.config.training["interrupted"]
    assert threading.current_thread() is threading.main_thread()
    assert accuracy(parser, test_sentences)[0] > 0.9


def test_best_epoch_on_dev_is_kept(train_sentences: list[Sentence], test_sentences: list[Sentence]) -> None:
    parser = train_parser(train_sentences[:10], test_sentences, replace(SETTINGS, epochs=6))
    history = parser.config.training["history"]
    best = max(history, key=lambda epoch: epoch["dev"]["las"])
    uas, _ = accuracy(parser, test_sentences)
    assert parser.config.training["best_epoch"] == best["epoch"]
    assert uas == pytest.approx(best["dev"]["uas"])


def test_auto_decides_from_the_data(train_sentences: list[Sentence]) -> None:
    crossing = Sentence.from_words(list("abcd"), upos=["X"] * 4, heads=[3, 4, 0, 3], labels=["x"] * 4)
    two_roots = Sentence.from_words(["a", "b"], upos=["X"] * 2, heads=[0, 0], labels=["x"] * 2)
    plain = Parser.train(train_sentences, **SMALL).config
    assert (plain.projective, plain.single_root) == (True, True)
    tangled = Parser.train([*train_sentences, *[crossing] * 60], **SMALL).config
    assert (tangled.projective, tangled.single_root) == (False, True)
    rooted = Parser.train([*train_sentences, *[two_roots] * 60], **SMALL).config
    assert (rooted.projective, rooted.single_root) == (True, False)


def test_mira_step_repairs_the_margin_exactly() -> None:
    """One sentence, one step without a cap: score(gold) − score(rival) = the cost of the rival."""
    sentence = toy_treebank(1, seed=3)[0]
    settings = TrainingSettings.preset(
        "first", epochs=1, aggressiveness=1e9, labels="none", arc_bits=20, label_bits=14
    )
    parser = train_parser([sentence], None, settings)
    words = np.arange(1, len(sentence) + 1)
    scores = parser.arc_scores(sentence)
    costs = np.where(np.isfinite(scores), 1.0, -np.inf)
    costs[sentence.heads, words] = 0.0
    from headwise._native.trees import decode_projective

    rival, cost = decode_projective(costs, True)  # all weights are zero at the first step: most cost wins
    margin = scores[sentence.heads, words].sum() - scores[rival, words].sum()
    assert margin == pytest.approx(cost, rel=1e-5)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("learner", "magic", "learner is 'magic', must be one of"),
        ("trees", "green", "trees is 'green', must be one of"),
        ("epochs", 0, "epochs is 0"),
        ("aggressiveness", -1.0, "aggressiveness is -1.0"),
        ("pruning__threshold", 2.0, "pruning.threshold is 2.0"),
        ("pruning", {"threshold": 2.0}, "pruning.threshold is 2.0"),
        ("templates", {"cousin": ("h.form",)}, "templates names no table: cousin"),
        ("seed", -1, "seed is -1"),
    ],
)
def test_wrong_settings_are_named(option: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainingSettings.preset(**{option: value})


def test_training_on_nothing_is_an_error() -> None:
    with pytest.raises(HeadwiseError, match="no sentences"):
        Parser.train([])


def test_training_on_a_broken_tree_names_the_sentence() -> None:
    cycle = Sentence.from_words(["a", "b"], heads=[2, 1], labels=["x", "x"])
    with pytest.raises(HeadwiseError, match="cannot be learned from"):
        Parser.train([cycle])
