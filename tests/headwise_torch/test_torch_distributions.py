"""Every verb of headwise.torch against headwise.trees, sentence by sentence, on every device."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from batches import KINDS, STRUCTURES, draw, draw_lengths, sentences_of
from several_trees import check_best, check_samples

from headwise.torch import Distribution
from headwise.trees import Tree

# Relative to scores of size 1; float32 at scores of size 200.
TOLERANCE = {torch.float64: 1e-9, torch.float32: 3e-5}
LARGE = {torch.float64: 1e-8, torch.float32: 2e-3}
WORDS, SENTENCES = 7, 16


@pytest.fixture(params=[torch.float64, torch.float32], ids=["float64", "float32"])
def dtype(request: pytest.FixtureRequest) -> torch.dtype:
    return request.param


@pytest.fixture(params=[None, 3], ids=["unlabelled", "labelled"])
def labels(request: pytest.FixtureRequest) -> int | None:
    return request.param


class Case:
    """A batch on a device and its sentences as headwise.trees has them."""

    def __init__(
        self,
        structure: str,
        single_root: bool,
        dtype: torch.dtype,
        device: torch.device,
        kind: str = "smooth",
        labels: int | None = None,
        words: int = WORDS,
    ) -> None:
        scores, lengths = draw(kind, SENTENCES, words, labels), draw_lengths(SENTENCES, words)
        self.sentences = sentences_of(structure, scores, lengths, single_root, dtype)
        self.arcs = torch.tensor(scores, dtype=dtype, device=device)
        self.lengths = torch.tensor(lengths, device=device)
        self.make = STRUCTURES[structure][0]
        self.trees: Distribution = self.make(self.arcs, self.lengths, single_root=single_root)
        self.single_root = single_root
        self.tolerance = (LARGE if kind == "large" else TOLERANCE)[dtype]

    def close(self, result: torch.Tensor, expected: np.ndarray) -> None:
        np.testing.assert_allclose(
            result.detach().cpu().double().numpy(), expected, rtol=self.tolerance, atol=self.tolerance
        )


@pytest.fixture(params=KINDS)
def case(
    request: pytest.FixtureRequest,
    structure: str,
    single_root: bool,
    dtype: torch.dtype,
    labels: int | None,
    device: torch.device,
) -> Case:
    return Case(structure, single_root, dtype, device, request.param, labels)


@pytest.fixture
def smooth(structure: str, single_root: bool, labels: int | None, device: torch.device) -> Case:
    return Case(structure, single_root, torch.float64, device, "masked", labels, words=4)


def test_log_partition(case: Case) -> None:
    case.close(case.trees.log_partition(), case.sentences.expected("log_partition"))


def test_log_partition_with_gradient(case: Case) -> None:
    arcs = case.arcs.clone().requires_grad_()
    total = case.make(arcs, case.lengths, single_root=case.single_root).log_partition()
    case.close(total, case.sentences.expected("log_partition"))
    torch.where(torch.isfinite(total), total, 0).sum().backward()
    case.close(arcs.grad, case.sentences.marginals(labelled=case.trees.label_count is not None))


def test_marginals(case: Case) -> None:
    marginals = case.trees.marginals()
    case.close(marginals.arcs, case.sentences.marginals())
    if case.trees.label_count is not None:
        assert marginals.labels is not None
        case.close(marginals.labels, case.sentences.marginals(labelled=True))


def test_argmax(case: Case) -> None:
    solution = case.trees.argmax()
    expected = np.array(
        [
            (tree.argmax().score if tree else -np.inf) if n else 0.0
            for tree, n in zip(case.sentences.trees, case.sentences.lengths, strict=True)
        ]
    )
    case.close(solution.score, expected)
    for b, (tree, n) in enumerate(zip(case.sentences.trees, case.sentences.lengths, strict=True)):
        heads = solution.heads[b].cpu().numpy()
        assert (heads[n if tree else 0 :] == -1).all()
        if tree:
            labels = None if solution.labels is None else solution.labels[b, :n].cpu().numpy()
            log_prob = tree.log_prob(Tree(heads[:n], labels))
            assert log_prob == pytest.approx(
                expected[b] - tree.log_partition(), rel=case.tolerance, abs=100 * case.tolerance
            )


def test_entropy(case: Case) -> None:
    case.tolerance *= 5  # the difference of two numbers that grow with the scores
    case.close(case.trees.entropy(), case.sentences.expected("entropy"))


def test_kl_divergence(case: Case) -> None:
    other = case.make(
        case.arcs.roll(1, 0).where(case.arcs > -torch.inf, -torch.inf),
        case.lengths,
        single_root=case.single_root,
    )
    lengths = case.sentences.lengths
    structure = "projective" if case.trees.projective else "spanning"
    others = sentences_of(
        structure, other.arcs.cpu().double().numpy(), lengths, case.single_root, torch.float64
    )
    found = case.trees.kl_divergence(other).cpu().double().numpy()
    for b, (tree, against) in enumerate(zip(case.sentences.trees, others.trees, strict=True)):
        if tree and against:
            expected = tree.kl_divergence(against)
            assert found[b] == pytest.approx(expected, rel=case.tolerance, abs=10 * case.tolerance)


def test_log_prob(case: Case) -> None:
    solution = case.trees.argmax()
    found = case.trees.log_prob(solution.heads.clamp(min=0), solution.labels).cpu().double().numpy()
    for b, (tree, n) in enumerate(zip(case.sentences.trees, case.sentences.lengths, strict=True)):
        if tree is None:
            assert found[b] == (0.0 if n == 0 else -np.inf)
            continue
        labels = None if solution.labels is None else solution.labels[b, :n].cpu().numpy()
        expected = tree.log_prob(Tree(solution.heads[b, :n].cpu().numpy(), labels))
        assert found[b] == pytest.approx(expected, rel=case.tolerance, abs=100 * case.tolerance)


def test_minimum_risk(smooth: Case) -> None:
    solution = smooth.trees.minimum_risk()
    for b, (tree, n) in enumerate(zip(smooth.sentences.trees, smooth.sentences.lengths, strict=True)):
        if tree:
            expected = tree.minimum_risk()
            assert float(solution.score[b]) == pytest.approx(expected.score, abs=1e-9)
            marginals = tree.marginals()
            heads = solution.heads[b, :n].cpu().numpy()
            words = np.arange(1, n + 1)
            if solution.labels is None:
                gains = marginals.arcs[heads, words]
            else:
                assert marginals.labels is not None
                gains = marginals.labels[heads, words, solution.labels[b, :n].cpu().numpy()]
            assert gains.sum() == pytest.approx(expected.score, abs=1e-9)


def test_top_k(smooth: Case) -> None:
    solution = smooth.trees.top_k(6)
    scores, heads = solution.score.cpu().numpy(), solution.heads.cpu().numpy()
    labels = None if solution.labels is None else solution.labels.cpu().numpy()
    for b, (tree, n) in enumerate(zip(smooth.sentences.trees, smooth.sentences.lengths, strict=True)):
        check_best(tree, n, heads[b], None if labels is None else labels[b], scores[b])


@pytest.mark.parametrize("kind", KINDS)
def test_samples(structure: str, single_root: bool, kind: str, device: torch.device) -> None:
    case = Case(structure, single_root, torch.float64, device, kind, words=4)
    heads = case.trees.sample(2000, seed=3).heads.cpu().numpy()
    for b, (tree, n) in enumerate(zip(case.sentences.trees, case.sentences.lengths, strict=True)):
        assert (heads[b, :, n if tree else 0 :] == -1).all()
        if tree:
            check_samples(tree, heads[b, :, :n])


@pytest.mark.parametrize("labels", [None, 3], ids=["unlabelled", "labelled"])
def test_top_k_of_long_sentences(
    structure: str, single_root: bool, labels: int | None, device: torch.device
) -> None:
    """Longer than a class of lengths, with more trees than shared memory has room for."""
    k = 300
    scores, lengths = draw("smooth", 3, 60, labels), np.array([60, 30, 5])
    sentences = sentences_of(structure, scores, lengths, single_root, torch.float64)
    arcs = torch.tensor(scores, device=device)
    trees = STRUCTURES[structure][0](arcs, torch.tensor(lengths, device=device), single_root=single_root)
    found = trees.top_k(k)
    for b, (tree, n) in enumerate(zip(sentences.trees, lengths, strict=True)):
        chosen = None if found.labels is None else found.labels[b].cpu().numpy()
        check_best(tree, n, found.heads[b].cpu().numpy(), chosen, found.score[b].cpu().numpy(), 1e-8)


def test_samples_have_the_frequencies_of_the_marginals(smooth: Case) -> None:
    k = 3000
    drawn = smooth.trees.sample(k, seed=1)
    marginals = smooth.trees.marginals()
    for b, (tree, n) in enumerate(zip(smooth.sentences.trees, smooth.sentences.lengths, strict=True)):
        heads = drawn.heads[b]
        if tree is None:
            assert (heads == -1).all()
            continue
        assert (heads[:, n:] == -1).all()
        frequency = torch.nn.functional.one_hot(heads[:, :n], smooth.trees.words + 1).double().mean(0)
        expected = marginals.arcs[b, :, 1 : n + 1].T
        assert float((frequency - expected).abs().max()) < 0.05  # 5 standard deviations
        if drawn.labels is not None:
            assert marginals.labels is not None
            together = heads[:, :n] * 3 + drawn.labels[b, :, :n]
            frequency = torch.nn.functional.one_hot(together, (smooth.trees.words + 1) * 3).double().mean(0)
            expected = marginals.labels[b, :, 1 : n + 1].transpose(0, 1).flatten(1)
            assert float((frequency - expected).abs().max()) < 0.05
        for rank in range(20):
            labels = None if drawn.labels is None else drawn.labels[b, rank, :n].cpu().numpy()
            log_prob = tree.log_prob(Tree(heads[rank, :n].cpu().numpy(), labels))
            assert log_prob + tree.log_partition() == pytest.approx(float(drawn.score[b, rank]), abs=1e-9)
    again = smooth.trees.sample(k, seed=1)
    assert torch.equal(again.heads, drawn.heads)
    assert not torch.equal(smooth.trees.sample(k, seed=2).heads, drawn.heads)


def test_count(smooth: Case) -> None:
    expected = [
        tree.count() if tree else int(n == 0)
        for tree, n in zip(smooth.sentences.trees, smooth.sentences.lengths, strict=True)
    ]
    assert smooth.trees.count() == expected


def test_expectation(smooth: Case) -> None:
    values = torch.randn(smooth.arcs.shape[:3], dtype=torch.float64).to(smooth.arcs.device)
    found = smooth.trees.expectation(values).cpu().numpy()
    for b, (tree, n) in enumerate(zip(smooth.sentences.trees, smooth.sentences.lengths, strict=True)):
        if tree:
            table = values[b, : n + 1, : n + 1].cpu().numpy()
            assert found[b] == pytest.approx(tree.expectation(arcs=table), abs=1e-9)


def test_constraints(structure: str, single_root: bool, labels: int | None, device: torch.device) -> None:
    scores = draw("smooth", 5, 5, labels)
    rng = np.random.default_rng(3)
    mask = rng.random(scores.shape) < 0.8
    heads = np.full((5, 5), -1)
    heads[:, 2] = (0, 1, 2, 4, 5)
    chosen = None if labels is None else rng.integers(-1, labels, size=(5, 5))
    make, reference = STRUCTURES[structure]
    given = {} if chosen is None else {"partial_labels": torch.tensor(chosen, device=device)}
    found = make(
        torch.tensor(scores, device=device),
        mask=torch.tensor(mask, device=device),
        partial_heads=torch.tensor(heads, device=device),
        single_root=single_root,
        **given,
    ).marginals()
    for b in range(5):
        tree = reference(
            scores[b],
            mask=mask[b],
            partial_heads=heads[b],
            single_root=single_root,
            **({} if chosen is None else {"partial_labels": chosen[b]}),
        )
        if tree.count():
            np.testing.assert_allclose(found.arcs[b].cpu(), tree.marginals().arcs, atol=1e-9)


def test_long_sentences(structure: str, single_root: bool, device: torch.device) -> None:
    """Longer than a class of lengths, and than shared memory has room for, beside short ones."""
    scores = np.random.default_rng(0).normal(size=(4, 131, 131))
    lengths = np.array([130, 60, 20, 1])
    sentences = sentences_of(structure, scores, lengths, single_root, torch.float32)
    arcs = torch.tensor(scores, dtype=torch.float32, device=device)
    trees = STRUCTURES[structure][0](arcs, torch.tensor(lengths, device=device), single_root=single_root)
    expected = sentences.expected("log_partition")
    np.testing.assert_allclose(trees.log_partition().cpu(), expected, rtol=1e-5)
    np.testing.assert_allclose(trees.marginals().arcs.cpu(), sentences.marginals(), atol=1e-4)
    best = [tree.argmax().score for tree in sentences.trees if tree]
    np.testing.assert_allclose(trees.argmax().score.cpu(), best, rtol=1e-5)
