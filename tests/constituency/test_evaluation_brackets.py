"""Bracket scores: cases counted by hand, as EVALB counts with COLLINS.prm."""

from __future__ import annotations

import pytest

from headwise.constituency import Tree
from headwise.constituency.evaluation import (
    BracketEvaluationError,
    Parameters,
    compare_brackets,
    score_tree,
    score_trees,
)

GOLD = (
    "(ROOT (S (NP (DT the) (NN man))"
    " (VP (VBD saw) (NP (DT a) (NN dog)) (PP (IN with) (NP (NN glee)))) (. .)))"
)


def scored(gold: str, system: str) -> tuple[int, int, int, int, int, int]:
    score = score_tree(Tree.parse(gold), Tree.parse(system))
    return score.matched, score.gold, score.system, score.crossing, score.right_tags, score.tags


def test_the_same_tree_is_right_in_all() -> None:
    # S, NP, VP, NP, PP, NP; seven words without the full stop.
    assert scored(GOLD, GOLD) == (6, 6, 6, 0, 7, 7)
    assert score_tree(Tree.parse(GOLD), Tree.parse(GOLD)).exact


def test_an_attachment_that_is_wrong() -> None:
    system = (
        "(ROOT (S (NP (DT the) (NN man))"
        " (VP (VBD saw) (NP (NP (DT a) (NN dog)) (PP (IN with) (NP (JJ glee))))) (. .)))"
    )
    # One bracket more, NP over "a dog with glee"; it crosses none; one tag is wrong.
    assert scored(GOLD, system) == (6, 6, 7, 0, 6, 7)


def test_crossing_brackets_are_counted_once_each() -> None:
    gold = "(S (A (a w) (b x)) (B (c y) (d z)))"
    system = "(S (a w) (C (D (b x) (c y)) (d z)))"
    # C (1, 4) crosses A (0, 2); D (1, 3) crosses A and B, and counts once.
    assert scored(gold, system) == (1, 3, 3, 2, 4, 4)


def test_punctuation_is_deleted_by_gold_tags() -> None:
    gold = "(S (A (a w) (, ,)) (B (c y)))"
    system = "(S (A (a w)) (B (, ,) (c y)))"
    assert scored(gold, system) == (3, 3, 3, 0, 2, 2)
    assert scored("(S (X (, ,)) (A (a w)))", "(S (X (, ,)) (A (a w)))") == (2, 2, 2, 0, 1, 1)


def test_labels_that_count_as_one_and_function_tags() -> None:
    assert scored("(S (PRT-X (RP up)) (A (a w)))", "(S (ADVP (RP up)) (A-SBJ=1 (a w)))") == (3, 3, 3, 0, 2, 2)


def test_the_same_bracket_twice_must_be_found_twice() -> None:
    assert scored("(S (NP (NP (a w))) (b x))", "(S (NP (a w)) (b x))") == (2, 3, 2, 0, 2, 2)


def test_other_words_are_an_error_and_left_out() -> None:
    scores = score_trees(
        [Tree.parse("(S (a w))"), Tree.parse("(S (a w) (b x))")],
        [Tree.parse("(S (a w))"), Tree.parse("(S (a w))")],
    )
    assert scores.errors == 1
    assert scores.f1 == 1.0
    assert score_tree(Tree.parse("(S (a w))"), Tree.parse("(S (a x))")).is_error
    with pytest.raises(BracketEvaluationError, match="no gold trees"):
        score_trees([], [])
    with pytest.raises(BracketEvaluationError, match="1 trees"):
        score_trees([Tree.parse("(S (a w))")], [])


def test_totals_are_ratios_of_sums() -> None:
    golds = [Tree.parse(GOLD), Tree.parse("(S (A (a w) (b x)) (B (c y) (d z)))")]
    systems = [Tree.parse(GOLD), Tree.parse("(S (a w) (C (D (b x) (c y)) (d z)))")]
    scores = score_trees(golds, systems)
    assert scores.precision == pytest.approx(7 / 9)
    assert scores.recall == pytest.approx(7 / 9)
    assert scores.f1 == pytest.approx(7 / 9)
    assert scores.exact_match == 0.5
    assert scores.crossing == 1.0
    assert scores.no_crossing == 0.5
    assert scores.tag_accuracy == 1.0
    assert scores.up_to(4).f1 == pytest.approx(1 / 3)
    assert dict(scores.named())["Complete match"] == 50.0


def test_empty_elements_and_unlabelled_scores() -> None:
    gold = [Tree.parse("((IP-MAT (NP-SBJ *con*) (VBDI kom) (NP (N-A x))))")]
    assert score_trees(gold, [Tree.parse("(IP (VBDI kom) (NP (N-A x)))")]).f1 == 1.0
    other = [Tree.parse("(IP (VBDI kom) (PP (N-A x)))")]
    assert score_trees(gold, other).f1 == 0.5
    assert score_trees(gold, other, Parameters(labels=False)).f1 == 1.0


def test_two_systems_are_compared() -> None:
    golds = [Tree.parse(GOLD)] * 12
    worse = [Tree.parse(GOLD.replace("(PP (IN with) (NP (NN glee)))", "(IN with) (NN glee)"))] * 12
    result = compare_brackets(score_trees(golds, golds), score_trees(golds, worse), permutations=2000)
    assert result.permutation.difference > 0
    assert result.permutation.p_value < 0.01
    assert result.sign.first_better == 12
