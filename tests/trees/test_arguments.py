"""Bad input gives an error that names the argument; large input works."""

from __future__ import annotations

import numpy as np
import pytest

from headwise.trees import (
    Batch,
    CrossingTrees,
    NoTreeError,
    Parts,
    ProjectiveTrees,
    SenseTrees,
    SpanningTrees,
    Tree,
)

GOOD = np.zeros((4, 4))
LABELLED = np.zeros((4, 4, 2))


def spoiled(value: float) -> np.ndarray:
    arcs = GOOD.copy()
    arcs[1, 2] = value
    return arcs


@pytest.mark.parametrize("structure", [ProjectiveTrees, SpanningTrees])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"arcs": np.zeros((4, 3))}, "arcs must have shape"),
        ({"arcs": np.zeros(4)}, "arcs must have shape"),
        ({"arcs": np.zeros((4, 4, 2, 2))}, "arcs must have shape"),
        ({"arcs": np.zeros((1, 1))}, "arcs must have shape .* empty sentence"),
        ({"arcs": np.zeros((0, 0))}, "arcs must have shape"),
        ({"arcs": np.zeros((4, 4, 0))}, "arcs must have shape"),
        ({"arcs": [["a"]]}, "arcs must be an array of numbers"),
        ({"arcs": GOOD * 1j}, "arcs must be an array of numbers, not of complex"),
        ({"arcs": spoiled(np.nan)}, "arcs must not contain NaN"),
        ({"arcs": spoiled(np.inf)}, r"arcs must not contain \+inf"),
        ({"arcs": spoiled(-1e12)}, "arcs must not contain finite scores below"),
        ({"arcs": GOOD, "mask": np.ones((3, 3), dtype=bool)}, "mask must have shape"),
        ({"arcs": GOOD, "mask": GOOD}, "mask must be an array of booleans"),
        ({"arcs": GOOD, "partial_heads": [0, 1]}, "partial_heads must be 3 integers"),
        ({"arcs": GOOD, "partial_heads": [0, 1, 9]}, "partial_heads must lie between -1 and 3"),
        ({"arcs": GOOD, "partial_heads": [2, 1, -1]}, "partial_heads contains a cycle"),
        ({"arcs": GOOD, "partial_heads": [1, -1, -1]}, "partial_heads contains a cycle"),
        ({"arcs": LABELLED, "partial_labels": [0, 2, 0]}, "partial_labels must lie between -1 and 1"),
        ({"arcs": LABELLED, "partial_labels": [0.5, 1, 0]}, "partial_labels must be 3 integers"),
        ({"arcs": GOOD, "partial_labels": [0, 0, 0]}, "partial_labels is of use only"),
    ],
)
def test_bad_arguments_of_all_structures(structure, arguments, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        structure(**arguments, single_root=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"siblings": np.zeros((4, 4))}, "siblings must have shape"),
        ({"siblings": np.full((4, 4, 4), np.nan)}, "siblings must not contain NaN"),
        ({"grand_siblings": np.zeros((4, 4, 4))}, "grand_siblings must have shape"),
        ({"arc_positions": np.zeros((3, 4, 4))}, "arc_positions must have shape"),
        ({"siblings": np.zeros((4, 4, 4)), "factorization": "arc"}, "siblings cannot be scored"),
        ({"factorization": "model7"}, "factorization must be one of"),
        ({"grandchildren": Parts([[0, 1]], [1.0])}, "grandchildren must list 3 nodes"),
        ({"grandchildren": Parts([[0, 1, 9]], [1.0])}, "grandchildren must list nodes between 0 and 3"),
        ({"grandchildren": Parts([[0, 1, 2]], [np.nan])}, "grandchildren must not contain NaN"),
        ({"tri_siblings": GOOD, "factorization": "model1"}, "tri_siblings cannot be scored"),
    ],
)
def test_bad_arguments_of_projective_trees(arguments, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ProjectiveTrees(GOOD, **arguments, single_root=True)


def test_some_factorizations_are_for_projective_trees_only() -> None:
    with pytest.raises(ValueError, match="'grand_tri_sibling' is for ProjectiveTrees only"):
        CrossingTrees(GOOD, factorization="grand_tri_sibling", single_root=True)


def test_bad_parts() -> None:
    with pytest.raises(ValueError, match="nodes must have one row a part"):
        Parts([0, 1, 2], [1.0])
    with pytest.raises(ValueError, match="values must have shape"):
        Parts([[0, 1, 2]], [1.0, 2.0])
    with pytest.raises(ValueError, match="nodes must be integers"):
        Parts([[0.5, 1, 2]], [1.0])
    for far in (2**32, 2**31, -1, -(2**40)):
        with pytest.raises(ValueError, match="numbered from 0"):
            Parts([[0, 1, far]], [1.0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"arcs": GOOD}, "arcs must have shape"),
        ({"arcs": np.zeros((4, 4, 2, 3))}, "arcs must have shape"),
        ({"arcs": np.full((4, 4, 2, 2), np.nan)}, "arcs must not contain NaN"),
        ({"arcs": np.zeros((4, 4, 2, 2)), "senses": np.zeros((4, 3))}, "senses must have shape"),
        ({"arcs": np.zeros((4, 4, 2, 2)), "partial_senses": [0, 2, 0]}, "partial_senses must lie between"),
        ({"arcs": np.zeros((4, 4, 2, 2)), "partial_labels": [0, 0, 0]}, "partial_labels is of use only"),
        ({"arcs": np.zeros((4, 4, 2, 2)), "mask": np.ones((2, 2), dtype=bool)}, "mask must have shape"),
    ],
)
def test_bad_arguments_of_sense_trees(arguments, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SenseTrees(**arguments, single_root=True)


@pytest.mark.parametrize("structure", [ProjectiveTrees, SpanningTrees])
def test_bad_arguments_of_verbs(structure) -> None:
    trees = structure(GOOD, single_root=True)
    with pytest.raises(ValueError, match="k must be a positive integer, not 0"):
        trees.top_k(0)
    with pytest.raises(ValueError, match="k must be a positive integer, not -1"):
        trees.sample(-1, seed=0)
    with pytest.raises(ValueError, match="k must be a positive integer, not True"):
        trees.top_k(True)
    with pytest.raises(ValueError, match="seed must be a non-negative integer, not -1"):
        trees.sample(1, seed=-1)
    with pytest.raises(ValueError, match="trees must be 1, one for each distribution, not 0"):
        Batch([trees]).log_prob([])
    with pytest.raises(ValueError, match="others must be 1"):
        Batch([trees]).kl_divergence([])
    with pytest.raises(ValueError, match="distributions must be"):
        Batch([GOOD])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="arcs must not contain NaN"):
        trees.expectation(arcs=spoiled(np.nan))
    with pytest.raises(ValueError, match="threads must be a positive integer"):
        Batch([trees], threads=0)
    with pytest.raises(ValueError, match="heads must be 3 integers"):
        trees.log_prob([0, 1])
    with pytest.raises(ValueError, match="heads contains a cycle"):
        trees.log_prob([2, 1, 0])
    with pytest.raises(ValueError, match="labels must be given"):
        structure(LABELLED, single_root=True).log_prob([0, 1, 1])
    with pytest.raises(ValueError, match="labels must lie between 0 and 1"):
        structure(LABELLED, single_root=True).log_prob(Tree(np.array([0, 1, 1]), np.array([0, 5, 0])))
    with pytest.raises(ValueError, match="gold is not a table of parts"):
        trees.expectation(gold=GOOD)
    with pytest.raises(ValueError, match="arcs must have shape"):
        trees.expectation(arcs=np.zeros((3, 3)))
    with pytest.raises(ValueError, match="other must"):
        trees.kl_divergence(structure(np.zeros((3, 3)), single_root=True))
    with pytest.raises(ValueError, match="other must"):
        trees.kl_divergence(SenseTrees(np.zeros((4, 4, 2, 2)), single_root=True))


