"""One test suite for every distribution over trees: each verb against its definition by enumeration.

A structure inherits `DistributionSuite` and says how to draw score tables, how to build the distribution
from them and how to enumerate it. Every test then runs for one root and several, without and with labels,
and for smooth scores, many ties, pruned arcs and scores of size a thousand.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import chisquare

from headwise.reference import EnumeratedTrees, all_trees
from headwise.trees import Batch, Distribution, NoTreeError, Tree
from tally import Tally

Tables = dict[str, np.ndarray]
KINDS = ("smooth", "ties", "masked", "large")


@dataclass(frozen=True)
class Case:
    tables: Tables
    trees: Distribution
    expected: EnumeratedTrees

    @property
    def has_tree(self) -> bool:
        return self.expected.count() > 0

    @property
    def rounding(self) -> float:
        """How far sums of these scores in another order may be apart, where they cancel out."""
        largest = max(np.abs(table[np.isfinite(table)]).max(initial=1.0) for table in self.tables.values())
        return 1e-13 * float(largest)

    def tree(self, index: int) -> Tree:
        """An enumerated tree as the distribution has it."""
        heads = np.array(self.expected.heads[index], dtype=np.int32)
        if self.expected.labels[index] is None:
            return Tree(heads)
        choices = np.array(self.expected.labels[index], dtype=np.int32)
        if self.trees.sense_count is None:
            return Tree(heads, choices)
        labels = self.trees.label_count
        return Tree(heads, choices % labels if labels else None, choices // (labels or 1))


def key(tree: Tree) -> tuple[tuple[int, ...] | None, ...]:
    return tuple(None if array is None else tuple(int(x) for x in array) for array in tree)


def draw(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> np.ndarray:
    if kind == "ties":
        return rng.integers(-1, 2, size=shape).astype(float)
    return rng.normal(size=shape) * {"large": 1000, "flat": 0.25}.get(kind, 1)


@cache
def make_case(
    structure: type[DistributionSuite], single_root: bool, labels: int | None, kind: str, n: int
) -> Case:
    return draw_case(structure, single_root, labels, kind, n, seed=0)


def draw_case(
    structure: type[DistributionSuite], single_root: bool, labels: int | None, kind: str, n: int, seed: int
) -> Case:
    suite = structure()
    rng = np.random.default_rng([n, len(kind), labels or 0, single_root, seed])
    tables = suite.tables(rng, n, labels, kind)
    return Case(tables, suite.build(tables, single_root), suite.enumerate(tables, single_root))


class DistributionSuite:
    lengths = (1, 2, 3, 4)
    labelled_lengths = (1, 2, 3)

    def tables(self, rng: np.random.Generator, n: int, labels: int | None, kind: str) -> Tables:
        shape = (n + 1, n + 1) if labels is None else (n + 1, n + 1, labels)
        arcs = draw(rng, shape, kind)
        if kind == "masked":
            arcs[rng.random(shape) < 0.35] = -np.inf
        return {"arcs": arcs}

    def build(self, tables: Tables, single_root: bool) -> Distribution:
        raise NotImplementedError

    def enumerate(self, tables: Tables, single_root: bool) -> EnumeratedTrees:
        raise NotImplementedError

    def case(self, single_root: bool, labels: int | None, kind: str, n: int) -> Case:
        return make_case(type(self), single_root, labels, kind, n)

    @pytest.fixture(params=[True, False], ids=["one-root", "many-roots"])
    def single_root(self, request: pytest.FixtureRequest) -> bool:
        return bool(request.param)

    @pytest.fixture(params=[None, 2], ids=["unlabelled", "labelled"])
    def labels(self, request: pytest.FixtureRequest) -> int | None:
        return request.param

    @pytest.fixture(params=KINDS)
    def cases(self, request: pytest.FixtureRequest, single_root: bool, labels: int | None) -> list[Case]:
        lengths = self.lengths if labels is None else self.labelled_lengths
        every = [self.case(single_root, labels, request.param, n) for n in lengths]
        return [case for case in every if case.has_tree]

    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(1, 41))
    def test_many_instances(self, single_root: bool, labels: int | None, seed: int, tally: Tally) -> None:
        verbs = (
            self.test_argmax,
            self.test_top_k_is_the_whole_ranking,
            self.test_log_partition,
            self.test_marginals,
            self.test_entropy,
            self.test_log_prob,
            self.test_samples_without_replacement_exhaust_the_trees,
            partial(self.test_minimum_risk, projective=None),
            self.test_count,
        )
        for n in self.lengths if labels is None else self.labelled_lengths:
            for kind in KINDS:
                case = draw_case(type(self), single_root, labels, kind, n, seed)
                if not case.has_tree:
                    continue
                for verb in verbs:
                    verb([case])
                tally("brute-force comparisons", len(verbs))

    @pytest.fixture
    def small(self, single_root: bool, labels: int | None) -> Case:
        """Few trees of comparable probability."""
        return self.case(single_root, labels, "flat", 3 if labels is None else 2)

    def test_argmax(self, cases: list[Case]) -> None:
        for case in cases:
            solution = case.trees.argmax()
            assert solution.score == pytest.approx(case.expected.scores.max(), rel=1e-12, abs=case.rounding)
            assert solution.exact
            assert solution.bound == solution.score
            index = [key(case.tree(i)) for i in range(case.expected.count())].index(key(solution.tree))
            assert case.expected.scores[index] == pytest.approx(solution.score, rel=1e-12, abs=case.rounding)

    def test_top_k_is_the_whole_ranking(self, cases: list[Case]) -> None:
        for case in cases:
            ranking = case.trees.top_k(case.expected.count() + 5)
            scores = [solution.score for solution in ranking]
            expected = case.expected.scores[case.expected.order()]
            np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=case.rounding)
            assert all(a >= b for a, b in pairwise(scores))
            assert len({key(solution.tree) for solution in ranking}) == case.expected.count()
            assert key(ranking[0].tree) == key(case.trees.argmax().tree) or scores[0] == scores[1]
            by_tree = {key(case.tree(i)): score for i, score in enumerate(case.expected.scores)}
            for solution in ranking:
                assert solution.score == pytest.approx(
                    by_tree[key(solution.tree)], rel=1e-12, abs=case.rounding
                )

    def test_top_k_begins_the_same_for_any_k(self, small: Case) -> None:
        whole = [key(solution.tree) for solution in small.trees.top_k(100)]
        for k in (1, 2, 3):
            assert [key(solution.tree) for solution in small.trees.top_k(k)] == whole[:k]

    def test_log_partition(self, cases: list[Case]) -> None:
        for case in cases:
            expected = case.expected.log_partition()
            assert case.trees.log_partition() == pytest.approx(expected, rel=1e-12, abs=1e-12)

    def test_marginals(self, cases: list[Case]) -> None:
        for case in cases:
            marginals = case.trees.marginals()
            for name, expected in case.expected.marginals().items():
                np.testing.assert_allclose(
                    self.marginal_table(case, marginals, name), expected, rtol=1e-9, atol=1e-300
                )
            np.testing.assert_allclose(marginals.arcs, case.expected.arc_marginals(), rtol=1e-9, atol=1e-300)
            assert (marginals.arcs >= 0).all()
            assert (marginals.arcs <= 1 + 1e-12).all()
            np.testing.assert_allclose(marginals.arcs[:, 1:].sum(axis=0), 1.0, rtol=1e-12)

    def allowed(self, case: Case) -> np.ndarray:
        """The arcs between words that a tree may have."""
        arcs = case.tables["arcs"]
        return np.isfinite(arcs).any(axis=tuple(range(2, arcs.ndim)))

    def marginal_table(self, case: Case, marginals: object, name: str) -> np.ndarray:
        labelled = name == "arcs" and case.trees.label_count is not None
        return getattr(marginals, "labels" if labelled else name)

    def test_marginals_are_gradients_of_log_partition(self, small: Case, single_root: bool) -> None:
        marginals = small.expected.marginals()
        step = 1e-4
        rng = np.random.default_rng(0)
        for name, table in small.tables.items():
            for flat in rng.choice(table.size, size=min(8, table.size), replace=False):
                index = np.unravel_index(flat, table.shape)
                values = []
                for sign in (1, -1):
                    moved = {**small.tables, name: table.copy()}
                    moved[name][index] += sign * step
                    values.append(self.build(moved, single_root).log_partition())
                slope = (values[0] - values[1]) / (2 * step)
                assert slope == pytest.approx(marginals[name].reshape(table.shape)[index], abs=1e-7)

    def test_entropy(self, cases: list[Case]) -> None:
        for case in cases:
            entropy = case.trees.entropy()
            assert entropy >= 0
            assert entropy == pytest.approx(case.expected.entropy(), rel=1e-9, abs=1e-11)

    def test_log_prob(self, cases: list[Case]) -> None:
        for case in cases:
            log_partition = case.expected.log_partition()
            for index in range(0, case.expected.count(), 1 + case.expected.count() // 10):
                log_prob = case.trees.log_prob(case.tree(index))
                assert log_prob <= 0
                expected = case.expected.scores[index] - log_partition
                assert log_prob == pytest.approx(expected, rel=1e-10, abs=1e-10)

    def test_kl_divergence(self, single_root: bool, labels: int | None) -> None:
        rng = np.random.default_rng(5)
        tables = self.tables(rng, 3, labels, "masked")
        wider = {name: np.where(np.isinf(t), 0.5, t * 0.3) for name, t in tables.items()}
        p, q = self.build(tables, single_root), self.build(wider, single_root)
        expected_p, expected_q = self.enumerate(tables, single_root), self.enumerate(wider, single_root)
        if expected_p.count() == 0:
            pytest.skip("no tree was left")
        assert p.kl_divergence(q) == pytest.approx(expected_p.kl_divergence(expected_q), rel=1e-9)
        assert p.kl_divergence(p) == pytest.approx(0, abs=1e-12)
        if expected_q.count() > expected_p.count():
            assert q.kl_divergence(p) == np.inf

    def test_expectation(self, small: Case) -> None:
        rng = np.random.default_rng(1)
        functions = {name: rng.normal(size=table.shape) for name, table in small.tables.items()}
        shapes = {name: table.shape for name, table in small.expected.tables.items()}
        expected = small.expected.expectation(
            {name: f.reshape(shapes[name]) for name, f in functions.items()}
        )
        assert small.trees.expectation(**functions) == pytest.approx(expected, rel=1e-9)
        length = np.abs(np.subtract.outer(np.arange(small.trees.words + 1), np.arange(small.trees.words + 1)))
        by_hand = (small.expected.arc_marginals() * length).sum()
        assert small.trees.expectation(arcs=length) == pytest.approx(by_hand)

    def test_samples_have_the_right_frequencies(self, small: Case) -> None:
        draws = 4000
        counts = Counter(key(tree) for tree in small.trees.sample(draws, seed=3))
        keys = [key(small.tree(i)) for i in range(small.expected.count())]
        assert set(counts) <= set(keys)
        expected = small.expected.probabilities() * draws
        rare = expected < 5
        observed = np.array([counts[k] for k in keys], dtype=float)
        pooled = [np.append(x[~rare], x[rare].sum()) if rare.any() else x for x in (observed, expected)]
        assert chisquare(*pooled).pvalue > 1e-3

    def test_same_seed_same_samples(self, small: Case) -> None:
        first = [key(tree) for tree in small.trees.sample(20, seed=9)]
        assert first == [key(tree) for tree in small.trees.sample(20, seed=9)]
        assert first[:5] == [key(tree) for tree in small.trees.sample(5, seed=9)]
        many = [[key(tree) for tree in small.trees.sample(200, seed=seed)] for seed in (9, 10)]
        assert many[0] != many[1]

    def test_samples_without_replacement_exhaust_the_trees(self, cases: list[Case]) -> None:
        for case in cases:
            count = min(case.expected.count(), 60)
            trees = [key(tree) for tree in case.trees.sample(count, seed=1, replacement=False)]
            assert len(set(trees)) == count
            assert set(trees) <= {key(case.tree(i)) for i in range(case.expected.count())}
            if count == case.expected.count():
                more = case.trees.sample(count + 3, seed=1, replacement=False)
                assert [key(tree) for tree in more] == trees

    def test_pairs_without_replacement_have_the_right_frequencies(self, single_root: bool) -> None:
        case = self.case(single_root, None, "flat", 2)
        keys = [key(case.tree(i)) for i in range(case.expected.count())]
        p = case.expected.probabilities()
        draws = 1500
        counts: Counter[tuple[object, object]] = Counter()
        for seed in range(draws):
            pair = case.trees.sample(2, seed=seed, replacement=False)
            counts[key(pair[0]), key(pair[1])] += 1
        pairs = [(i, j) for i in range(len(p)) for j in range(len(p)) if i != j]
        expected = np.array([p[i] * p[j] / (1 - p[i]) for i, j in pairs]) * draws
        observed = np.array([counts[keys[i], keys[j]] for i, j in pairs], dtype=float)
        rare = expected < 5
        pooled = [np.append(x[~rare], x[rare].sum()) if rare.any() else x for x in (observed, expected)]
        assert observed.sum() == draws
        assert chisquare(*pooled).pvalue > 1e-3

    @pytest.mark.parametrize("projective", [None, True, False])
    def test_minimum_risk(self, cases: list[Case], projective: bool | None) -> None:
        for case in cases:
            trees = case.trees
            wanted = trees.projective if projective is None else projective
            marginals = trees.marginals()
            gains = marginals.arcs if marginals.labels is None else marginals.labels.max(axis=2)
            gains = np.where(self.allowed(case), gains, -np.inf)
            every = all_trees(trees.words, projective=wanted, single_root=trees.single_root)
            best = max(sum(gains[h, m] for m, h in enumerate(heads, start=1)) for heads in every)
            if best == -np.inf:
                with pytest.raises(NoTreeError):
                    trees.minimum_risk(projective=projective)
                continue
            solution = trees.minimum_risk(projective=projective)
            assert solution.score == pytest.approx(best, rel=1e-12)
            assert tuple(int(h) for h in solution.tree.heads) in every

    def test_count(self, cases: list[Case]) -> None:
        for case in cases:
            assert case.trees.count() == case.expected.count()

    def test_partial_trees(self, single_root: bool) -> None:
        case = self.case(single_root, None, "smooth", 4 if 4 in self.lengths else 3)
        for index in range(0, case.expected.count(), 1 + case.expected.count() // 6):
            heads = case.tree(index).heads.copy()
            heads[[0, 2]] = -1
            restricted = self.build({**case.tables, "partial_heads": heads}, single_root)
            agreeing = [
                score
                for tree, score in zip(case.expected.heads, case.expected.scores, strict=True)
                if all(want in (-1, got) for want, got in zip(heads, tree, strict=True))
            ]
            assert restricted.count() == len(agreeing)
            assert restricted.argmax().score == pytest.approx(max(agreeing))
            assert restricted.log_partition() == pytest.approx(np.logaddexp.reduce(agreeing))

    def test_no_tree_is_an_error(self, single_root: bool) -> None:
        tables = dict(self.case(single_root, None, "smooth", 3).tables)
        tables["arcs"] = tables["arcs"].copy()
        tables["arcs"][:, 2] = -np.inf
        trees = self.build(tables, single_root)
        assert trees.count() == 0
        verbs = ("argmax", "log_partition", "marginals", "entropy", "minimum_risk")
        for verb in verbs:
            with pytest.raises(NoTreeError, match="no tree is left"):
                getattr(trees, verb)()
        with pytest.raises(NoTreeError, match="no tree is left"):
            trees.top_k(2)
        for replacement in (True, False):
            with pytest.raises(NoTreeError, match="no tree is left"):
                trees.sample(2, seed=0, replacement=replacement)

    def test_batches_equal_single_calls(self, cases: list[Case]) -> None:
        distributions = [case.trees for case in cases]
        for threads in (1, 3):
            batch = Batch(distributions, threads=threads)
            assert batch.log_partition() == [d.log_partition() for d in distributions]
            for solution, trees in zip(batch.argmax(), distributions, strict=True):
                assert key(solution.tree) == key(trees.argmax().tree)
            for together, trees in zip(batch.marginals(), distributions, strict=True):
                assert (together.arcs == trees.marginals().arcs).all()
            once = [[key(t) for t in trees] for trees in batch.sample(3, seed=4)]
            again = [[key(t) for t in trees] for trees in Batch(distributions).sample(3, seed=4)]
            assert once == again
