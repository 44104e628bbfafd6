"""The oracle itself, against closed forms and by hand."""

from math import comb

import numpy as np
import pytest

from headwise.reference import EnumeratedTrees, all_trees, is_projective, tree_parts


@pytest.mark.parametrize("n", range(1, 6))
def test_tree_counts_have_closed_forms(n: int) -> None:
    """Cayley: (n+1)^(n−1) trees, n^(n−1) with one root; projective: C(3n, n)/(2n+1) and one term less."""
    assert len(all_trees(n, projective=False, single_root=False)) == (n + 1) ** (n - 1)
    assert len(all_trees(n, projective=False, single_root=True)) == n ** (n - 1)
    assert len(all_trees(n, projective=True, single_root=False)) == comb(3 * n, n) // (2 * n + 1)
    assert len(all_trees(n, projective=True, single_root=True)) == comb(3 * n - 2, n - 1) // n


def test_crossing_arcs_are_not_projective() -> None:
    assert is_projective((0, 1, 1))
    assert not is_projective((3, 4, 0, 3))
    assert not is_projective((2, 0, 0, 2))  # the arc from the root to 3 crosses 2 → 4


def test_parts_of_a_small_tree() -> None:
    # 2 is the root, with modifiers 1 on its left and 3, 4, 5 on its right; 6 hangs from 5.
    heads = (2, 0, 2, 2, 2, 5)
    assert tree_parts(heads, "arc") == {"arcs": [(2, 1), (0, 2), (2, 3), (2, 4), (2, 5), (5, 6)]}

    siblings = {(2, 1, 2), (0, 2, 0), (2, 3, 2), (2, 4, 3), (2, 5, 4), (5, 6, 5)}
    assert set(tree_parts(heads, "sibling")["siblings"]) == siblings

    carreras = set(tree_parts(heads, "carreras")["grandchildren"])
    assert {p for p in carreras if p[1] == 2} == {(0, 2, 1), (0, 2, 5)}
    assert {p for p in carreras if p[1] == 5} == {(2, 5, 2), (2, 5, 6)}  # none inside, 6 outside
    assert {p for p in carreras if p[1] == 1} == {(2, 1, 2), (2, 1, 1)}

    model1 = tree_parts(heads, "model1")
    assert {p for p in model1["grandchildren"] if p[1] == 2} == {(0, 2, 1), (0, 2, 3), (0, 2, 4), (0, 2, 5)}
    grand_siblings = {(0, 2, 1, 2), (0, 2, 3, 2), (0, 2, 4, 3), (0, 2, 5, 4), (2, 5, 6, 5)}
    assert set(model1["grand_siblings"]) == grand_siblings

    model2 = tree_parts(heads, "model2")
    assert set(model2["tri_siblings"]) == {(2, 4, 3, 2), (2, 5, 4, 3)}
    assert set(model2["grand_siblings"]) == {(0, 2, 1, 2), (0, 2, 5, 4), (2, 5, 6, 5)}
    assert {p for p in model2["grandchild_positions"] if p[2] == 2} == {
        (0, 0, 2, 1),
        (1, 0, 2, 0),  # exactly one modifier on the side of the root
        (0, 0, 2, 5),
        (1, 0, 2, 4),
    }


def test_two_words_by_hand() -> None:
    arcs = np.log(np.array([[0.0, 2.0, 3.0], [0.0, 0.0, 5.0], [0.0, 7.0, 0.0]], dtype=float) + 1e-300)
    trees = EnumeratedTrees({"arcs": arcs}, single_root=False)
    # 0→1→2 weighs 10, 0→2→1 weighs 21, both words under the root 6.
    assert np.exp(trees.log_partition()) == pytest.approx(37)
    assert trees.arc_marginals()[0, 1] == pytest.approx(16 / 37)
    assert trees.heads[trees.order()[0]] == (2, 0)
