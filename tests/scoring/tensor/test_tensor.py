"""The low-rank tensor: against NumPy, its gradient against differences, its start against an SVD.

In a parser it is tested in test_parser_with_tensor.py.
"""

from __future__ import annotations

import zlib
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from headwise import Parser
from headwise._native import learning as native
from headwise._native.scoring import TensorShape
from headwise.components.tensor.config import TensorConfig
from headwise.components.tensor.training import SLOTS, low_rank
from headwise.reference import tensor as reference
from headwise.training import TrainingSettings
from headwise.training.learners import likelihood_learner, native_learner, online_trainer
from headwise.treebank import Sentence
from headwise.trees import ProjectiveTrees
from toy_language import SMALL, toy_treebank

SENTENCES = toy_treebank(40, seed=1)
RANK = 5
SETTINGS = TrainingSettings.preset(**SMALL, labels="none", calibrate=False, tensor={"rank": RANK})
VECTORS = {"dog": [1.0, 0.5, -1.0], "猫": [0.9, 0.4, -1.1], "The": [-1.0, 0.0, 0.5], "the": [9.0, 9.0, 9.0]}


@pytest.fixture(scope="module")
def vector_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("vectors") / "toy.vec"
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in VECTORS.items()]
    path.write_text("\n".join([f"{len(lines)} 3", *lines]) + "\n", "utf-8")
    return path


@pytest.fixture(scope="module")
def parser(vector_file: Path) -> Parser:
    return Parser.train(SENTENCES, settings=SETTINGS.changed(words__vectors=str(vector_file)))


def tensor_shape(parser: Parser) -> TensorShape:
    assert parser.config.tensor is not None
    return parser.config.tensor.shape(parser.weights)


def features(parser: Parser, sentence: Sentence) -> npt.NDArray[np.float64]:
    """φ of all words: the rows that the core names, and the numbers of vectors in the rows after them."""
    shape, vectors = tensor_shape(parser), word_vectors(parser)
    phi = reference.word_features(shape.rows_of(sentence), shape.rows)
    forms = ["", *sentence.forms, ""]
    for word in range(len(sentence) + 1):
        for place, offset in enumerate((-1, 0, 1)):
            neighbour = word + offset
            if (
                1 <= neighbour <= len(sentence)
                and (row := vectors.get(forms[neighbour], vectors.get(forms[neighbour].lower()))) is not None
            ):
                begin = shape.first_vector_row + 3 * place
                phi[word, begin : begin + 3] = row
    return phi


def word_vectors(parser: Parser) -> dict[str, npt.NDArray[np.float32]]:
    words = zlib.decompress(parser.weights["word_vectors.words"].tobytes()).decode().split()
    return dict(zip(words, parser.weights["word_vectors"], strict=True))


def factors(parser: Parser) -> list[npt.NDArray[np.float64]]:
    stride = tensor_shape(parser).stride
    tables = [parser.weights[f"tensor_{name}"] for name in ("heads", "modifiers", "arcs")]
    return [table.reshape(-1, stride)[:, :RANK].astype(np.float64) for table in tables]


def strangers() -> list[Sentence]:
    one = Sentence.from_words(["dog"], upos=["NOUN"])
    unknown = Sentence.from_words(["brillig", "THE", "dog"], upos=["X", "DET", "NOUN"])
    long = Sentence.from_words(["the", "dog", "sees"] * 8, upos=["DET", "NOUN", "VERB"] * 8)
    return [*toy_treebank(5, seed=2), one, unknown, long]


def test_scores_equal_the_reference(parser: Parser) -> None:
    assert parser.config.tensor is not None
    features_alone = Parser(
        parser.config, {**parser.weights, "tensor_arcs": np.zeros_like(parser.weights["tensor_arcs"])}
    )
    largest = 0.0
    for sentence in strangers():
        expected = reference.arc_scores(
            features(parser, sentence), *factors(parser), parser.config.tensor.weight
        )
        scores, without = parser.arc_scores(sentence), features_alone.arc_scores(sentence)
        kept = np.isfinite(scores)
        assert np.array_equal(kept, np.isfinite(without))
        np.testing.assert_allclose(scores[kept] - without[kept], expected[kept], atol=1e-5)
        largest = max(largest, np.abs(expected[kept]).max())
    assert largest > 0.05


def test_projections_equal_the_reference(parser: Parser) -> None:
    u, v, _ = factors(parser)
    for sentence in strangers():
        found = tensor_shape(parser).project(
            sentence,
            parser.weights["tensor_heads"],
            parser.weights["tensor_modifiers"],
            parser.config.word_view(parser.weights),
        )
        phi = features(parser, sentence)
        np.testing.assert_allclose(found.reshape(-1, 2 * RANK), np.hstack([phi @ u, phi @ v]), atol=1e-5)


def test_neighbours_and_roots_have_features(parser: Parser) -> None:
    shape = tensor_shape(parser)
    for sentence in strangers():
        rows = shape.rows_of(sentence)
        assert len(rows) == len(sentence) + 1
        assert all(own[0] == 0 for own in rows)  # the bias
        assert len(rows[0]) > 1


