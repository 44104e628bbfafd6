"""Tables by group against numbers counted by hand, and against the whole."""

from __future__ import annotations

import numpy as np
import pytest
from evaluation_examples import trees
from hypothesis import given
from hypothesis import strategies as st

from headwise.evaluation import KEYS, Assessment, Group, Key, assess, break_down

GOLD = trees(
    "a/2/det b/0/root c/2/obj ./2/punct",
    "d/3/obj e/4/obj f/0/root g/3/obj",  # d → f and e → g cross
    " ".join(["w/0/root", *["w/1/obj"] * 11]),
)
SYSTEM = trees(
    "a/2/det b/0/root c/2/obl ./3/punct",
    "d/3/obj e/3/obj f/0/root g/3/det",  # nothing crosses
    " ".join(["w/0/root", *["w/1/obj"] * 11]),
)


def rows(by: str, protocol: str = "all") -> dict[str, Group]:
    table = break_down(assess(GOLD, SYSTEM, protocol), by, KEYS[by])
    assert table.protocol.name == protocol
    assert table.by == by
    return {group.name: group for group in table.groups}


def test_by_sentence_length() -> None:
    table = rows("length")
    assert list(table) == ["1–10", "11–20"]
    short, long = table["1–10"], table["11–20"]
    assert (short.uas.gold, short.uas.gold_correct, short.las.gold_correct) == (8, 6, 4)
    assert (long.uas.gold, long.uas.recall, long.las.recall) == (12, 1.0, 1.0)


def test_by_label_counts_each_file_by_its_own_labels() -> None:
    table = rows("label")
    assert list(table) == ["obj", "root", "det", "punct", "obl"]
    # Gold's det is right; the system's second det (word g) has the right head but the wrong label.
    det = table["det"]
    assert (det.las.gold, det.las.system, det.las.gold_correct, det.las.system_correct) == (1, 2, 1, 1)
    assert (det.uas.gold_correct, det.uas.system_correct) == (1, 2)
    assert (det.las.precision, det.las.recall) == (1 / 2, 1)
    assert det.las.f1 == pytest.approx(2 / 3)
    assert (table["obl"].uas.gold, table["obl"].uas.system) == (0, 1)
    assert (table["obl"].las.precision, table["obl"].las.recall, table["obl"].las.f1) == (0, 0, 0)


def test_by_arc_length() -> None:
    table = rows("arc-length")
    assert list(table) == ["root", "1", "2", "3–6", "7–10", "11–20"]
    assert (table["root"].uas.gold, table["root"].uas.recall) == (3, 1.0)
    # Gold arcs of length 2: "." → b, d → f, e → g, and one in the last sentence; system: d → f and that one.
    two = table["2"]
    assert (two.uas.gold, two.uas.system, two.uas.gold_correct, two.uas.system_correct) == (4, 2, 2, 2)
    assert (table["11–20"].uas.gold, table["7–10"].uas.gold) == (1, 4)


def test_by_projectivity() -> None:
    table = rows("projectivity")
    # In gold the arcs of d, e and f cross (f's from the root crosses e → g too); in the system's none.
    crossing = table["crossing"]
    assert (crossing.uas.gold, crossing.uas.gold_correct) == (3, 2)
    assert (crossing.uas.system, crossing.uas.precision) == (0, 0.0)
    assert table["projective"].uas.system == 20


def test_groups_follow_the_protocol() -> None:
    assert "punct" in rows("label", "all")
    assert "punct" not in rows("label", "conllx")


def test_a_key_of_ones_own() -> None:
    """Any integer a word makes groups: what calibration and other tables are built on."""

    def by_parity(assessment: Assessment) -> Key:
        gold, system = (np.arange(len(words)) % 2 for words in (assessment.gold, assessment.system))
        return Key(gold, system, ["even", "odd"])

    table = break_down(assess(GOLD, SYSTEM, "all"), "parity", by_parity)
    assert [(group.name, group.uas.gold) for group in table.groups] == [("even", 10), ("odd", 10)]
    assert table.same_groups


@given(st.lists(st.integers(1, 12), min_size=1, max_size=4), st.randoms(use_true_random=False))
@pytest.mark.parametrize("protocol", ["ud", "conllx", "all"])
def test_groups_add_up_to_the_whole(protocol: str, lengths: list[int], random) -> None:
    def tree(length: int) -> str:
        # Heads before their words, so that every protocol takes them for trees with one root.
        words = [f"{random.choice('ab.')}/0/root"]
        words += [
            f"{random.choice('ab.')}/{random.randint(1, m)}/{random.choice(['obj', 'det'])}"
            for m in range(1, length)
        ]
        return " ".join(words)

    gold = [tree(length) for length in lengths]
    forms = [[word.split("/")[0] for word in line.split()] for line in gold]
    system = [
        " ".join(
            form + word[word.index("/") :] for form, word in zip(row, tree(len(row)).split(), strict=True)
        )
        for row in forms
    ]
    assessment = assess(trees(*gold), trees(*system), protocol)
    for by, key in KEYS.items():
        groups = break_down(assessment, by, key).groups
        for measure, scores in (
            (assessment.uas, [group.uas for group in groups]),
            (assessment.las, [group.las for group in groups]),
        ):
            whole = assessment.score(measure)
            assert sum(score.gold for score in scores) == whole.gold
            assert sum(score.system for score in scores) == whole.system
            assert sum(score.gold_correct for score in scores) == whole.correct
            assert sum(score.system_correct for score in scores) == whole.correct
