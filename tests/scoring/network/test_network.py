"""The network: what it computes against NumPy, its gradient against differences, the same bytes again.

In a parser it is tested in test_parser_with_network.py.
"""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest

from headwise import Parser
from headwise._native import learning as native
from headwise._native.scoring import NetworkShape
from headwise.components.network.config import NetworkConfig
from headwise.components.network.training import train_network
from headwise.learning.loop import Listener
from headwise.reference.network import head_log_probabilities, label_log_probabilities
from headwise.training import TrainingSettings, train_parser
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank
from vector_widths import outputs_at_every_width

SETTINGS = TrainingSettings.preset(**{**SMALL, "preset": "second"}, rules=())  # labels: the network's alone
SENTENCES = toy_treebank(40, seed=1)
TINY = NetworkConfig(vectors=12, lstm=16, layers=2, arcs=10, labels=9, weight=1.0)


@pytest.fixture(scope="module")
def features_alone() -> Parser:
    return train_parser(SENTENCES, None, SETTINGS)


def make_examples(parser: Parser, sentences: list[Sentence]) -> list[native.TrainingExample]:
    shape = parser.config.shape({})
    return [native.TrainingExample(s, s.heads, parser.label_ids(s.labels), shape) for s in sentences]


def make_trainer(
    parser: Parser, sentences: list[Sentence], **options: float
) -> tuple[native.NetworkTrainer, NetworkShape]:
    examples = make_examples(parser, sentences)
    shape = TINY.shape(native.collect_vocabulary(examples, 2), len(parser.config.labels))
    trainer = native.NetworkTrainer(shape, total=1000, seed=1, **options)
    for example in examples:
        trainer.add(example)
    return trainer, shape


@pytest.fixture(scope="module")
def tiny(features_alone: Parser) -> tuple[Parser, NetworkShape]:
    """A parser with a network of a few steps: far from good, and far from its start."""
    trainer, shape = make_trainer(features_alone, SENTENCES)
    for epoch in range(5):
        trainer.train(np.random.default_rng(epoch).permutation(len(SENTENCES)))
    weights, vectors = trainer.averaged()
    vocabulary = native.collect_vocabulary(make_examples(features_alone, SENTENCES), 2)
    tensors = {"network": weights, "vectors": vectors, "vocabulary": vocabulary}
    config = replace(features_alone.config, network=TINY)
    return Parser(config, {**features_alone.weights, **tensors}), shape


@pytest.fixture(scope="module")
def random_labels(tiny: tuple[Parser, NetworkShape]) -> tuple[Parser, NetworkShape]:
    """A network of random weights that chooses labels alone: one that has learned little has one for all."""
    parser, shape = tiny
    rng = np.random.default_rng(7)
    weights = {
        name: rng.normal(size=len(parser.weights[name])).astype(np.float32) for name in ("network", "vectors")
    }
    weights["labels"] = np.zeros_like(parser.weights["labels"])
    return Parser(parser.config, {**parser.weights, **weights}), shape


def strangers() -> list[Sentence]:
    """Sentences of words that the network has no vectors for among others; of one word; long ones."""
    others = toy_treebank(10, seed=2)
    one = Sentence.from_words(["dog"], upos=["NOUN"])
    unknown = Sentence.from_words(["brillig", "the", "dog"], upos=["X", "DET", "NOUN"])
    long = Sentence.from_words(["the", "dog", "sees"] * 20, upos=["DET", "NOUN", "VERB"] * 20)
    return [*others, one, unknown, long]


def test_heads_equal_the_reference(tiny: tuple[Parser, NetworkShape], features_alone: Parser) -> None:
    parser, shape = tiny
    weights = parser.weights["network"].astype(np.float64)
    vectors = parser.weights["vectors"].astype(np.float64)
    for sentence in strangers():
        expected = head_log_probabilities(TINY, weights, vectors, shape.vector_rows(sentence))
        with_network, without = parser.arc_scores(sentence), features_alone.arc_scores(sentence)
        kept = np.isfinite(without)
        assert np.array_equal(kept, np.isfinite(with_network))
        np.testing.assert_allclose(with_network[kept] - without[kept], expected[kept], atol=2e-4)