def trainer_of(
    parser: Parser, settings: TrainingSettings, sentences: list[Sentence]
) -> tuple[native.Trainer, npt.NDArray[np.float32]]:
    """A trainer that goes on with the weights of a parser, and all of these, as they lie in it."""
    shape = parser.config.shape(parser.weights)
    trainer = online_trainer(shape, settings)
    tables = []
    for name, _ in shape.learned_tables:
        trainer.start(name, parser.weights[name])
        tables.append(parser.weights[name])
    for sentence in sentences:
        labels = np.full(len(sentence), -1, np.int32)
        trainer.add(native.TrainingExample(sentence, sentence.heads, labels, shape))
    return trainer, np.concatenate(tables)


def test_gradient_equals_finite_differences(parser: Parser) -> None:
    settings = SETTINGS.changed(learner="log-linear", words__vectors=None)
    trainer, weights = trainer_of(parser, settings, SENTENCES[:6])
    begin = 1 << parser.config.arc_bits
    learner = likelihood_learner(settings)
    every = np.arange(len(weights), dtype=np.uint32)
    none = (np.zeros(0, np.uint32), np.zeros(0))
    at = weights.astype(np.float64)
    _, gradient, _ = trainer.objective(learner, every, at, *none)
    sizes = np.cumsum([size for _, size in parser.config.shape(parser.weights).learned_tables])
    rng = np.random.default_rng(3)
    for first, last in pairwise(sizes):
        touched = first + np.flatnonzero(np.abs(gradient[first:last]) > 0.02)
        assert len(touched) > 10
        for index in rng.choice(touched, 10, replace=False):
            step = 2.0**-6
            ends = []
            for sign in (-1, 1):
                moved = at.copy()
                moved[index] += sign * step
                ends.append(trainer.objective(learner, every, moved, *none)[0])
            slope = (ends[1] - ends[0]) / (2 * step)
            assert slope == pytest.approx(gradient[index], rel=0.02, abs=2e-3)
    assert begin == sizes[0]


def test_margin_gradient_equals_the_reference(parser: Parser) -> None:
    """The structured hinge: φ(gold) − φ(rival), of which the core lists du, dv and dw."""
    assert parser.config.tensor is not None
    settings = SETTINGS.changed(learner="max-margin", words__vectors=None)
    sentence = max(SENTENCES, key=len)
    noise = np.random.default_rng(5)
    worse = {
        name: noise.normal(size=len(table)).astype(np.float32) * (np.abs(table) > 0)
        for name, table in parser.weights.items()
        if name.startswith("tensor_") and table.dtype == np.float32
    }
    other = Parser(parser.config, {**parser.weights, **worse})
    trainer, weights = trainer_of(other, settings, [sentence])
    every = np.arange(len(weights), dtype=np.uint32)
    loss, gradient, _ = trainer.objective(
        native_learner(settings), every, weights.astype(np.float64), np.zeros(0, np.uint32), np.zeros(0)
    )
    assert loss > 1
    scores = other.arc_scores(sentence)
    cost = np.ones_like(scores)
    cost[sentence.heads, np.arange(1, len(sentence) + 1)] = 0
    rival = best_tree(scores + cost)
    amounts = np.zeros_like(scores)
    for m, (gold, found) in enumerate(zip(sentence.heads, rival, strict=True), 1):
        amounts[gold, m] += 1
        amounts[found, m] -= 1
    expected = reference.gradients(
        features(other, sentence), *factors(other), parser.config.tensor.weight, amounts
    )
    stride, begin = tensor_shape(other).stride, 1 << parser.config.arc_bits
    for part in expected:
        found = gradient[begin : begin + len(part) * stride].reshape(-1, stride)
        np.testing.assert_allclose(-found[:, :RANK], part, atol=1e-3, rtol=1e-3)
        assert not found[:, RANK:].any()
        begin += found.size


def best_tree(scores: npt.NDArray[np.float64]) -> list[int]:
    """The best projective tree with one root."""
    return ProjectiveTrees(scores, single_root=True).argmax().tree.heads.tolist()


