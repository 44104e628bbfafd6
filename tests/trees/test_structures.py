"""Every structure through the inherited suite."""

from __future__ import annotations

import numpy as np

from headwise.reference import EnumeratedSenses, EnumeratedTrees
from headwise.trees import Distribution, Factorization, Marginals, ProjectiveTrees, SenseTrees, SpanningTrees
from headwise.trees.parts import NODES, PARTS_OF_POSITIONS, TABLES, positions

from .suite import Case, DistributionSuite, Tables, draw


class ProjectiveSuite(DistributionSuite):
    factorization: Factorization

    def tables(self, rng: np.random.Generator, n: int, labels: int | None, kind: str) -> Tables:
        tables = super().tables(rng, n, labels, kind)
        for name in TABLES[self.factorization]:
            shape: tuple[int, ...] = (n + 1,) * NODES[name]
            if name in PARTS_OF_POSITIONS:
                shape = (positions(self.factorization, name), *shape)
            tables[name] = draw(rng, shape, kind)
        return tables

    def build(self, tables: Tables, single_root: bool) -> Distribution:
        return ProjectiveTrees(**tables, factorization=self.factorization, single_root=single_root)

    def enumerate(self, tables: Tables, single_root: bool) -> EnumeratedTrees:
        return EnumeratedTrees(tables, single_root=single_root, factorization=self.factorization)


class TestFirstOrder(ProjectiveSuite):
    factorization = "arc"
    lengths = (1, 2, 3, 4, 5)


class TestSibling(ProjectiveSuite):
    factorization = "sibling"


class TestCarreras(ProjectiveSuite):
    factorization = "carreras"


class TestModel0(ProjectiveSuite):
    factorization = "model0"


class TestModel1(ProjectiveSuite):
    factorization = "model1"


class TestModel2(ProjectiveSuite):
    factorization = "model2"
    lengths = (1, 2, 3, 4, 5)


class TestGrandTriSibling(ProjectiveSuite):
    factorization = "grand_tri_sibling"
    lengths = (1, 2, 3, 4, 5)


class TestGreatGrandSibling(ProjectiveSuite):
    factorization = "great_grand_sibling"
    lengths = (1, 2, 3, 4, 5)


class TestSpanningTrees(DistributionSuite):
    def build(self, tables: Tables, single_root: bool) -> Distribution:
        return SpanningTrees(**tables, single_root=single_root)

    def enumerate(self, tables: Tables, single_root: bool) -> EnumeratedTrees:
        return EnumeratedTrees(tables, single_root=single_root, projective=False)


class TestSenseTrees(DistributionSuite):
    lengths = (1, 2, 3)
    labelled_lengths = (1, 2)

    def tables(self, rng: np.random.Generator, n: int, labels: int | None, kind: str) -> Tables:
        shape = (n + 1, n + 1, 2, 2)
        arcs = draw(rng, shape if labels is None else (*shape, labels), kind)
        if kind == "masked":
            arcs[rng.random(arcs.shape) < 0.35] = -np.inf
        return {"arcs": arcs}

    def build(self, tables: Tables, single_root: bool) -> Distribution:
        return SenseTrees(**tables, single_root=single_root)

    def enumerate(self, tables: Tables, single_root: bool) -> EnumeratedTrees:
        arcs = tables["arcs"]
        return EnumeratedSenses(arcs if arcs.ndim == 5 else arcs[..., None], single_root=single_root)

    def marginal_table(self, case: Case, marginals: Marginals, name: str) -> np.ndarray:
        assert marginals.sense_arcs is not None
        return marginals.sense_arcs.reshape(case.expected.tables["arcs"].shape)

    def test_sense_marginals(self, cases: list[Case]) -> None:
        for case in cases:
            assert isinstance(case.expected, EnumeratedSenses)
            marginals = case.trees.marginals()
            np.testing.assert_allclose(
                marginals.senses, case.expected.sense_marginals(), rtol=1e-9, atol=1e-300
            )
            np.testing.assert_allclose(marginals.senses.sum(axis=1), 1.0)
