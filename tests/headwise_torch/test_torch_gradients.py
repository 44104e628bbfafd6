"""Gradients of gradients against finite differences, and what PyTorch asks of operators."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from batches import STRUCTURES, draw
from torch import Tensor
from torch.autograd import gradcheck, gradgradcheck

from headwise.torch import Distribution, ProjectiveTrees, operators

LENGTHS = (4, 3, 1, 0)


@pytest.fixture(params=[True, False], ids=["one-root", "many-roots"])
def make(request: pytest.FixtureRequest, structure: str) -> Callable[..., Distribution]:
    return lambda arcs, lengths: STRUCTURES[structure][0](arcs, lengths, single_root=request.param)


@pytest.fixture(params=[None, 2], ids=["unlabelled", "labelled"])
def arcs(request: pytest.FixtureRequest, device: torch.device) -> Tensor:
    """Finite, so that differences can be taken."""
    return torch.tensor(draw("smooth", len(LENGTHS), 4, request.param), device=device, requires_grad=True)


@pytest.fixture
def lengths(device: torch.device) -> Tensor:
    return torch.tensor(LENGTHS, device=device)


def masked(arcs: Tensor) -> Tensor:
    """Without one arc, of gradient 0."""
    forbidden = torch.zeros(arcs.shape, dtype=torch.bool, device=arcs.device)
    forbidden[:, 2, 1] = True
    return arcs.masked_fill(forbidden, -torch.inf)


VERBS: dict[str, Callable[[Distribution], Tensor]] = {
    "log_partition": lambda trees: trees.log_partition(),
    "marginals": lambda trees: trees.marginals().arcs,
    "entropy": lambda trees: trees.entropy(),
    "risk": lambda trees: trees.expectation(torch.ones_like(trees.marginals().arcs).tril()),
}


@pytest.mark.parametrize("verb", list(VERBS))
def test_first_gradients(verb: str, make: Callable[..., Distribution], arcs: Tensor, lengths: Tensor) -> None:
    assert gradcheck(lambda scores: VERBS[verb](make(masked(scores), lengths)), arcs, fast_mode=True)


@pytest.mark.parametrize("verb", ["log_partition", "marginals", "entropy"])
def test_second_gradients(
    verb: str, make: Callable[..., Distribution], arcs: Tensor, lengths: Tensor
) -> None:
    assert gradgradcheck(lambda scores: VERBS[verb](make(masked(scores), lengths)), arcs, fast_mode=True)


def test_gradients_of_probabilities_and_divergences(
    make: Callable[..., Distribution], arcs: Tensor, lengths: Tensor
) -> None:
    best = make(arcs, lengths).argmax()

    def both(scores: Tensor, others: Tensor) -> tuple[Tensor, Tensor]:
        trees = make(scores, lengths)
        return trees.log_prob(best.heads, best.labels), trees.kl_divergence(make(others, lengths))

    others = arcs.detach().flip(0).requires_grad_()
    assert gradcheck(both, (arcs, others), fast_mode=True)


def test_the_best_score_has_the_gradient_of_its_tree(
    make: Callable[..., Distribution], arcs: Tensor, lengths: Tensor
) -> None:
    solution = make(arcs, lengths).argmax()
    solution.score.sum().backward()
    assert arcs.grad is not None
    assert float(arcs.grad.sum()) == sum(LENGTHS)
    for b, n in enumerate(LENGTHS):
        for m in range(1, n + 1):
            label = () if solution.labels is None else (int(solution.labels[b, m - 1]),)
            assert float(arcs.grad[(b, int(solution.heads[b, m - 1]), m, *label)]) == 1.0


def test_a_sentence_without_a_tree_has_no_gradient(
    make: Callable[..., Distribution], lengths: Tensor, device: torch.device
) -> None:
    arcs = torch.zeros((4, 5, 5), device=device, requires_grad=True)
    total = make(
        arcs.masked_fill(torch.ones_like(arcs, dtype=torch.bool), -torch.inf), lengths
    ).log_partition()
    assert total.tolist() == [-torch.inf, -torch.inf, -torch.inf, 0.0]
    total.sum().backward()
    assert arcs.grad is not None
    assert (arcs.grad == 0).all()


@pytest.mark.parametrize("projective", [True, False])
def test_operators_keep_to_the_rules(projective: bool, device: torch.device) -> None:
    scores = torch.tensor(draw("smooth", 3, 4), device=device, requires_grad=True)
    lengths = torch.tensor([4, 2, 1], device=device)
    direction = torch.tensor(draw("smooth", 3, 4, seed=1), device=device, requires_grad=True)
    heads = torch.zeros((3, 4), dtype=torch.int64, device=device)
    for operator, arguments in (
        (operators.argmax, (scores.detach(), lengths)),
        (operators.log_partition, (scores.detach(), lengths)),
        (operators.sums, (scores, lengths)),
        (operators.derivative, (scores, lengths, direction)),
        (operators.second_derivative, (scores.detach(), lengths, direction.detach(), direction.detach())),
        (operators.is_tree, (heads, lengths)),
    ):
        torch.library.opcheck(operator, (*arguments, projective, True))


def test_the_fourth_gradient_is_refused(device: torch.device) -> None:
    arcs = torch.tensor(draw("smooth", 1, 3), device=device, requires_grad=True)
    total = ProjectiveTrees(arcs, single_root=True).log_partition().sum()
    for _ in range(3):
        (gradient,) = torch.autograd.grad(total, arcs, create_graph=True)
        total = (gradient**2).sum()
    with pytest.raises(NotImplementedError, match="twice, and no further"):
        torch.autograd.grad(total, arcs)


def test_compiled(device: torch.device) -> None:
    arcs = torch.tensor(draw("masked", 4, 6), dtype=torch.float32, device=device, requires_grad=True)
    lengths = torch.tensor([6, 5, 2, 1], device=device)

    def loss(scores: Tensor) -> Tensor:
        trees = ProjectiveTrees(scores, lengths, single_root=False)
        total = trees.log_partition() + trees.entropy()
        return torch.where(torch.isfinite(total), total, 0).sum()

    (expected,) = torch.autograd.grad(loss(arcs), arcs)
    (found,) = torch.autograd.grad(torch.compile(loss, backend="aot_eager", fullgraph=True)(arcs), arcs)
    torch.testing.assert_close(found, expected)


def test_half_precision_is_computed_in_float32(device: torch.device) -> None:
    arcs = torch.randn((2, 5, 5), dtype=torch.bfloat16, device=device, requires_grad=True)
    total = ProjectiveTrees(arcs, single_root=True).log_partition()
    assert total.dtype == torch.float32
    total.sum().backward()
    assert arcs.grad is not None
    assert arcs.grad.dtype == torch.bfloat16
    assert float(arcs.grad.float().sum()) == pytest.approx(8, abs=0.05)