def test_labels_equal_the_reference(random_labels: tuple[Parser, NetworkShape]) -> None:
    parser, shape = random_labels
    weights = parser.weights["network"].astype(np.float64)
    vectors = parser.weights["vectors"].astype(np.float64)
    words = 0
    for sentence in toy_treebank(10, seed=2):
        parse = parser(sentence)
        scores = label_log_probabilities(
            TINY, weights, vectors, shape.vector_rows(sentence), parse.heads, len(parser.config.labels)
        )
        # Only labels seen between such tags are candidates: of those, the chosen one scores best.
        for word, label in enumerate(parse.labels):
            tags = {
                s.labels[m]
                for s in SENTENCES
                for m in range(len(s))
                if s.upos[m] == sentence.upos[word]
                and (s.heads[m] < m + 1) == (parse.heads[word] < word + 1)
                and (s.heads[m] == 0) == (parse.heads[word] == 0)
                and (s.heads[m] == 0 or s.upos[s.heads[m] - 1] == sentence.upos[parse.heads[word] - 1])
            }
            if tags:
                ids = parser.label_ids(sorted(tags))
                assert parser.label_ids([label])[0] == ids[np.argmax(scores[word, ids])]
                words += 1
    assert words > 50


def test_labels_of_long_sentences_are_read_in_pieces(
    random_labels: tuple[Parser, NetworkShape],
) -> None:
    """Of 1,000 positions each, as if there were no others. Tags are unknown, so any label may be right."""
    parser, shape = random_labels
    weights = parser.weights["network"].astype(np.float64)
    vectors = parser.weights["vectors"].astype(np.float64)
    words = np.random.default_rng(1).choice(["the", "dog", "sees", "a", "tree", "in", "."], 1500).tolist()
    sentence = Sentence.from_words(words, upos=["?"] * len(words))
    chain = np.arange(len(words), dtype=np.int32)  # every word hangs from the one before it
    found = parser.native.label_tree(sentence, chain)
    rows = shape.vector_rows(sentence)
    root = parser.label_ids(["root"])[0]
    for piece in (slice(0, 1000), slice(1000, 1501)):
        count = len(rows[piece])
        scores = label_log_probabilities(
            TINY, weights, vectors, rows[piece], range(count - 1), len(parser.config.labels)
        )
        scores[:, root] = -np.inf
        expected = scores.argmax(axis=1)
        first = 1 if piece.start == 0 else 0  # the first word has the root's label
        own = found[piece.start : piece.start + count - 1]
        assert np.array_equal(own[first:], expected[first:])
        assert len(set(expected.tolist())) > 1


@pytest.mark.parametrize("table", ["network", "vectors"])
def test_gradients_equal_differences(features_alone: Parser, table: str) -> None:
    trainer, _ = make_trainer(features_alone, SENTENCES)
    for epoch in range(3):
        trainer.train(np.random.default_rng(epoch).permutation(len(SENTENCES)))
    chosen = np.array(sorted(range(6), key=lambda i: -len(SENTENCES[i])), np.int64)
    _, of_weights, of_vectors = trainer.loss(chosen)
    gradient = of_weights if table == "network" else of_vectors
    large = np.flatnonzero(np.abs(gradient) > 1e-2)
    numbers = np.random.default_rng(1).choice(large, 60, replace=False)
    check_gradient(trainer, chosen, table, gradient, numbers, step=1e-2)