def test_more_trees_than_there_are() -> None:
    assert len(ProjectiveTrees(GOOD, single_root=True).top_k(10**12)) == 7


def test_a_batch_names_the_problem_without_a_tree() -> None:
    hopeless = spoiled(-np.inf)
    hopeless[:, 2] = -np.inf
    problems = [SpanningTrees(arcs, single_root=True) for arcs in (GOOD, GOOD, hopeless, GOOD, hopeless)]
    for threads in (1, 2):
        with pytest.raises(NoTreeError, match="no tree is left in problem 2:"):
            Batch(problems, threads=threads).marginals()


def test_trees_outside_the_structure_have_no_probability() -> None:
    crossing = [3, 4, 0, 3]
    arcs = np.zeros((5, 5))
    assert ProjectiveTrees(arcs, single_root=True).log_prob(crossing) == -np.inf
    assert SpanningTrees(arcs, single_root=True).log_prob(crossing) == pytest.approx(-np.log(4**3))
    assert SpanningTrees(arcs, single_root=True).log_prob([0, 0, 1, 1]) == -np.inf
    masked = np.ones((5, 5), dtype=bool)
    masked[3, 1] = False
    assert SpanningTrees(arcs, mask=masked, single_root=True).log_prob(crossing) == -np.inf


def test_sense_trees_have_senses_and_labels() -> None:
    rng = np.random.default_rng(0)
    trees = SenseTrees(
        rng.normal(size=(4, 4, 3, 3, 2)), senses=rng.normal(size=(4, 3)), partial_senses=[-1, 2, -1],
        partial_labels=[1, -1, -1], partial_heads=[-1, -1, 2], single_root=True,
    )  # fmt: skip
    best = trees.argmax()
    assert best.tree.senses is not None
    assert best.tree.labels is not None
    assert best.tree.senses[1] == 2
    assert best.tree.labels[0] == 1
    assert best.tree.heads[2] == 2
    assert trees.log_prob(best.tree) == pytest.approx(best.score - trees.log_partition())


