"""Inputs that are wrong, empty or laid out in other ways: clear errors or right answers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from batches import STRUCTURES

from headwise.torch import ProjectiveTrees, SpanningTrees

EVERY = [make for make, _ in STRUCTURES.values()]


@pytest.mark.parametrize(
    ("arcs", "message"),
    [
        (torch.zeros(3, 3), "arcs must have shape"),
        (torch.zeros(2, 3, 4), "arcs must have shape"),
        (torch.zeros(2, 0, 0), "arcs must have shape"),
        (torch.zeros(2, 3, 3, 0), "arcs must have shape"),
        (torch.zeros((2, 3, 3), dtype=torch.int64), "floating-point"),
        (torch.zeros((2, 3, 3), device="meta"), "CPU or a CUDA device"),
    ],
)
def test_arcs_are_checked(arcs: torch.Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ProjectiveTrees(arcs, single_root=True)


def test_arguments_are_checked(device: torch.device) -> None:
    arcs = torch.zeros((2, 4, 4), device=device)
    with pytest.raises(TypeError, match=r"headwise\.trees takes NumPy"):
        ProjectiveTrees(arcs.cpu().numpy(), single_root=True)  # type: ignore[arg-type]
    for lengths, message in (
        (torch.tensor([3.0, 2.0], device=device), "lengths must be integers"),
        (torch.tensor([3], device=device), r"lengths must have shape \(2,\)"),
        (torch.tensor([3, 2], device="meta"), "lengths must be on"),
    ):
        with pytest.raises(ValueError, match=message):
            ProjectiveTrees(arcs, lengths, single_root=True)
    for name, value, message in (
        ("mask", torch.ones((2, 4, 4), device=device), "mask must be booleans"),
        ("mask", torch.ones((2, 4), dtype=torch.bool, device=device), "mask must have shape"),
        (
            "partial_heads",
            torch.zeros((2, 4), dtype=torch.int64, device=device),
            "partial_heads must have shape",
        ),
        (
            "partial_labels",
            torch.zeros((2, 3), dtype=torch.int64, device=device),
            "only where arcs have labels",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            SpanningTrees(arcs, single_root=True, **{name: value})
    trees = ProjectiveTrees(arcs, single_root=True)
    for call in (lambda: trees.top_k(0), lambda: trees.sample(0, seed=1), lambda: trees.sample(1, seed=-1)):
        with pytest.raises(ValueError, match="must be a"):
            call()
    with pytest.raises(ValueError, match="labels must not be given"):
        trees.log_prob(torch.zeros((2, 3), dtype=torch.int64, device=device), torch.zeros((2, 3)))
    with pytest.raises(ValueError, match="other must be ProjectiveTrees"):
        trees.kl_divergence(SpanningTrees(arcs, single_root=True))


def test_lengths_are_checked_where_they_can_be_seen(device: torch.device) -> None:
    arcs, lengths = torch.zeros((3, 4, 4), device=device), torch.tensor([4, 3, -1], device=device)
    if device.type == "cpu":
        with pytest.raises(ValueError, match="lengths must lie between 0 and 3"):
            ProjectiveTrees(arcs, lengths, single_root=True)
        return
    for make in EVERY:  # a GPU is not asked: such a sentence has no results
        trees = make(arcs, lengths, single_root=True)
        assert trees.log_partition().isnan().tolist() == [True, False, True]
        assert trees.marginals().arcs[0].isnan().all()
        assert (trees.argmax().heads[0] == -1).all()
        assert (trees.argmax().heads[1] >= 0).all()


@pytest.mark.parametrize("make", EVERY)
@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_scores_that_are_no_numbers_spoil_their_sentence_alone(
    make: type[ProjectiveTrees], bad: float, device: torch.device
) -> None:
    arcs = torch.zeros((3, 5, 5), device=device)
    arcs[1, 2, 1] = bad
    arcs[:, 3, 3] = arcs[:, 2, 0] = bad  # no arcs
    arcs[2, 4] = arcs[2, :, 4] = bad  # behind the last word
    trees = make(arcs, torch.tensor([4, 4, 3], device=device), single_root=True)
    assert trees.log_partition().isnan().tolist() == [False, True, False]
    assert trees.marginals().arcs.isnan().flatten(1).any(1).tolist() == [False, True, False]
    assert trees.marginals().arcs[:, :, 1:].sum((1, 2)).tolist()[::2] == pytest.approx([4, 3])
    best = trees.argmax()
    assert best.score.isnan().tolist() == [False, True, False]
    assert (best.heads[1] == -1).all()
    assert (trees.sample(2, seed=1).heads[1] == -1).all()


@pytest.mark.parametrize("make", EVERY)
def test_other_layouts(make: type[ProjectiveTrees], device: torch.device) -> None:
    dense = torch.randn((3, 6, 6), device=device)
    expected = make(dense, single_root=True)
    strided = torch.empty((6, 3, 12), device=device)[:, :, ::2].permute(1, 0, 2)
    strided.copy_(dense)
    assert not strided.is_contiguous()
    lengths = torch.full((6,), 5, dtype=torch.int32, device=device)[::2]
    found = make(strided, lengths, single_root=True)
    assert torch.equal(found.log_partition(), expected.log_partition())
    assert torch.equal(found.argmax().heads, expected.argmax().heads)
    assert torch.equal(found.marginals().arcs, expected.marginals().arcs)


@pytest.mark.parametrize("make", EVERY)
def test_nothing_to_do(make: type[ProjectiveTrees], device: torch.device) -> None:
    no_sentences = make(torch.zeros((0, 4, 4), device=device), single_root=True)
    assert no_sentences.log_partition().shape == (0,)
    assert no_sentences.argmax().heads.shape == (0, 3)
    no_words = make(torch.zeros((2, 1, 1), device=device), single_root=True)
    assert no_words.log_partition().tolist() == [0.0, 0.0]
    assert no_words.argmax().heads.shape == (2, 0)
    assert no_words.entropy().tolist() == [0.0, 0.0]


def test_heads_that_are_no_tree_have_no_probability(device: torch.device) -> None:
    heads = torch.tensor(
        [[2, 0, 2], [0, 0, 2], [2, 1, 0], [3, 0, 2], [0, 9, 1], [0, 1, -1]], device=device
    )  # a tree, two roots, a cycle, a crossing, and two that are no heads
    arcs = torch.zeros((6, 4, 4), device=device)
    for make, single_root, expected in (
        (ProjectiveTrees, True, [True, False, False, False, False, False]),
        (ProjectiveTrees, False, [True, True, False, False, False, False]),
        (SpanningTrees, True, [True, False, False, True, False, False]),
    ):
        assert torch.isfinite(make(arcs, single_root=single_root).log_prob(heads)).tolist() == expected


def test_other_threads(device: torch.device) -> None:
    """A thread may begin with a kernel, as autograd's own do."""
    arcs = torch.randn(3, 6, 6, dtype=torch.float64, device=device)
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(lambda: SpanningTrees(arcs, single_root=True).sample(2, seed=1).heads)
    assert torch.equal(found.result(), SpanningTrees(arcs, single_root=True).sample(2, seed=1).heads)
