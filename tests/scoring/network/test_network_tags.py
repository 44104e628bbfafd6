"""Tags that a network learns beside trees: gradients and differences, pieces that tags share, same bytes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from test_network import TINY, check_gradient, make_examples

from headwise import Parser
from headwise._native import learning as native
from headwise._native.scoring import NetworkShape
from headwise.components.network.config import NetworkConfig
from headwise.components.network.tag_pieces import numbered_pieces
from headwise.components.tagging import Tagger
from headwise.components.tagging.tag_task import TagTask
from headwise.reference.network import tag_log_probabilities
from headwise.training import TrainingSettings, train_parser
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank

SENTENCES, DEV = toy_treebank(40, seed=1), toy_treebank(10, seed=2)
TAGS = TINY.tags or 8


@pytest.fixture(scope="module")
def task() -> TagTask:
    return TagTask.of(
        Tagger.train(SENTENCES, bits=14, epochs=1, frequent=1000, lemmas=False).config, SENTENCES, DEV
    )


@pytest.fixture(scope="module")
def features_alone() -> Parser:
    return train_parser(SENTENCES, None, TrainingSettings.preset(**{**SMALL, "preset": "second"}, rules=()))


def make_config(task: TagTask) -> NetworkConfig:
    return replace(TINY, tags=TAGS, tag_count=len(task.tags), pieces=3)


def make_shape(parser: Parser, task: TagTask) -> NetworkShape:
    vocabulary = native.collect_vocabulary(make_examples(parser, SENTENCES), 2, 3, 2, annotations=False)
    return make_config(task).shape(vocabulary, len(parser.config.labels))


def make_trainer(parser: Parser, task: TagTask, **options: float) -> native.NetworkTrainer:
    examples = make_examples(parser, SENTENCES)
    trainer = native.NetworkTrainer(
        make_shape(parser, task),
        **{"total": 1000, **options},
        seed=1,
        tag_pieces=numbered_pieces(task.tags),
    )
    for example, tags in zip(examples, task.train, strict=True):
        trainer.add(example, tags)
    return trainer


def of_tags(weights: np.ndarray, task: TagTask) -> tuple[np.ndarray, np.ndarray]:
    """The last matrix and the last bias of a network."""
    columns = len(task.tags)
    bias, matrix = (-(-size // 16) * 16 for size in (columns, TAGS * columns))
    last = weights[len(weights) - bias - matrix :]
    return last[: TAGS * columns].reshape(TAGS, columns), last[matrix : matrix + columns]


def test_gradients_equal_differences(features_alone: Parser, task: TagTask) -> None:
    """Of all weights, those of tags among them, and of the vectors."""
    trainer = make_trainer(features_alone, task)
    for epoch in range(3):
        trainer.train(np.random.default_rng(epoch).permutation(len(SENTENCES)))
    chosen = np.array(sorted(range(6), key=lambda i: -len(SENTENCES[i])), np.int64)
    _, of_weights, of_vectors = trainer.loss(chosen)
    rng = np.random.default_rng(1)
    behind = len(of_weights) - (TAGS + 2 * TINY.lstm + 2) * max(TAGS, len(task.tags)) - 64
    for table, gradient, begin in (
        ("network", of_weights, 0),
        ("network", of_weights, behind),
        ("vectors", of_vectors, 0),
    ):
        large = begin + np.flatnonzero(np.abs(gradient[begin:]) > 5e-2)
        numbers = rng.choice(large, 40, replace=False)
        check_gradient(trainer, chosen, table, gradient, numbers, step=3e-3)


def test_the_loss_is_that_of_heads_labels_and_tags(features_alone: Parser, task: TagTask) -> None:
    """Without known tags it is smaller by what NumPy says of tags."""
    trainer, silent = make_trainer(features_alone, task), make_trainer(features_alone, task)
    order = np.arange(len(SENTENCES), dtype=np.int64)
    trainer.train(order)
    silent.restore(trainer.state())
    example = make_examples(features_alone, SENTENCES[:1])[0]
    silent.add(example, np.full(len(SENTENCES[0]), -1, np.int32))
    first = np.zeros(1, np.int64)
    difference = trainer.loss(first)[0] - silent.loss(first + len(SENTENCES))[0]
    expected = said_of_tags(trainer, features_alone, task, SENTENCES[:1])[0]
    gold = task.train[0]
    assert difference == pytest.approx(-expected[np.arange(len(gold)), gold].sum(), rel=1e-4)


def test_tags_are_learned(features_alone: Parser, task: TagTask) -> None:
    """Most words find their tags after some passes, and few by biases alone."""
    trainer = make_trainer(features_alone, task, total=20_000, rate=0.01, dropout=0.0)
    found = []
    for passes in (1, 40):
        for epoch in range(passes):
            trainer.train(np.random.default_rng(epoch).permutation(len(SENTENCES)))
        found.append(share_of_tags(trainer, features_alone, task))
    assert found[0] < 0.6
    assert found[1] > 0.9


def said_of_tags(
    trainer: native.NetworkTrainer, parser: Parser, task: TagTask, sentences: list[Sentence]
) -> list[np.ndarray]:
    """Log-probabilities of tags, by NumPy."""
    shape, labels = make_shape(parser, task), len(parser.config.labels)
    weights, vectors = (table.astype(np.float64) for table in trainer.averaged())
    return [
        tag_log_probabilities(make_config(task), weights, vectors, shape.vector_rows(sentence), labels)
        for sentence in sentences
    ]


def share_of_tags(trainer: native.NetworkTrainer, parser: Parser, task: TagTask) -> float:
    """How many words of the first sentences have the right tag."""
    said = said_of_tags(trainer, parser, task, SENTENCES[:10])
    right = [found.argmax(axis=1) == gold for found, gold in zip(said, task.train, strict=False)]
    return float(np.concatenate(right).mean())


def test_a_tag_is_the_sum_of_its_pieces(features_alone: Parser, task: TagTask) -> None:
    trainer = make_trainer(features_alone, task)
    pieces = numbered_pieces(task.tags)
    for _ in range(2):
        trainer.train(np.arange(len(SENTENCES), dtype=np.int64))
        own = trainer.state()["tag_pieces.0"].reshape(TAGS + 1, -1)
        sums = np.stack([own[:, numbers].sum(axis=1) for numbers in pieces], axis=1)
        vectors, bias = of_tags(trainer.averaged()[0], task)
        np.testing.assert_allclose(np.vstack([vectors, bias]), sums, atol=1e-5)


def test_steps_of_the_pieces_go_downhill(features_alone: Parser, task: TagTask) -> None:
    """What a pass makes of the vectors of tags makes the loss smaller, without anything else that it does."""
    trainer = make_trainer(features_alone, task, dropout=0.0)
    order = np.arange(len(SENTENCES), dtype=np.int64)
    before, loss = trainer.state(), trainer.loss(order)[0]
    trainer.train(order)
    moved = {name: np.array(tensor) for name, tensor in before.items()}
    after = trainer.state()["network.0"]
    for ours, theirs in zip(of_tags(moved["network.0"], task), of_tags(after, task), strict=True):
        assert (ours != theirs).any()
        ours[:] = theirs
    trainer.restore(moved)
    assert trainer.loss(order)[0] < loss - 1


def test_threads_and_resuming_change_nothing(features_alone: Parser, task: TagTask) -> None:
    one, two, resumed = (make_trainer(features_alone, task) for _ in range(3))
    for epoch in range(2):
        order = np.random.default_rng(epoch).permutation(len(SENTENCES))
        one.train(order, 1)
        two.train(order, 2)
        resumed.train(order, 1)
        later = make_trainer(features_alone, task)
        later.restore(resumed.state())
        resumed = later
    for a, b, c in zip(one.averaged(), two.averaged(), resumed.averaged(), strict=True):
        assert a.tobytes() == b.tobytes() == c.tobytes()


def test_what_does_not_fit_is_refused(features_alone: Parser, task: TagTask) -> None:
    trainer = make_trainer(features_alone, task)
    example = make_examples(features_alone, SENTENCES[:1])[0]
    words = len(SENTENCES[0])
    with pytest.raises(ValueError, match="out of range"):
        trainer.add(example, np.full(words, len(task.tags), np.int32))
    for tags in (None, np.zeros(words + 1, np.int32)):
        with pytest.raises(ValueError, match="one for each word"):
            trainer.add(example, tags)
    config = replace(TINY, tags=TAGS, tag_count=len(task.tags))
    shape = config.shape(np.arange(3), 2)
    for pieces in ([], [[0]] * (len(task.tags) + 1)):
        with pytest.raises(ValueError, match="tag_pieces"):
            native.NetworkTrainer(shape, total=1, seed=1, tag_pieces=pieces)
    with pytest.raises(ValueError, match="tag_pieces"):
        native.NetworkTrainer(shape, total=1, seed=1, tag_pieces=[[-1]] * len(task.tags))