@pytest.mark.parametrize("n", [10, 30])
def test_counts_have_closed_forms(n: int) -> None:
    from math import comb

    arcs = np.zeros((n + 1, n + 1))
    assert SpanningTrees(arcs, single_root=False).count() == (n + 1) ** (n - 1)
    assert SpanningTrees(arcs, single_root=True).count() == n ** (n - 1)
    assert SpanningTrees(np.zeros((n + 1, n + 1, 3)), single_root=True).count() == n ** (n - 1) * 3**n
    assert ProjectiveTrees(arcs, single_root=False).count() == comb(3 * n, n) // (2 * n + 1)
    assert ProjectiveTrees(arcs, single_root=True).count() == comb(3 * n - 2, n - 1) // n


def test_long_sentences() -> None:
    rng = np.random.default_rng(0)
    arcs = rng.normal(size=(501, 501))
    for structure in (ProjectiveTrees, SpanningTrees):
        trees = structure(arcs, single_root=True)
        assert trees.argmax().score < trees.log_partition()
        np.testing.assert_allclose(trees.marginals().arcs[:, 1:].sum(axis=0), 1.0, atol=1e-9)


def test_long_sentences_third_order() -> None:
    """n = 150 under a mask: no array with four dimensions anywhere."""
    n = 150
    rng = np.random.default_rng(0)
    mask = np.zeros((n + 1, n + 1), dtype=bool)
    mask[np.arange(n), np.arange(1, n + 1)] = True
    for m in range(1, n + 1):
        near = np.arange(max(0, m - 6), min(n, m + 6) + 1)
        mask[rng.choice(near, 4, replace=False), m] = True
    arcs = rng.normal(size=(n + 1, n + 1))
    every = ProjectiveTrees(arcs, mask=mask, factorization="model2", single_root=False).marginals()
    assert isinstance(every.grand_siblings, Parts)
    assert isinstance(every.tri_siblings, Parts)
    scored = {
        "grand_siblings": Parts(every.grand_siblings.nodes, rng.normal(size=len(every.grand_siblings))),
        "tri_siblings": Parts(every.tri_siblings.nodes, rng.normal(size=len(every.tri_siblings))),
    }
    trees = ProjectiveTrees(arcs, mask=mask, **scored, single_root=False)
    assert trees.factorization == "model2"
    assert trees.argmax().score < trees.log_partition()
    np.testing.assert_allclose(trees.marginals().arcs[:, 1:].sum(axis=0), 1.0, atol=1e-9)
