"""Labels as features of arcs: rows of the tensor that score labels over the finished tree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from command_runner import CliRunner
from headwise import Parser
from headwise._native import learning as native
from headwise.cli.app import app
from headwise.reference import tensor as reference
from headwise.training import TrainingSettings, train_parser
from headwise.training.learners import online_trainer
from headwise.treebank import Sentence, write
from toy_language import SMALL, toy_treebank
from vector_widths import outputs_at_every_width


def with_labels_by_words(sentences: list[Sentence]) -> list[Sentence]:
    """In the toy language tags say it all: here the word that is labelled decides too."""
    return [
        Sentence.from_words(
            s.forms,
            upos=s.upos,
            heads=s.heads,
            labels=[f"{label}:{len(form) % 2}" for label, form in zip(s.labels, s.forms, strict=True)],
        )
        for s in sentences
    ]


SENTENCES, NEW = (with_labels_by_words(toy_treebank(size, seed)) for size, seed in ((40, 1), (15, 2)))
RANK = 6
SETTINGS = TrainingSettings.preset(**SMALL, calibrate=False, tensor={"rank": RANK, "labels": True})


@pytest.fixture(scope="module")
def parser() -> Parser:
    return train_parser(SENTENCES, None, SETTINGS)


def with_random_rows(parser: Parser, seed: int) -> Parser:
    """The same parser whose tensor alone chooses labels, at random."""
    rows = parser.weights["tensor_labels"].reshape(len(parser.config.labels), -1).copy()
    rows[:, :RANK] = np.random.default_rng(seed).normal(size=(len(rows), RANK))
    changed = {"labels": np.zeros_like(parser.weights["labels"]), "tensor_labels": rows.ravel()}
    return Parser(parser.config, {**parser.weights, **changed})


def label_scores(parser: Parser, sentence: Sentence) -> npt.NDArray[np.float64]:
    """By the reference, over the tree that the sentence has."""
    assert parser.config.tensor is not None
    shape = parser.config.tensor.shape(parser.weights)
    u, v, labels = (
        parser.weights[f"tensor_{name}"].reshape(-1, shape.stride)[:, :RANK].astype(np.float64)
        for name in ("heads", "modifiers", "labels")
    )
    phi = reference.word_features(shape.rows_of(sentence), shape.rows)
    return reference.label_scores(phi, u, v, labels, parser.config.tensor.weight, sentence.heads.tolist())


def candidates(parser: Parser, sentence: Sentence, modifier: int) -> list[int]:
    """The labels of arcs between such tags in training."""
    head, tags = int(sentence.heads[modifier - 1]), parser.config.tags
    of_head = tags.index(sentence.upos[head - 1]) if head else len(tags)
    arc = (of_head, tags.index(sentence.upos[modifier - 1]), int(head < modifier))
    seen = np.array(parser.config.label_arcs).reshape(-1, 4)
    return [label for *own, label in seen.tolist() if tuple(own) == arc]


def test_labels_equal_the_reference(parser: Parser) -> None:
    chosen = set()
    for seed in range(5):
        tensor_alone = with_random_rows(parser, seed)
        for sentence in SENTENCES:
            scores = label_scores(tensor_alone, sentence)
            found = tensor_alone.native.label_tree(sentence, sentence.heads)
            for m, label in enumerate(found, start=1):
                among = candidates(parser, sentence, m)
                assert label == among[int(np.argmax(scores[m - 1, among]))]
                chosen.add((m, label))
    assert len({label for _, label in chosen}) > 3


def test_an_uncapped_step_closes_the_margin(parser: Parser) -> None:
    """Of one label, with the tensor alone, so that all that moves is its row and that of the rival."""
    settings = SETTINGS.changed(tensor={"share": 0.0, "aggressiveness": 1e9})
    start = with_random_rows(train_parser(SENTENCES, None, settings), seed=3)
    shape, closed = start.config.shape(start.weights), 0
    for sentence in SENTENCES:
        scores = label_scores(start, sentence)
        allowed = [candidates(start, sentence, m) for m in range(1, len(sentence) + 1)]
        best = [max(own, key=scores[i].__getitem__) for i, own in enumerate(allowed)]
        for i, own in enumerate(allowed):
            others = [label for label in own if label != best[i]]
            if not others:
                continue
            gold = max(others, key=scores[i].__getitem__)  # every other word is to keep its best label
            wanted = np.array([*best[:i], gold, *best[i + 1 :]], np.int32)
            trainer = online_trainer(shape, settings)
            for name, _ in shape.learned_tables:
                trainer.start(name, start.weights[name])
            trainer.start("labels", np.concatenate([start.weights["labels"], start.weights["tensor_labels"]]))
            trainer.add(native.TrainingExample(sentence, sentence.heads, wanted, shape))
            before = trainer.state()["arcs.weights"]
            counts = trainer.train(np.zeros(1, np.int64))
            if counts.wrong_labels != 1 or not np.array_equal(trainer.state()["arcs.weights"], before):
                continue  # another label or head had no margin either
            size = len(start.weights["labels"])
            assert not trainer.state()["labels.weights"][:size].any()
            after = {"tensor_labels": trainer.state()["labels.weights"][size:]}
            moved = label_scores(Parser(start.config, {**start.weights, **after}), sentence)[i]
            assert moved[gold] - moved[best[i]] == pytest.approx(1, abs=1e-4)
            closed += 1
    assert closed > 5


def label_accuracy(parser: Parser) -> float:
    found = [parser.native.label_tree(s, s.heads) for s in NEW]
    right = sum(
        int(np.count_nonzero(f == parser.label_ids(s.labels))) for f, s in zip(found, NEW, strict=True)
    )
    return right / sum(map(len, NEW))


def test_the_tensor_alone_learns_labels() -> None:
    """Without a share the features of labels stay at zero."""
    parser = train_parser(SENTENCES, None, SETTINGS.changed(tensor={"share": 0.0}, epochs=6))
    assert not parser.weights["labels"].any()
    silent = {"tensor_labels": np.zeros_like(parser.weights["tensor_labels"])}
    guessing = label_accuracy(Parser(parser.config, {**parser.weights, **silent}))
    assert label_accuracy(parser) > guessing + 0.1


@pytest.mark.parametrize("learner", ["log-linear", "max-margin"])
def test_learners_that_follow_a_gradient(learner: str) -> None:
    parser = train_parser(SENTENCES, None, SETTINGS.changed(learner=learner, tensor__step=0.1, epochs=6))
    assert np.abs(parser.weights["tensor_labels"]).max() > 0.01
    assert label_accuracy(parser) > 0.9


@pytest.mark.parametrize("factorization", ["sibling", "model1"])
def test_above_first_order(factorization: str) -> None:
    parser = train_parser(SENTENCES, None, SETTINGS.changed(factorization=factorization, epochs=3))
    assert label_accuracy(parser) > 0.9


def test_without_rows_nothing_changes() -> None:
    """Labels are learned beside the tensor as before where it has no rows for them."""
    plain = train_parser(SENTENCES, None, SETTINGS.changed(tensor={"labels": False}))
    assert "tensor_labels" not in plain.weights
    without = train_parser(SENTENCES, None, SETTINGS.changed(tensor={"rank": 0, "labels": False}))
    assert plain.weights["labels"].shape == without.weights["labels"].shape


def test_the_same_bytes_with_threads_files_and_widths(parser: Parser, tmp_path: Path) -> None:
    again = train_parser(SENTENCES, None, replace(SETTINGS, threads=2))
    for name, table in parser.weights.items():
        assert np.array_equal(table, again.weights[name]), name
    model, text = tmp_path / "model.hw", tmp_path / "new.conllu"
    parser.save(model)
    loaded = Parser.load(model)
    assert np.array_equal(loaded.weights["tensor_labels"], parser.weights["tensor_labels"])
    write(NEW, text)
    program = (
        "import sys; from headwise import Parser; from headwise.treebank import read\n"
        "parser = Parser.load(sys.argv[1])\n"
        "for p in parser.judge(read(sys.argv[2])): print(p.labels, p.log_prob)"
    )
    assert len(outputs_at_every_width(program, str(model), str(text))) == 1


def test_resumed_runs(parser: Parser, tmp_path: Path) -> None:
    from headwise.learning.loop import EpochReport, Listener

    def stop(report: EpochReport) -> None:
        if report.epoch == 2:
            raise SystemExit

    path = tmp_path / "model.hw"
    with pytest.raises(SystemExit):
        train_parser(SENTENCES, None, SETTINGS, listener=Listener(epoch=stop), model_path=path)
    resumed = train_parser(SENTENCES, None, SETTINGS, model_path=path, resume=True)
    for name, table in parser.weights.items():
        assert np.array_equal(table, resumed.weights[name]), name


def test_settings_that_do_not_go_together() -> None:
    for changes in ({"labels": "joint"}, {"labels": "none"}, {"tensor": {"rank": 0, "labels": True}}):
        with pytest.raises(ValueError, match=r"tensor\.labels needs a tensor"):
            SETTINGS.changed(**changes)


def test_the_command(tmp_path: Path) -> None:
    write(SENTENCES, tmp_path / "toy.conllu")
    arguments = [
        "train",
        tmp_path / "toy.conllu",
        "-o",
        tmp_path / "toy.hw",
        "--factorization",
        "arc",
        "--epochs",
        1,
    ]
    arguments += ["--arc-bits", 14, "--no-calibration", "--tensor-rank", 4, "--tensor-labels", "-q"]
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
    tensor = Parser.load(tmp_path / "toy.hw").config.tensor
    assert tensor is not None
    assert tensor.rank == 4
    assert tensor.labels > 0
