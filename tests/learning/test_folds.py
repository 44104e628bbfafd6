"""Parts of the data that are left out in turn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.learning.folds import TOGETHER, Folds, in_two_versions, jackknifed


@given(st.integers(0, 50), st.integers(2, 7), st.integers(1, 5))
def test_every_example_is_in_one_fold(examples: int, count: int, run: int) -> None:
    for folds in (Folds.interleaved(examples, count, run), Folds.blocks(examples, count)):
        inside = np.concatenate([folds.inside(f) for f in folds])
        assert sorted(inside.tolist()) == list(range(examples))
        for f in folds:
            assert sorted([*folds.inside(f), *folds.outside(f)]) == list(range(examples))
            own, others = folds.split(range(examples), f)
            assert (own, others) == (folds.inside(f).tolist(), folds.outside(f).tolist())


def test_blocks_stand_together_and_runs_take_turns() -> None:
    assert Folds.blocks(10, 4).of_example.tolist() == [0, 0, 1, 1, 1, 2, 2, 3, 3, 3]
    assert Folds.interleaved(7, 2, run=2).of_example.tolist() == [0, 0, 1, 1, 0, 0, 1]


@pytest.mark.parametrize("threads", [1, 3])
def test_nobody_is_trained_on_what_is_left_out(threads: int) -> None:
    folds = Folds.interleaved(9, 3)
    whole, parts = jackknifed(lambda indices: set(indices.tolist()), folds, threads=threads)
    assert whole == set(range(9))
    for fold, seen in zip(folds, parts, strict=True):
        assert seen == whole - set(folds.inside(fold).tolist())


def test_too_few_examples_are_not_left_out() -> None:
    whole, parts = jackknifed(lambda indices: len(indices), Folds.interleaved(2, 5), threads=1)
    assert [whole, *parts] == [2] * 6


@given(st.integers(0, 450), st.sampled_from([(2, 1), (4, 1), (5, 1), (10, 1), (5, 20)]))
def test_both_versions_are_left_out_at_once(examples: int, kind: tuple[int, int]) -> None:
    names = [str(i) for i in range(examples)]
    both = in_two_versions(names, [name + "'" for name in names])
    assert [name for name in both if not name.endswith("'")] == names
    assert len(both) == examples + examples // TOGETHER * TOGETHER
    folds = Folds.interleaved(len(both), *kind)
    fold_of = dict(zip(both, folds.of_example.tolist(), strict=True))
    for name in names:
        assert fold_of.get(name + "'", fold_of[name]) == fold_of[name]
