"""The module of PyTorch computes what the core and the reference compute, gradients included."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from small_networks import SENTENCES, TINY, Twin, head_log_probabilities

from headwise._native import learning as native
from headwise.reference import network as reference
from headwise.training.neural.biaffine import Scores
from headwise.training.neural.losses import Objective
from headwise.training.neural.network import Network
from headwise.trees import ProjectiveTrees, SpanningTrees

CHOSEN = [0, 3, 7, 11, 12]


@pytest.fixture(scope="module")
def twin() -> Twin:
    return Twin.random()


def test_heads_equal_the_reference_and_the_core(twin: Twin) -> None:
    weights, vectors = (table.astype(np.float64) for table in twin.network.to_tables())
    arcs = twin.network(twin.batch(CHOSEN)).arcs
    for scores, i in zip(arcs, twin.order(CHOSEN), strict=True):
        sentence = SENTENCES[i]
        found = head_log_probabilities(scores, len(sentence))[:, 1:]
        rows = twin.shape.vector_rows(sentence)
        expected = reference.head_log_probabilities(TINY, weights, vectors, rows)[:, 1:]
        own = twin.parser.arc_scores(sentence)[:, 1:]
        arc = np.isfinite(expected)
        np.testing.assert_allclose(found[arc], expected[arc], atol=1e-4)
        np.testing.assert_allclose(own[arc], expected[arc], atol=1e-4)


def test_labels_equal_the_reference(twin: Twin) -> None:
    weights, vectors = (table.astype(np.float64) for table in twin.network.to_tables())
    batch = twin.batch(CHOSEN)
    labels = torch.log_softmax(twin.network.biaffine.labels(batch, twin.network(batch), batch.heads), dim=-1)
    for scores, i in zip(labels.detach().numpy(), twin.order(CHOSEN), strict=True):
        sentence = SENTENCES[i]
        expected = reference.label_log_probabilities(
            TINY,
            weights,
            vectors,
            twin.shape.vector_rows(sentence),
            sentence.heads.tolist(),
            twin.network.biaffine.label_count,
        )
        np.testing.assert_allclose(scores[: len(sentence)], expected, atol=1e-4)


def test_tables_stay_as_they_were_while_it_learns() -> None:
    """Those of the best epoch are kept while others follow."""
    network = Twin.random().network
    tables = network.to_tables()
    before = [table.tobytes() for table in tables]
    with torch.no_grad():
        for weights in network.parameters():
            weights.add_(1.0)
    assert [table.tobytes() for table in tables] == before


def test_what_is_no_arc_is_impossible(twin: Twin) -> None:
    batch = twin.batch(CHOSEN)
    arcs = twin.network(batch).arcs
    for scores, words in zip(arcs, batch.lengths.tolist(), strict=True):
        assert torch.isinf(scores.diagonal()).all()
        assert torch.isinf(scores[:, 0]).all()
        assert torch.isinf(scores[words + 1 :]).all()
        assert torch.isinf(scores[:, words + 1 :]).all()
        assert int(torch.isfinite(scores).sum()) == words * words


def test_gradients_equal_those_of_the_core(twin: Twin) -> None:
    config = replace(TINY, pieces=0)  # the core's trainer takes any; both are asked
    for shape in (TINY, config):
        other = Twin.random(shape)
        trainer = native.NetworkTrainer(other.shape, total=1, seed=1)
        for example in other.examples:
            trainer.add(example)
        state = trainer.state()
        weights, vectors = other.network.to_tables()
        trainer.restore({**state, "network.0": weights, "vectors.0": vectors})
        expected = trainer.loss(np.array(CHOSEN, np.int64))
        loss, _ = Objective("heads", True, True).of(other.network, other.batch(CHOSEN))
        loss.backward()
        assert float(loss.detach()) == pytest.approx(expected[0], rel=1e-4)
        gradient = Network(
            shape, len(other.network.vectors), other.network.biaffine.label_count, other.network.dropout
        )
        with torch.no_grad():
            for name, table in gradient.named_parameters():
                found = other.network.get_parameter(name).grad
                table.copy_(torch.zeros_like(table) if found is None else found)
        for own, theirs in zip(gradient.to_tables(), expected[1:], strict=True):
            np.testing.assert_allclose(own, theirs, atol=2e-3 * np.abs(theirs).max())


def test_tables_come_back_as_they_were(twin: Twin) -> None:
    weights, vectors = twin.network.to_tables()
    other = Network(TINY, len(twin.network.vectors), twin.network.biaffine.label_count, twin.network.dropout)
    other.load_tables(weights, vectors)
    assert [table.tobytes() for table in other.to_tables()] == [weights.tobytes(), vectors.tobytes()]


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("single_root", [True, False])
def test_losses_of_trees(twin: Twin, projective: bool, single_root: bool) -> None:
    """Against the distributions of headwise.trees; of a margin, by the best tree under costs."""
    short = sorted(CHOSEN, key=lambda i: len(SENTENCES[i]))[:3]
    batch = twin.batch(short)
    scores = twin.network(batch)
    structure = ProjectiveTrees if projective else SpanningTrees
    expected = {"trees": 0.0, "risk": 0.0, "margin": 0.0}
    for arcs, i in zip(scores.arcs.detach().double().numpy(), twin.order(short), strict=True):
        gold = SENTENCES[i].heads
        nodes = len(gold) + 1
        table = arcs[:nodes, :nodes].copy()
        cost = np.ones((nodes, nodes))
        cost[gold, np.arange(1, nodes)] = 0
        cost[:, 0] = 0
        trees = structure(table, single_root=single_root)
        expected["trees"] -= trees.log_prob(gold)
        expected["risk"] += float((trees.marginals().arcs * cost).sum())
        best = structure(table + cost, single_root=single_root).argmax().score
        expected["margin"] += best - table[gold, np.arange(1, nodes)].sum()
    for name, value in expected.items():
        found = Objective(name, projective, single_root).of_heads(scores, batch)
        assert float(found.detach()) == pytest.approx(value, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("name", ["heads", "trees", "margin", "risk"])
def test_words_without_a_head_teach_nothing(twin: Twin, name: str) -> None:
    batch = twin.batch(CHOSEN)
    unknown = replace(batch, heads=torch.full_like(batch.heads, -1))
    scores = twin.network(batch)
    arcs = scores.arcs.detach().requires_grad_()
    loss = Objective(name, True, True).of_heads(
        Scores(arcs, scores.label_heads, scores.label_modifiers), unknown
    )
    loss.backward()
    assert float(loss.detach()) == pytest.approx(0.0, abs=1e-4)
    assert arcs.grad is not None
    assert torch.nan_to_num(arcs.grad).abs().max() < 1e-5


def test_sentences_of_a_batch_do_not_hear_each_other(twin: Twin) -> None:
    together = twin.network(twin.batch(CHOSEN)).arcs
    for scores, i in zip(together, twin.order(CHOSEN), strict=True):
        nodes = len(SENTENCES[i]) + 1
        alone = twin.network(twin.batch([i])).arcs[0]
        torch.testing.assert_close(scores[:nodes, :nodes], alone, atol=1e-5, rtol=1e-5)