def check_gradient(
    trainer: native.NetworkTrainer,
    chosen: np.ndarray,
    table: str,
    gradient: np.ndarray,
    numbers: np.ndarray,
    *,
    step: float,
) -> None:
    """These numbers of the gradient of the loss of chosen examples, against differences of that loss."""
    state = trainer.state()
    for i in numbers:
        losses = []
        for sign in (1, -1):
            moved = {name: np.array(tensor) for name, tensor in state.items()}
            moved[f"{table}.0"][i] += sign * step
            trainer.restore(moved)
            losses.append(trainer.loss(chosen)[0])
        assert (losses[0] - losses[1]) / (2 * step) == pytest.approx(gradient[i], rel=0.03, abs=2e-3)
    trainer.restore(state)


def test_looking_at_the_loss_changes_nothing(features_alone: Parser) -> None:
    plain, _ = make_trainer(features_alone, SENTENCES)
    watched, _ = make_trainer(features_alone, SENTENCES)
    order = np.arange(20, dtype=np.int64)
    plain.train(order)
    watched.train(order)
    one_way, other_way = watched.loss(order)[0], watched.loss(order[::-1].copy())[0]
    assert one_way == pytest.approx(other_way)
    plain.train(order[:4])
    watched.train(order[:4])
    for a, b in zip(plain.averaged(), watched.averaged(), strict=True):
        assert a.tobytes() == b.tobytes()


def test_what_is_no_longer_a_number_is_an_error(features_alone: Parser) -> None:
    trainer, _ = make_trainer(features_alone, SENTENCES, rate=1e30)
    with pytest.raises(ArithmeticError):
        trainer.train(np.tile(np.arange(len(SENTENCES)), 5))


def test_labels_that_the_network_does_not_have_are_refused(features_alone: Parser) -> None:
    examples = make_examples(features_alone, SENTENCES)
    shape = TINY.shape(native.collect_vocabulary(examples, 2), 1)
    trainer = native.NetworkTrainer(shape, total=1, seed=1)
    with pytest.raises(ValueError, match="out of range"):
        trainer.add(examples[0])


@pytest.mark.parametrize("name", ["vectors", "lstm", "layers", "arcs", "labels"])
@pytest.mark.parametrize("value", [0, -16, 2**29, 2**31 - 1])
def test_impossible_widths_are_refused(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=r"network|lstm"):
        replace(TINY, **{name: value}).shape(np.arange(3), 2)


def test_words_without_a_head_teach_nothing(features_alone: Parser) -> None:
    sentence = SENTENCES[0]
    unknown = np.full(len(sentence), -1, np.int32)
    example = native.TrainingExample(sentence, unknown, unknown, features_alone.config.shape({}))
    trainer, _ = make_trainer(features_alone, SENTENCES)
    trainer.add(example)
    loss, of_weights, of_vectors = trainer.loss(np.array([len(SENTENCES)], np.int64))
    assert loss == 0
    assert not of_weights.any()
    assert not of_vectors.any()


def test_threads_and_resuming_change_nothing(features_alone: Parser) -> None:
    one, _ = make_trainer(features_alone, SENTENCES)
    two, _ = make_trainer(features_alone, SENTENCES)
    resumed, _ = make_trainer(features_alone, SENTENCES)
    for epoch in range(2):
        order = np.random.default_rng(epoch).permutation(len(SENTENCES))
        one.train(order, 1)
        two.train(order, 2)
        resumed.train(order, 1)
        later, _ = make_trainer(features_alone, SENTENCES)
        later.restore(resumed.state())
        resumed = later
    for a, b, c in zip(one.averaged(), two.averaged(), resumed.averaged(), strict=True):
        assert a.tobytes() == b.tobytes() == c.tobytes()


