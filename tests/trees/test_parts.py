"""Second- and third-order scores given sparsely, under masks, and inferred factorizations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.reference import FACTORIZATIONS, EnumeratedTrees, all_trees
from headwise.trees import Factorization, NoTreeError, Parts, ProjectiveTrees, SpanningTrees
from headwise.trees.parts import NODES, PARTS_OF_POSITIONS, TABLES


def random_mask(rng: np.random.Generator, n: int, heads: int) -> np.ndarray:
    """Some heads for each word, among them those of one tree."""
    mask = np.zeros((n + 1, n + 1), dtype=bool)
    mask[np.arange(n), np.arange(1, n + 1)] = True
    for m in range(1, n + 1):
        mask[rng.choice(n + 1, size=min(heads, n + 1), replace=False), m] = True
    return mask


@pytest.mark.parametrize("factorization", [f for f in FACTORIZATIONS if f != "arc"])
@pytest.mark.parametrize("single_root", [True, False])
def test_sparse_scores_equal_dense_scores(factorization: Factorization, single_root: bool) -> None:
    rng = np.random.default_rng(2)
    n = 6
    names = [name for name in TABLES[factorization] if name not in PARTS_OF_POSITIONS]
    arcs, mask = rng.normal(size=(n + 1, n + 1)), random_mask(rng, n, 3)
    dense, sparse = {}, {}
    for name in names:
        table = np.where(
            rng.random((n + 1,) * NODES[name]) < 0.4, rng.normal(size=(n + 1,) * NODES[name]), 0.0
        )
        listed = np.argwhere(table)
        dense[name] = table
        # one part listed twice, in halves
        nodes = np.concatenate([listed, listed[:1]])
        values = np.append(table[tuple(listed.T)], 0.0)
        values[[0, -1]] = table[tuple(listed[0])] / 2
        sparse[name] = Parts(nodes, values)
    options = {"factorization": factorization, "mask": mask, "single_root": single_root}
    a, b = ProjectiveTrees(arcs, **dense, **options), ProjectiveTrees(arcs, **sparse, **options)
    assert a.log_partition() == pytest.approx(b.log_partition(), rel=1e-12)
    assert (a.argmax().tree.heads == b.argmax().tree.heads).all()
    of_a, of_b = a.marginals(), b.marginals()
    for name in names:
        listed_marginals = getattr(of_b, name)
        if isinstance(listed_marginals, Parts):
            expected = getattr(of_a, name)[tuple(listed_marginals.nodes.T)]
            np.testing.assert_allclose(listed_marginals.values, expected, atol=1e-12)
        else:
            np.testing.assert_allclose(listed_marginals, getattr(of_a, name), atol=1e-12)


def test_third_order_marginals_without_scores_list_all_parts() -> None:
    rng = np.random.default_rng(0)
    arcs = rng.normal(size=(5, 5))
    marginals = ProjectiveTrees(arcs, factorization="model1", single_root=True).marginals()
    tables = {"arcs": arcs, "grand_siblings": np.zeros((5,) * 4)}
    expected = EnumeratedTrees(tables, single_root=True, factorization="model1").marginals()["grand_siblings"]
    assert isinstance(marginals.grand_siblings, Parts)
    listed = np.zeros_like(expected)
    listed[tuple(marginals.grand_siblings.nodes.T)] = marginals.grand_siblings.values
    np.testing.assert_allclose(listed, expected, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), n=st.integers(1, 4), single_root=st.booleans(), third=st.booleans())
def test_any_mask(data: st.DataObject, n: int, single_root: bool, third: bool) -> None:
    """Counts, sums and marginals under arbitrary masks, projective and not."""
    bits = data.draw(st.lists(st.booleans(), min_size=(n + 1) ** 2, max_size=(n + 1) ** 2))
    mask = np.array(bits).reshape(n + 1, n + 1)
    arcs = np.linspace(-2, 2, (n + 1) ** 2).reshape(n + 1, n + 1)[::-1]
    structures = {
        True: ProjectiveTrees(
            arcs, mask=mask, single_root=single_root, factorization="model2" if third else "arc"
        ),
        False: SpanningTrees(arcs, mask=mask, single_root=single_root),
    }
    for projective, trees in structures.items():
        every = all_trees(n, projective=projective, single_root=single_root)
        allowed = [t for t in every if all(mask[h, m] for m, h in enumerate(t, start=1))]
        assert trees.count() == len(allowed)
        if not allowed:
            with pytest.raises(NoTreeError):
                trees.argmax()
            continue
        scores = [sum(arcs[h, m] for m, h in enumerate(t, start=1)) for t in allowed]
        assert trees.log_partition() == pytest.approx(np.logaddexp.reduce(scores))
        assert trees.argmax().score == pytest.approx(max(scores))
        marginals = trees.marginals().arcs
        assert (marginals[~mask] == 0).all()
        np.testing.assert_allclose(marginals[:, 1:].sum(axis=0), 1.0)


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        ((), "arc"),
        (("siblings",), "sibling"),
        (("arc_positions",), "sibling"),
        (("grandchildren",), "model0"),
        (("siblings", "grandchildren"), "model1"),
        (("grand_siblings",), "model1"),
        (("tri_siblings",), "model2"),
        (("grand_siblings", "tri_siblings"), "model2"),
        (("grand_tri_siblings",), "grand_tri_sibling"),
        (("great_grandchildren",), "great_grand_sibling"),
        (("siblings", "great_grand_siblings"), "great_grand_sibling"),
    ],
)
def test_the_simplest_factorization_is_chosen(tables: tuple[str, ...], expected: str) -> None:
    shapes = {"arc_positions": (2, 3, 3)}
    given_tables = {name: np.zeros(shapes.get(name, (3,) * NODES[name])) for name in tables}
    assert ProjectiveTrees(np.zeros((3, 3)), **given_tables, single_root=True).factorization == expected


def test_more_expressive_factorizations_agree_where_they_overlap() -> None:
    """The same scores under a factorization that could score more parts give the same distribution."""
    rng = np.random.default_rng(8)
    n = 7
    arcs, siblings = rng.normal(size=(n + 1, n + 1)), rng.normal(size=(n + 1,) * 3)
    grandchildren = rng.normal(size=(n + 1,) * 3)
    for single_root in (True, False):
        first = [ProjectiveTrees(arcs, factorization=f, single_root=single_root) for f in FACTORIZATIONS]
        assert [t.log_partition() for t in first] == pytest.approx([first[0].log_partition()] * len(first))
        second = [
            ProjectiveTrees(arcs, siblings=siblings, factorization=f, single_root=single_root)
            for f in FACTORIZATIONS
            if "siblings" in TABLES[f]
        ]
        assert [t.log_partition() for t in second] == pytest.approx([second[0].log_partition()] * len(second))
        all_grandchildren = [
            ProjectiveTrees(arcs, grandchildren=grandchildren, factorization=f, single_root=single_root)
            for f in FACTORIZATIONS
            if "grandchildren" in TABLES[f] and f not in ("carreras", "model2")
        ]
        sums = [t.log_partition() for t in all_grandchildren]
        assert sums == pytest.approx([sums[0]] * len(sums))


def test_model_2_emulates_carreras() -> None:
    """Koo's thesis, 5.4.3: grand-siblings demoted to grandchildren of the outermost modifier."""
    rng = np.random.default_rng(8)
    n = 6
    arcs, siblings = rng.normal(size=(n + 1, n + 1)), rng.normal(size=(n + 1,) * 3)
    grandchildren = rng.normal(size=(n + 1,) * 3)
    demoted = np.repeat(grandchildren[..., None], n + 1, axis=3)
    outermost = np.stack([grandchildren, np.zeros_like(grandchildren)])
    nulls = np.zeros_like(outermost)
    for node in range(n + 1):
        nulls[0, :, node, node] = grandchildren[:, node, node]
        nulls[0, node, :, node] = grandchildren[node, :, node]
    carreras = ProjectiveTrees(
        arcs, siblings=siblings, grandchildren=grandchildren, factorization="carreras", single_root=True
    )
    by_grand_siblings = ProjectiveTrees(
        arcs, siblings=siblings, grand_siblings=demoted, grandchild_positions=nulls, factorization="model2",
        single_root=True,
    )  # fmt: skip
    by_position = ProjectiveTrees(
        arcs, siblings=siblings, grandchild_positions=outermost, factorization="model2", single_root=True
    )
    assert by_grand_siblings.log_partition() == pytest.approx(carreras.log_partition())
    assert by_position.log_partition() == pytest.approx(carreras.log_partition())
    assert (by_position.argmax().tree.heads == carreras.argmax().tree.heads).all()


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 16, 17, 40])
def test_first_order_in_vectors_finds_what_siblings_find(n: int, single_root: bool) -> None:
    """The chart of first order is filled eight spans at a time, that of siblings span by span."""
    rng = np.random.default_rng(n)
    arcs, mask = rng.normal(size=(n + 1, n + 1)), random_mask(rng, n, 5)
    for options in ({}, {"mask": mask}):
        first, by_span = (
            ProjectiveTrees(arcs, factorization=f, single_root=single_root, **options)
            for f in ("arc", "sibling")
        )
        if by_span.count() == 0:
            continue
        assert first.argmax().score == pytest.approx(by_span.argmax().score, rel=1e-14)
        assert first.argmax().tree.heads.tolist() == by_span.argmax().tree.heads.tolist()
        assert [s.tree.heads.tolist() for s in first.top_k(4)] == [
            s.tree.heads.tolist() for s in by_span.top_k(4)
        ]
