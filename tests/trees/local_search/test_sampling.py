"""Chains of trees against the enumerated distribution; annealing against enumeration."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from crossing_instances import CROSSING, Instance
from headwise.reference.enumeration import all_trees, is_tree
from headwise.reference.parts import Factorization
from headwise.treebank import is_projective
from headwise.trees import Annealing, NoTreeError
from headwise.trees.local_search import Proposal

DRAWS = 4000


def p_value(
    instance: Instance,
    proposal: Proposal,
    *,
    single_root: bool,
    temperature: float,
    block: int = 2,
    projective: bool = False,
) -> float:
    """Of the draws, if they came from exp(score / temperature); rare trees are counted together."""
    trees = [
        heads
        for heads in all_trees(instance.words, projective=projective, single_root=single_root)
        if all(instance.mask[h, m] for m, h in enumerate(heads, start=1))
    ]
    scores = np.array([instance.score(heads) for heads in trees]) / temperature
    expected = np.exp(scores - scores.max())
    expected *= DRAWS / expected.sum()
    drawn = instance.trees(projective=projective, single_root=single_root).sample(
        DRAWS, temperature=temperature, every=40, proposal=proposal, block=block
    )
    counts = Counter(tuple(tree.heads.tolist()) for tree in drawn)
    assert set(counts) <= set(trees)
    observed = np.array([counts[heads] for heads in trees], dtype=float)
    order = np.argsort(expected)
    rare = order[: max(np.searchsorted(np.cumsum(expected[order]), 10) + 1, 1)]
    often = np.setdiff1d(order, rare)
    observed = np.append(observed[often], observed[rare].sum())
    expected = np.append(expected[often], expected[rare].sum())
    assert len(expected) > 3
    return float(chisquare(observed, expected).pvalue)


@pytest.mark.parametrize("proposal", ["gibbs", "block", "both"])
@pytest.mark.parametrize("factorization", CROSSING)
def test_the_chain_has_the_distribution_it_should(factorization: Factorization, proposal: Proposal) -> None:
    instance = Instance(3, 3, factorization, density=1.0, scale=0.7)
    assert p_value(instance, proposal, single_root=False, temperature=1.3) > 1e-4


@pytest.mark.parametrize("proposal", ["block", "both"])
@pytest.mark.parametrize("words", [3, 4])
def test_with_a_single_root_too(words: int, proposal: Proposal) -> None:
    instance = Instance(words, words, "model2", density=1.0, scale=0.5)
    assert p_value(instance, proposal, single_root=True, temperature=0.8) > 1e-4


@pytest.mark.parametrize("block", [1, 3, 9])
def test_with_blocks_of_any_size_and_pruned_arcs(block: int) -> None:
    instance = Instance(4, 4, "model1", density=0.8, scale=0.5)
    assert p_value(instance, "block", single_root=False, temperature=1.0, block=block) > 1e-4


@pytest.mark.parametrize("proposal", ["gibbs", "block", "both"])
@pytest.mark.parametrize("factorization", ["sibling", "model1", "model2"])
def test_projective_trees_have_the_distribution_they_should(
    factorization: Factorization, proposal: Proposal
) -> None:
    instance = Instance(3, 4, factorization, density=1.0, scale=0.7)
    assert p_value(instance, proposal, single_root=False, temperature=1.3, projective=True) > 1e-4


@pytest.mark.parametrize("proposal", ["block", "both"])
def test_projective_trees_with_a_single_root_too(proposal: Proposal) -> None:
    instance = Instance(5, 4, "model1", density=1.0, scale=0.5)
    kind = {"single_root": True, "projective": True}
    assert p_value(instance, proposal, temperature=0.8, block=3, **kind) > 1e-4


@pytest.mark.parametrize("single_root", [False, True])
def test_annealing_keeps_to_projective_trees(single_root: bool) -> None:
    reached = 0
    for seed in range(10):
        instance = Instance(seed, 5, "model1", density=1.0)
        # Single moves lead to fewer trees where arcs may not cross: it takes longer.
        slowly = Annealing(steps_a_word=5000)
        solution = instance.trees(projective=True, single_root=single_root).anneal(slowly)
        assert is_projective(solution.tree.heads)
        assert not single_root or solution.tree.heads.tolist().count(0) == 1
        best = instance.best_score(projective=True, single_root=single_root)
        assert solution.score <= best + 1e-9
        reached += solution.score >= best - 1e-9
    assert reached >= 9


def test_another_temperature_would_be_noticed() -> None:
    instance = Instance(3, 3, "model1", density=1.0, scale=0.7)
    honest = instance.trees(projective=False, single_root=False).sample
    flat = Counter(tuple(t.heads.tolist()) for t in honest(DRAWS, temperature=50.0, every=40))
    sharp = Counter(tuple(t.heads.tolist()) for t in honest(DRAWS, temperature=0.2, every=40))
    assert flat.most_common(1)[0][1] < DRAWS / 8
    assert sharp.most_common(1)[0][1] > DRAWS / 2


@pytest.mark.parametrize("factorization", CROSSING)
@pytest.mark.parametrize("single_root", [False, True])
def test_annealing_nearly_always_finds_the_best_tree(factorization: Factorization, single_root: bool) -> None:
    reached = tried = 0
    for seed in range(10):
        instance = Instance(seed, 1 + seed % 5, factorization)
        best = instance.best_score(projective=False, single_root=single_root)
        trees = instance.trees(projective=False, single_root=single_root)
        if best == -np.inf:
            with pytest.raises(NoTreeError):
                trees.anneal()
            continue
        solution = trees.anneal()
        heads = solution.tree.heads.tolist()
        assert is_tree(heads)
        assert not single_root or heads.count(0) == 1
        assert solution.score == pytest.approx(instance.score(tuple(heads)))
        assert solution.score <= best + 1e-9
        assert not solution.exact
        tried += 1
        reached += solution.score >= best - 1e-9
    assert reached >= tried - 1


def test_any_time() -> None:
    trees = Instance(6, 20, "model1", density=1.0).trees(projective=False, single_root=True)
    scores = [trees.anneal(Annealing(steps_a_word=steps)).score for steps in (0, 1, 300)]
    assert scores[0] < scores[1] < scores[2]


def test_the_same_seed_gives_the_same_tree() -> None:
    trees = Instance(6, 12, "model1", density=1.0).trees(projective=False, single_root=True)
    assert trees.anneal().tree.heads.tolist() == trees.anneal().tree.heads.tolist()
    drawn = [[tree.heads.tolist() for tree in trees.sample(5, seed=seed)] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_peaked_scores_neither_overflow_nor_hang() -> None:
    trees = Instance(6, 10, "model1", density=1.0, scale=1000.0).trees(projective=False, single_root=True)
    for proposal in ("gibbs", "block", "both"):
        heads = trees.anneal(Annealing(proposal=proposal, steps_a_word=20)).tree.heads.tolist()  # type: ignore[arg-type]
        assert is_tree(heads)


def test_temperatures_must_be_temperatures() -> None:
    trees = Instance(6, 3, "model1", density=1.0).trees(projective=False, single_root=True)
    with pytest.raises(ValueError, match="temperature"):
        trees.sample(1, temperature=0.0)
    with pytest.raises(ValueError, match="fall"):
        trees.anneal(Annealing(hottest=0.1, coldest=1.0))
