import itertools

import pytest

from headwise.treebank import check_tree


def kinds(heads, single_root=True, **options):
    return [(p.kind, p.word) for p in check_tree(heads, single_root=single_root, **options)]


def test_a_tree_has_no_problems():
    assert kinds([2, 0, 2]) == []
    assert kinds([0, 0], single_root=False) == []


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        ([1], [("self-loop", 1), ("no-root", 0)]),
        ([2, 1], [("cycle", 1), ("no-root", 0)]),
        ([0, 3, 4, 2], [("cycle", 2)]),
        ([0, 3, 2, 5, 4], [("cycle", 2), ("cycle", 4)]),
        ([0, 0, 1], [("several-roots", 2)]),
        ([4, 0], [("out-of-range", 1)]),
        ([0, -2], [("out-of-range", 2)]),
        ([0, -1], [("missing-head", 2)]),
        ([], [("no-root", 0)]),
    ],
)
def test_problems(heads, expected):
    assert kinds(heads) == expected


def test_partial_trees_may_miss_heads():
    assert kinds([-1, -1], partial=True) == []
    assert kinds([-1, 3, 2], partial=True) == [("cycle", 2)]


def test_explanations_name_words():
    assert str(check_tree([3, 1, 2], single_root=True)[0]) == "the heads go round in a cycle: 1 → 3 → 2 → 1"
    assert "words 1 to 2" in str(check_tree([9, 0], single_root=True)[0])
    long = [*range(2, 1001), 1]
    assert len(str(check_tree(long, single_root=True)[0])) < 100


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("single_root", [False, True])
def test_the_number_of_trees_is_cayleys(n, single_root):
    heads = itertools.product(range(n + 1), repeat=n)
    trees = sum(not check_tree(h, single_root=single_root) for h in heads)
    assert trees == (n ** (n - 1) if single_root else (n + 1) ** (n - 1))


def test_a_sentence_of_any_length_is_checked():
    n = 300_000
    assert check_tree([*range(2, n + 1), 0], single_root=True) == []
    assert check_tree([*range(2, n + 1), 1], single_root=True)[0].kind == "cycle"
