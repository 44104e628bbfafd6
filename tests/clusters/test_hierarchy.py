"""Contours that cut the tree of clusters."""

from __future__ import annotations

import pytest

from headwise.words.clusters.hierarchy import (
    by_information,
    by_population,
    cluster_names,
    prefixes,
    tree_paths,
)

POPULATIONS = {"000": 1, "001": 1, "01": 2, "10": 40, "110": 30, "111": 26}


def is_contour(nodes: frozenset[str], paths: list[str]) -> bool:
    return all(sum(path.startswith(node) for node in nodes) == 1 for path in paths)


def test_mergers_make_paths() -> None:
    assert tree_paths([(2, 3), (0, 2), (0, 1)]) == {0: "00", 1: "1", 2: "010", 3: "011"}
    assert cluster_names([(0, 3), (1, 2), (0, 1)], words=4, clusters=2) == [0, 1, 1, 0]


def test_prefixes_are_nodes_at_a_depth() -> None:
    assert prefixes(list(POPULATIONS), 2) == {"00", "01", "10", "11"}


@pytest.mark.parametrize("most", range(1, 8))
def test_contours_have_a_node_above_every_cluster(most: int) -> None:
    paths = list(POPULATIONS)
    pairs = {(a, b): 1 + i for i, a in enumerate(paths) for b in paths}
    for contour in (by_population(POPULATIONS, most), by_information(pairs, most)):
        assert len(contour) <= most
        assert is_contour(contour, paths)


def test_the_populous_are_split_first() -> None:
    assert by_population(POPULATIONS, 4) == {"0", "10", "110", "111"}


def test_those_that_differ_are_split_first() -> None:
    # 00 and 01 stand before other clusters, 10 and 11 before the same ones.
    pairs = {
        ("00", "10"): 50,
        ("01", "11"): 50,
        ("10", "00"): 25,
        ("10", "01"): 25,
        ("11", "00"): 25,
        ("11", "01"): 25,
    }
    assert by_information(pairs, 3) == {"00", "01", "1"}