FINGERPRINT = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
import test_network as t
trainer, _ = t.make_trainer(t.train_parser(t.SENTENCES[:10], None, t.SETTINGS), t.SENTENCES)
trainer.train(t.np.arange(len(t.SENTENCES)))
print([hashlib.sha256(table.tobytes()).hexdigest() for table in trainer.averaged()])
"""


def test_same_bytes_on_any_width_of_vectors() -> None:
    assert len(outputs_at_every_width(FINGERPRINT, os.path.dirname(__file__))) == 1


def test_a_network_learns_the_toy_language(features_alone: Parser) -> None:
    """By itself: the features of this parser say nothing."""
    settings = SETTINGS.changed(network={"width": 32, "epochs": 30})
    treebank = toy_treebank(200, seed=3)
    trained = train_network(
        make_examples(features_alone, treebank), len(features_alone.config.labels), settings, Listener()
    )
    network, tensors, _ = trained
    silent = {
        name: np.zeros_like(table) if name in ("arcs", "labels") else table
        for name, table in features_alone.weights.items()
    }
    parser = Parser(replace(features_alone.config, network=network), {**silent, **tensors})
    right = words = labelled = 0
    for parse in parser.pipe(toy_treebank(50, seed=4)):
        gold = parse.sentence
        hits = parse.heads == gold.heads
        right += int(hits.sum())
        labelled += sum(a == b for a, b in zip(parse.labels, gold.labels, strict=True))
        words += len(gold)
    assert right / words > 0.93
    assert labelled / words > 0.93


@pytest.mark.parametrize("width", [0, 8, 100])
def test_widths_are_whole_vectors(width: int) -> None:
    with pytest.raises(ValueError, match="multiple of 16"):
        TrainingSettings.preset(network=True, network__width=width)


def test_an_opinion_counts_in_full_beside_log_probabilities() -> None:
    assert TrainingSettings.preset("third", network=True).network_weight == 0.3
    assert TrainingSettings.preset("third", network=True, learner="log-linear").network_weight == 1.0
    assert TrainingSettings.preset("third", network=True, network__weight=0.5).network_weight == 0.5


def test_first_order_has_no_network() -> None:
    with pytest.raises(ValueError, match="network"):
        TrainingSettings.preset("first", network=True)
    assert not TrainingSettings.preset("full", factorization="arc").network.use
    assert TrainingSettings.preset("full").network.use


def pieces_of(word: str, longest: int) -> list[str]:
    marked = f"\x02{word.lower()}\x03"
    return [
        marked[begin : begin + length]
        for begin in range(len(marked))
        for length in range(2, longest + 1)
        if begin + length <= len(marked)
    ]


@pytest.mark.parametrize("word", ["dog", "Ärger", "猫", "a", "見る"])
def test_pieces_of_words_have_vectors(features_alone: Parser, word: str) -> None:
    """As many rows as the word has pieces, the same rows for the same pieces."""
    tags = {"upos": ["X"]}
    treebank = [Sentence.from_words([word], **tags, heads=[0], labels=["root"])]
    examples = make_examples(features_alone, treebank)
    without = native.collect_vocabulary(examples, 1)
    vocabulary = native.collect_vocabulary(examples, 1, 4, 1)
    assert len(vocabulary) == len(without) + len(set(pieces_of(word, 4)))
    shape = replace(TINY, pieces=4).shape(vocabulary, 2)
    plain = TINY.shape(vocabulary, 2)
    for other in (word, word + "x", "x" + word):
        sentence = Sentence.from_words([other], **tags)
        added = set(shape.vector_rows(sentence)[1]) - set(plain.vector_rows(sentence)[1])
        assert len(added) == len(set(pieces_of(other, 4)) & set(pieces_of(word, 4)))
        assert shape.vector_rows(sentence)[0] == plain.vector_rows(sentence)[0]  # the root is no word


def test_kinds_of_atoms(features_alone: Parser) -> None:
    examples = make_examples(features_alone, SENTENCES[:5])
    shape = replace(TINY, pieces=3).shape(native.collect_vocabulary(examples, 1, 3, 1), 2)
    rows, kinds, counts = native.network_atoms(shape, examples)
    expected = [rows for s in SENTENCES[:5] for rows in shape.vector_rows(s)]
    assert counts.tolist() == [len(own) for own in expected]
    assert rows.tolist() == [row for own in expected for row in own]
    assert set(kinds.tolist()) == {0, 1, 2}
    for row in set(rows.tolist()):  # a vector is of one kind
        assert len(set(kinds[rows == row].tolist())) == 1