def test_an_uncapped_step_closes_the_margin(parser: Parser) -> None:
    """Each of the three factors in turn, with the features (section 4)."""
    settings = SETTINGS.changed(tensor__aggressiveness=1e9, words__vectors=None)
    closed = 0
    for sentence in [s for s in SENTENCES if len(s) > 4][:8]:
        for turn in range(3):
            trainer, _ = trainer_of(parser, settings, [sentence])
            # A sentence that is parsed well teaches nothing: start from weights of arcs that are none.
            trainer.start("arcs", np.zeros(1 << parser.config.arc_bits, np.float32))
            state = trainer.state()
            state["arcs.steps"] = np.array([turn], np.int64)
            trainer.restore(state)
            before = with_weights(parser, trainer.state()["arcs.weights"])
            cost = np.ones((len(sentence) + 1,) * 2)
            cost[sentence.heads, np.arange(1, len(sentence) + 1)] = 0
            rival = best_tree(before.arc_scores(sentence) + cost)
            if rival == sentence.heads.tolist():
                continue
            trainer.train(np.zeros(1, np.int64))
            moved = trainer.state()["arcs.weights"] != state["arcs.weights"]
            after = with_weights(parser, trainer.state()["arcs.weights"])
            words = np.arange(1, len(sentence) + 1)
            scores = after.arc_scores(sentence)
            margin = scores[sentence.heads, words].sum() - scores[rival, words].sum()
            assert margin == pytest.approx(np.count_nonzero(sentence.heads != rival), abs=1e-3)
            sizes = np.cumsum([size for _, size in parser.config.shape(parser.weights).learned_tables])
            parts = [part.any() for part in np.split(moved, sizes[:-1])]
            assert parts == [True, *(factor == turn for factor in range(3))]
            closed += 1
    assert closed > 6


def with_weights(parser: Parser, weights: npt.NDArray[np.float32]) -> Parser:
    names, sizes = zip(*parser.config.shape(parser.weights).learned_tables, strict=True)
    tables = dict(zip(names, np.split(weights, np.cumsum(sizes[:-1])), strict=True))
    return Parser(parser.config, {**parser.weights, **tables})


def test_the_length_of_a_step_is_the_papers() -> None:
    du = np.array([[3.0, 4.0]])
    assert reference.step_size(10.0, np.array([2.0]), du, 0.5, 1.0) == pytest.approx(10 / (0.25 * 4 + 25))
    assert reference.step_size(10.0, np.array([2.0]), du, 0.5, 0.1) == 0.1
    assert reference.step_size(-1.0, np.array([2.0]), du, 0.5, 0.1) == 0.0


@pytest.mark.parametrize("rank", [1, 3, 11])
def test_the_start_equals_numpys_svd(rank: int) -> None:
    rng = np.random.default_rng(rank)
    tensor = (rng.normal(size=(SLOTS, 12, 12)) * (rng.random((SLOTS, 12, 12)) < 0.3)).astype(np.float32)
    tensor[:, 5] = 0  # a feature that no weight speaks of
    found, expected = low_rank(tensor, rank), reference.low_rank(tensor.transpose(1, 2, 0), rank)
    for column in range(rank):
        own, other = (np.einsum("i,j,k", *(f[:, column] for f in fs)) for fs in (found, expected))
        np.testing.assert_allclose(own, other, atol=1e-5)


def test_a_start_of_too_high_a_rank_is_zero_beyond() -> None:
    tensor = np.zeros((SLOTS, 3, 3), np.float32)
    tensor[2, 0, 1] = 5.0
    for factor in low_rank(tensor, 4):
        assert np.abs(factor[:, 0]).max() == pytest.approx(5 ** (1 / 3))
        assert not factor[:, 1:].any()
    for factor in low_rank(0 * tensor, 2):
        assert not factor.any()


def test_unfolded_features_score_as_features_do() -> None:
    """Where all templates of arcs are of the head with one of the modifier, the tensor holds all of them."""
    templates = {
        "arc": ("h.tag m.tag", "h.lower h.tag m.lower", "h.tag", "m.tag m+1.tag", "h.lower m.tag @direction"),
        "tensor": ("w.tag", "w.lower", "w.tag w.lower", "w.tag w+1.tag"),
    }
    plain = SETTINGS.changed(tensor=0, templates={"arc": templates["arc"]})
    parser = Parser.train(SENTENCES, settings=plain)
    shape = parser.config.arc_shape()
    examples = [native.TrainingExample(s, s.heads, np.full(len(s), -1, np.int32), shape) for s in SENTENCES]
    lines = list(templates["tensor"])
    vocabulary = native.collect_word_features(lines, examples, 1)
    tensor = TensorConfig(templates=lines, rank=2, weight=1.0).shape({"tensor_vocabulary": vocabulary})
    unfolded = native.unfold_features(shape, tensor, examples, parser.weights["arcs"], tensor.rows)
    full = unfolded.reshape(SLOTS, tensor.rows, tensor.rows)
    for sentence in SENTENCES[:5]:
        phi = reference.word_features(tensor.rows_of(sentence), tensor.rows)
        scores = parser.arc_scores(sentence)
        for h, m in zip(*np.nonzero(np.isfinite(scores)), strict=True):
            own = np.einsum("kij,i,j,k", full, phi[h], phi[m], reference.arc_features(h, m))
            assert own == pytest.approx(scores[h, m], abs=1e-5)


def test_vocabularies_are_sorted_by_frequency_and_cut() -> None:
    shape = Parser.train(SENTENCES[:5], settings=SETTINGS.changed(tensor=0)).config.arc_shape()
    examples = [native.TrainingExample(s, s.heads, np.full(len(s), -1, np.int32), shape) for s in SENTENCES]
    every, often = (native.collect_word_features(["w.lower"], examples, n) for n in (1, 20))
    assert 0 < len(often) < len(every)
    assert np.array_equal(every[: len(often)], often)
