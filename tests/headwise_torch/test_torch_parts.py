"""Every verb of trees with larger parts against headwise.trees, sentence by sentence, on every device."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from batches import KINDS
from part_batches import PARTS, PartBatch, draw_parts
from several_trees import check_best
from torch import Tensor
from torch.autograd import gradcheck, gradgradcheck

from headwise.torch import ProjectiveTrees, part_operators

TOLERANCE = {torch.float64: 1e-9, torch.float32: 1e-4}
LARGE = {torch.float64: 1e-8, torch.float32: 5e-3}
NUMPY = {torch.float64: np.float64, torch.float32: np.float32}
ONCE_EACH = pytest.mark.parametrize(  # of the kernels and of the layouts
    ("parts", "pruned"),
    [("siblings", False), ("grand-siblings", True)],
    ids=["siblings", "grand-siblings"],
)


def on_tensors(
    batch: PartBatch, single_root: bool, device: torch.device, dtype: torch.dtype = torch.float64
) -> ProjectiveTrees:
    candidates = None if batch.candidates is None else torch.tensor(batch.candidates, device=device)
    tables = {name: torch.tensor(t, dtype=dtype, device=device) for name, t in batch.given.items()}
    return ProjectiveTrees(
        torch.tensor(batch.arcs, dtype=dtype, device=device),
        torch.tensor(batch.lengths, device=device),
        single_root=single_root,
        candidates=candidates,
        **tables,
    )


def check(found: Tensor, expected: object, tolerance: float) -> None:
    np.testing.assert_allclose(found.detach().cpu().double(), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [*((kind, torch.float64) for kind in KINDS), ("smooth", torch.float32), ("large", torch.float32)],
)
def test_sums_and_searches(
    parts: str, single_root: bool, pruned: bool, dtype: torch.dtype, kind: str, device: torch.device
) -> None:
    batch = draw_parts(parts, kind, 8, 6, pruned=pruned, empty_sides=kind != "masked", dtype=NUMPY[dtype])
    trees = on_tensors(batch, single_root, device, dtype)
    tolerance = (LARGE if kind == "large" else TOLERANCE)[dtype]
    total, marginals, entropy = trees.log_partition(), trees.marginals(), trees.entropy()
    best, risk = trees.argmax(), trees.minimum_risk()
    log_prob = trees.log_prob(best.heads.clamp(min=0))
    for b, n in enumerate(batch.lengths):
        expected = batch.sentence(b, single_root)
        assert (best.heads[b, n if expected else 0 :] == -1).all()
        if expected is None:
            assert total[b] == best.score[b] == (-np.inf if n else 0)
            assert log_prob[b] == (-np.inf if n else 0)
            continue
        check(total[b], expected.log_partition(), tolerance)
        if kind != "large" or dtype == torch.float64:  # a difference of numbers that grow with the scores
            check(entropy[b], expected.entropy(), 5 * tolerance)
        for name, table in batch.marginals(b, expected).items():
            check(getattr(marginals, name)[b], table, tolerance)
        score = expected.argmax().score
        check(best.score[b], score, tolerance)
        of_best = expected.log_prob(best.heads[b, :n].cpu().numpy())
        check(log_prob[b], of_best, 10 * tolerance)
        assert of_best + expected.log_partition() == pytest.approx(score, rel=tolerance, abs=10 * tolerance)
        check(risk.score[b], expected.minimum_risk().score, 10 * tolerance)


def test_other_verbs(parts: str, single_root: bool, pruned: bool, device: torch.device) -> None:
    batch = draw_parts(parts, "masked", 6, 5, pruned=pruned, seed=4)
    other_batch = draw_parts(parts, "smooth", 6, 5, pruned=False, seed=5)
    trees = on_tensors(batch, single_root, device)
    tables = {name: torch.tensor(batch.as_given(name, t)) for name, t in other_batch.tables.items()}
    of_other = {name: table.to(device) for name, table in tables.items()}
    arcs = torch.tensor(other_batch.arcs, device=device)
    other = ProjectiveTrees(
        arcs,
        trees.lengths,
        single_root=single_root,
        candidates=None if trees.parts is None else trees.parts.candidates,
        **of_other,
    )
    divergence, risk = trees.kl_divergence(other), trees.expectation(arcs, **of_other)
    found, counts = trees.top_k(4), trees.count()
    for b, n in enumerate(batch.lengths):
        expected = batch.sentence(b, single_root)
        assert counts[b] == (expected.count() if expected else int(n == 0))
        if expected is None:
            continue
        second = PartBatch(
            other_batch.arcs, batch.lengths, other_batch.tables, batch.candidates, {}, batch.empty_sides
        ).sentence(b, single_root)
        assert second is not None
        check(divergence[b], expected.kl_divergence(second), 1e-8)
        # An expectation of other scores is the sum of products with their marginals.
        of_parts = batch.marginals(b, expected)
        total = (of_parts["arcs"] * other_batch.arcs[b]).sum()
        total += sum((of_parts[name] * table[b].numpy()).sum() for name, table in tables.items())
        check(risk[b], total, 1e-9)
        check_best(expected, n, found.heads[b].cpu().numpy(), None, found.score[b].cpu().numpy())


def test_samples_have_the_frequencies_of_the_marginals(
    parts: str, single_root: bool, pruned: bool, device: torch.device
) -> None:
    batch = draw_parts(parts, "smooth", 3, 4, pruned=pruned)
    trees = on_tensors(batch, single_root, device)
    drawn = trees.sample(2000, seed=1)
    marginals = trees.marginals().arcs
    for b, n in enumerate(batch.lengths):
        expected = batch.sentence(b, single_root)
        heads = drawn.heads[b]
        if expected is None:
            assert (heads == -1).all()
            continue
        frequency = torch.nn.functional.one_hot(heads[:, :n], 5).double().mean(0)
        assert float((frequency - marginals[b, :, 1 : n + 1].T).abs().max()) < 0.06  # 5 standard deviations
        for rank in range(10):
            log_prob = expected.log_prob(heads[rank, :n].cpu().numpy())
            assert log_prob + expected.log_partition() == pytest.approx(float(drawn.score[b, rank]), abs=1e-9)
    assert torch.equal(trees.sample(2000, seed=1).heads, drawn.heads)
    assert not torch.equal(trees.sample(2000, seed=2).heads, drawn.heads)


@pytest.fixture
def tables(parts: str, pruned: bool, device: torch.device) -> tuple[dict[str, Tensor], dict[str, object]]:
    """Finite scores with gradients, and what else trees are made of."""
    batch = draw_parts(parts, "smooth", 3, 4, pruned=pruned, seed=2)
    given = {name: np.nan_to_num(table) for name, table in (("arcs", batch.arcs), *batch.given.items())}
    scores = {name: torch.tensor(table, device=device, requires_grad=True) for name, table in given.items()}
    candidates = None if batch.candidates is None else torch.tensor(batch.candidates, device=device)
    return scores, {"lengths": torch.tensor(batch.lengths, device=device), "candidates": candidates}


VERBS: dict[str, Callable[[ProjectiveTrees], tuple[Tensor, ...]]] = {
    "log_partition": lambda trees: (trees.log_partition(),),
    "marginals": lambda trees: tuple(t for t in trees.marginals() if t is not None),
    "entropy": lambda trees: (trees.entropy(),),
    "risk": lambda trees: (trees.expectation(torch.ones_like(trees.arcs).tril()),),
    "log_prob": lambda trees: (trees.log_prob(trees.argmax().heads),),
}


@pytest.mark.parametrize("verb", list(VERBS))
@pytest.mark.parametrize(
    ("parts", "pruned"),
    [("siblings", False), ("both", False), ("grand-siblings", True)],
    ids=["siblings", "both", "grand-siblings-candidates"],
)
def test_gradients(verb: str, tables: tuple[dict[str, Tensor], dict[str, object]], single_root: bool) -> None:
    scores, others = tables

    def of_scores(*values: Tensor) -> tuple[Tensor, ...]:
        given = dict(zip(scores, values, strict=True))
        return VERBS[verb](ProjectiveTrees(single_root=single_root, **given, **others))  # type: ignore[arg-type]

    assert gradcheck(of_scores, tuple(scores.values()), fast_mode=True)
    if verb in ("marginals", "entropy"):
        assert gradgradcheck(of_scores, tuple(scores.values()), fast_mode=True)


def test_the_best_score_has_the_gradient_of_its_tree(
    tables: tuple[dict[str, Tensor], dict[str, object]], parts: str
) -> None:
    scores, others = tables
    trees = ProjectiveTrees(single_root=False, **scores, **others)  # type: ignore[arg-type]
    best = trees.argmax()
    best.score.sum().backward()
    words = int(trees.lengths.sum())
    assert float(scores["arcs"].grad.sum()) == words
    if "siblings" in scores:
        assert float(scores["siblings"].grad.sum()) == words
    assert parts in PARTS


@ONCE_EACH
def test_operators_keep_to_the_rules(tables: tuple[dict[str, Tensor], dict[str, object]]) -> None:
    scores, others = tables
    given = [scores.get(name) for name in ("arcs", "siblings", "grandchildren", "grand_siblings")]
    plain = [None if table is None else table.detach() for table in given]
    rest = (others["candidates"], others["lengths"], True)
    for operator, arguments in (
        (part_operators.argmax, plain),
        (part_operators.log_partition, plain),
        (part_operators.sums, given),
        (part_operators.derivative, [*given, *given]),
        (part_operators.second_derivative, [*plain, *plain, *plain]),
    ):
        torch.library.opcheck(operator, (*arguments, *rest))


@ONCE_EACH
def test_compiled(tables: tuple[dict[str, Tensor], dict[str, object]]) -> None:
    scores, others = tables

    def loss(*values: Tensor) -> Tensor:
        given = dict(zip(scores, values, strict=True))
        trees = ProjectiveTrees(single_root=True, **given, **others)  # type: ignore[arg-type]
        total = trees.log_partition() + trees.entropy()
        return torch.where(torch.isfinite(total), total, 0).sum()

    values = tuple(scores.values())
    expected = torch.autograd.grad(loss(*values), values)
    compiled = torch.compile(loss, backend="aot_eager", fullgraph=True)
    for found, wanted in zip(torch.autograd.grad(compiled(*values), values), expected, strict=True):
        torch.testing.assert_close(found, wanted)


def test_long_sentences(parts: str, pruned: bool, device: torch.device) -> None:
    """Longer than a class of lengths, and for some trees than shared memory has room for."""
    words = 60 if pruned or parts == "siblings" else 30
    lengths, nodes = torch.tensor([words, 26, 3]), words + 1
    generator = torch.Generator().manual_seed(1)
    arcs = torch.randn((3, nodes, nodes), generator=generator)
    candidates = ProjectiveTrees(arcs, lengths, single_root=True).candidates(5) if pruned else None
    k = 5 if pruned else nodes
    shapes = {
        "siblings": (nodes, k, nodes) if pruned else (nodes,) * 3,
        "grandchildren": (nodes, k + 2, k) if pruned else (nodes,) * 3,
        "grand_siblings": (nodes, k, k, nodes) if pruned else (nodes,) * 4,
    }
    tables = {name: torch.randn((3, *shapes[name]), generator=generator) for name in PARTS[parts]}
    found, expected = (
        ProjectiveTrees(
            arcs.to(place, kind),
            lengths.to(place),
            single_root=True,
            candidates=None if candidates is None else candidates.to(place),
            **{name: table.to(place, kind) for name, table in tables.items()},
        )
        for place, kind in ((device, torch.float32), (torch.device("cpu"), torch.float64))
    )
    check(found.log_partition(), expected.log_partition(), 1e-5)
    check(found.argmax().score, expected.argmax().score, 1e-5)
    for one, other in zip(found.marginals(), expected.marginals(), strict=True):
        if one is not None and other is not None:
            check(one, other, 3e-4)


def test_candidates_leave_a_tree(single_root: bool, device: torch.device) -> None:
    arcs = torch.randn((5, 8, 8), generator=torch.Generator().manual_seed(3)).to(device)
    lengths = torch.tensor([7, 5, 2, 1, 0], device=device)
    trees = ProjectiveTrees(arcs, lengths, single_root=single_root)
    for k in (1, 3, 20):
        candidates = trees.candidates(k)
        assert candidates.shape == (5, 8, min(k, 8))
        left = ProjectiveTrees(arcs, lengths, single_root=single_root, candidates=candidates)
        assert torch.equal(left.argmax().heads, trees.argmax().heads)
        if k == 20:
            torch.testing.assert_close(left.log_partition(), trees.log_partition())


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_scores_that_are_no_numbers_spoil_their_sentence_alone(bad: float, device: torch.device) -> None:
    arcs = torch.zeros((3, 5, 5), device=device)
    siblings = torch.zeros((3, 5, 5, 5), device=device)
    siblings[1, 2, 4, 3] = siblings[0, 2, 4, 1] = siblings[2, 3, 4, 3] = siblings[:, 3, 3] = bad
    lengths = torch.tensor([4, 4, 3], device=device)  # in the first and the last, these are no parts
    grandchildren = torch.zeros((3, 5, 5, 5), device=device)
    for tables in ({"siblings": siblings}, {"siblings": siblings, "grandchildren": grandchildren}):
        trees = ProjectiveTrees(arcs, lengths, single_root=True, **tables)
        assert trees.log_partition().isnan().tolist() == [False, True, False]
        assert trees.marginals().arcs.isnan().flatten(1).any(1).tolist() == [False, True, False]
        best = trees.argmax()
        assert best.score.isnan().tolist() == [False, True, False]
        assert (best.heads[1] == -1).all()
        assert (trees.sample(2, seed=1).heads[1] == -1).all()


def test_other_layouts_and_precisions(device: torch.device) -> None:
    arcs, siblings = torch.randn((2, 6, 6), device=device), torch.randn((2, 6, 6, 6), device=device)
    expected = ProjectiveTrees(arcs, single_root=True, siblings=siblings)
    strided = torch.empty((6, 2, 6, 12), device=device)[..., ::2].permute(1, 0, 2, 3)
    strided.copy_(siblings)
    found = ProjectiveTrees(arcs, single_root=True, siblings=strided)
    assert torch.equal(found.argmax().heads, expected.argmax().heads)
    assert torch.equal(found.log_partition(), expected.log_partition())
    half = ProjectiveTrees(arcs.bfloat16(), single_root=True, siblings=siblings.half())
    assert half.log_partition().dtype == torch.float32
    labelled = ProjectiveTrees(arcs.unsqueeze(-1).repeat(1, 1, 1, 3), single_root=True, siblings=siblings)
    torch.testing.assert_close(
        labelled.log_partition(), expected.log_partition() + 5 * torch.tensor(3.0).log().to(device)
    )
    nothing = ProjectiveTrees(arcs[:0], single_root=True, siblings=siblings[:0])
    assert nothing.log_partition().shape == (0,)
    no_words = ProjectiveTrees(arcs[:, :1, :1], single_root=True, siblings=siblings[:, :1, :1, :1])
    assert no_words.log_partition().tolist() == [0.0, 0.0]


def test_arguments_are_checked(device: torch.device) -> None:
    arcs, siblings = torch.zeros((2, 4, 4), device=device), torch.zeros((2, 4, 4, 4), device=device)
    candidates = torch.zeros((2, 4, 2), dtype=torch.int64, device=device)
    for given, message in (
        ({"siblings": siblings[:, :3]}, "siblings must have shape"),
        ({"siblings": siblings.double()}, "siblings must be of the dtype of arcs"),
        ({"siblings": siblings.to("meta")}, "siblings must be on"),
        ({"siblings": siblings, "candidates": candidates}, r"siblings must have shape \(2, 4, 2, 4\)"),
        ({"grandchildren": siblings, "candidates": candidates}, r"\(2, 4, 2, 2\) or \(2, 4, 4, 2\)"),
        ({"candidates": candidates[:, :3]}, "candidates must have shape"),
        ({"candidates": candidates.float()}, "candidates must be integers"),
        ({"candidates": candidates[0]}, "candidates must be a tensor of shape"),
    ):
        with pytest.raises(ValueError, match=message):
            ProjectiveTrees(arcs, single_root=True, **given)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="siblings must be a tensor"):
        ProjectiveTrees(arcs, single_root=True, siblings=siblings.cpu().numpy())  # type: ignore[arg-type]
    trees = ProjectiveTrees(arcs, single_root=True, siblings=siblings)
    with pytest.raises(ValueError, match="same tables of parts"):
        trees.kl_divergence(ProjectiveTrees(arcs, single_root=True))
    with pytest.raises(ValueError, match="grandchildren must not be given"):
        trees.expectation(arcs, grandchildren=siblings)
    if device.type == "cpu":
        with pytest.raises(ValueError, match="candidates must lie between -1 and 3"):
            ProjectiveTrees(arcs, single_root=True, candidates=candidates + 4)
