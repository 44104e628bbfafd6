"""Every verb of trees with senses and larger parts, against enumeration of all senses and trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.reference import EnumeratedSenseParts, EnumeratedTrees
from headwise.trees import Distribution, Factorization, Marginals, Parts, ProjectiveTrees, SensePartTrees
from headwise.trees.factorizations import FACTORIZATIONS
from headwise.trees.parts import NODES, PARTS_OF_POSITIONS, TABLES, positions

from .suite import Case, DistributionSuite, Tables, draw

SENSES = {1: [2], 2: [3, 1], 3: [1, 1, 3]}


class SensePartSuite(DistributionSuite):
    lengths = (1, 2, 3)
    labelled_lengths = (1, 2)
    factorization: Factorization

    def tables(self, rng: np.random.Generator, n: int, labels: int | None, kind: str) -> Tables:
        nodes = sum(SENSES[n]) + 1
        return tables_of(rng, nodes, labels, kind, self.factorization)

    def build(self, tables: Tables, single_root: bool) -> Distribution:
        senses = SENSES[words_of(tables)]
        return SensePartTrees(
            **tables, senses=senses, factorization=self.factorization, single_root=single_root
        )

    def enumerate(self, tables: Tables, single_root: bool) -> EnumeratedTrees:
        senses = SENSES[words_of(tables)]
        return EnumeratedSenseParts(
            tables, senses=senses, factorization=self.factorization, single_root=single_root
        )

    def allowed(self, case: Case) -> np.ndarray:
        of_nodes = super().allowed(case)
        firsts = [0, *np.cumsum([1, *SENSES[words_of(case.tables)][:-1]])]
        return np.logical_or.reduceat(np.logical_or.reduceat(of_nodes, firsts, axis=0), firsts, axis=1)

    def marginal_table(self, case: Case, marginals: Marginals, name: str) -> np.ndarray:
        if name == "arcs":
            assert marginals.sense_arcs is not None
            return marginals.sense_arcs
        return super().marginal_table(case, marginals, name)


def words_of(tables: Tables) -> int:
    return next(n for n, senses in SENSES.items() if sum(senses) + 1 == len(tables["arcs"]))


def tables_of(
    rng: np.random.Generator, nodes: int, labels: int | None, kind: str, factorization: Factorization
) -> Tables:
    arcs = draw(rng, (nodes, nodes) if labels is None else (nodes, nodes, labels), kind)
    if kind == "masked":
        arcs[rng.random(arcs.shape) < 0.35] = -np.inf
    tables = {"arcs": arcs}
    for name in TABLES[factorization]:
        shape: tuple[int, ...] = (nodes,) * NODES[name]
        if name in PARTS_OF_POSITIONS:
            shape = (positions(factorization, name), *shape)
        tables[name] = draw(rng, shape, kind)
    return tables


class TestSensesOfArcs(SensePartSuite):
    factorization: Factorization = "arc"


class TestSensesOfSiblings(SensePartSuite):
    factorization: Factorization = "sibling"


class TestSensesOfCarreras(SensePartSuite):
    factorization: Factorization = "carreras"


class TestSensesOfModel1(SensePartSuite):
    factorization: Factorization = "model1"


@st.composite
def problems(draw_one: st.DrawFn) -> tuple[SensePartTrees, EnumeratedSenseParts]:
    factorization = draw_one(st.sampled_from(FACTORIZATIONS))
    senses = draw_one(st.lists(st.integers(1, 3), min_size=1, max_size=4).filter(lambda own: sum(own) <= 6))
    rng = np.random.default_rng(draw_one(st.integers(0, 2**32 - 1)))
    kind = draw_one(st.sampled_from(["smooth", "ties", "masked"]))
    tables = tables_of(rng, sum(senses) + 1, None, kind, factorization)
    single_root = draw_one(st.booleans())
    return (
        SensePartTrees(**tables, senses=senses, factorization=factorization, single_root=single_root),
        EnumeratedSenseParts(tables, senses=senses, factorization=factorization, single_root=single_root),
    )


@settings(max_examples=60, deadline=None)
@given(problems())
def test_every_factorization(problem: tuple[SensePartTrees, EnumeratedSenseParts]) -> None:
    trees, expected = problem
    assert trees.count() == expected.count()
    if not expected.count():
        return
    found = trees.argmax()
    assert found.score == pytest.approx(max(expected.scores))
    assert found.tree.senses is not None
    senses = tuple(int(sense) for sense in found.tree.senses)
    assert expected.score(tuple(found.tree.heads.tolist()), senses) == pytest.approx(found.score)
    assert trees.log_partition() == pytest.approx(expected.log_partition())
    marginals = trees.marginals()
    for name, table in expected.marginals().items():
        given_table = marginals.sense_arcs if name == "arcs" else getattr(marginals, name)
        dense = given_table
        if isinstance(given_table, Parts):
            dense = np.zeros_like(table)
            dense[tuple(given_table.nodes.T)] = given_table.values
        np.testing.assert_allclose(dense, table, atol=1e-9)


def test_a_single_sense_is_none() -> None:
    rng = np.random.default_rng(3)
    tables = tables_of(rng, 6, None, "smooth", "model1")
    plain = ProjectiveTrees(**tables, factorization="model1", single_root=True)
    with_senses = SensePartTrees(**tables, senses=[1] * 5, factorization="model1", single_root=True)
    assert with_senses.argmax().score == plain.argmax().score
    assert with_senses.log_partition() == plain.log_partition()


def test_partial_senses() -> None:
    tables = tables_of(np.random.default_rng(5), 6, None, "smooth", "carreras")
    every = {"senses": [2, 1, 2], "factorization": "carreras", "single_root": False}
    trees = SensePartTrees(**tables, **every)
    chosen = [SensePartTrees(**tables, **every, partial_senses=[1, -1, sense]) for sense in (0, 1)]
    ranked = trees.top_k(trees.count())
    for sense, some in enumerate(chosen):
        own = [
            s for s in ranked if s.tree.senses is not None and s.tree.senses[[0, 2]].tolist() == [1, sense]
        ]
        assert some.count() == len(own)
        assert some.argmax().score == pytest.approx(own[0].score)


def test_senses_must_be_those_of_the_tables() -> None:
    with pytest.raises(ValueError, match="senses must be"):
        SensePartTrees(np.zeros((4, 4)), senses=[2, 2], single_root=True)
    with pytest.raises(ValueError, match="senses must be"):
        SensePartTrees(np.zeros((4, 4)), senses=[3, 0], single_root=True)
