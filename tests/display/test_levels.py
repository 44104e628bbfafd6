"""Levels of arcs: never two in one place, never more of them than needed."""

from itertools import product

import pytest
from display_examples import random_sentence
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.display import draw
from headwise.display.drawing import Arc
from headwise.display.levels import arc_levels, span_levels


@st.composite
def spans(draw, words=8, most=7):
    lefts_and_rights = st.tuples(st.integers(1, words), st.integers(1, words)).filter(lambda s: s[0] != s[1])
    return [tuple(sorted(pair)) for pair in draw(st.lists(lefts_and_rights, max_size=most))]


def overlap(a, b):
    return max(a[0], b[0]) < min(a[1], b[1])


def inside(a, b):
    return a != b and b[0] <= a[0] and a[1] <= b[1]


def is_proper(spans, levels):
    return not any(
        (levels[i] == levels[j] and overlap(spans[i], spans[j]))
        or (inside(spans[i], spans[j]) and levels[i] >= levels[j])
        for i in range(len(spans))
        for j in range(len(spans))
        if i != j
    )


def fewest_levels(spans):
    """By trying everything."""
    return next(
        k
        for k in range(len(spans) + 1)
        if any(is_proper(spans, levels) for levels in product(range(k), repeat=len(spans)))
    )


@given(spans(words=30, most=40))
def test_levels_are_proper(spans):
    levels = span_levels(spans)
    assert is_proper(spans, levels)
    assert all(level >= 1 for level in levels)


@settings(max_examples=150, deadline=None)
@given(spans(words=8, most=6))
def test_levels_are_as_few_as_possible(spans):
    assert max(span_levels(spans), default=0) == fewest_levels(spans)


def test_crossing_chains_that_a_greedy_choice_gets_wrong():
    # Two nests joined by two arcs that cross them and each other: 2 arcs over any gap, but 3 levels.
    odd = [(1, 5), (2, 3), (4, 8), (7, 11), (10, 15), (12, 13)]
    assert max(span_levels(odd)) == fewest_levels(odd) == 3
    # Which of two crossing arcs goes above matters for a third: the first choice costs a level too many.
    for tied in ([(1, 3), (3, 5), (1, 2), (2, 4)], [(2, 5), (1, 3), (4, 8), (5, 7)]):
        assert max(span_levels(tied)) == fewest_levels(tied) == 2
    # With one arc between the nests, it goes below both.
    even = [(1, 5), (2, 3), (4, 8), (7, 11), (9, 10)]
    assert max(span_levels(even)) == fewest_levels(even) == 2


@given(st.integers(1, 40))
def test_a_projective_tree_is_as_high_as_its_deepest_nest(n):
    chain = [(m, m + 1) for m in range(1, n)]
    assert max(span_levels(chain), default=0) == (1 if n > 1 else 0)
    fan = [(1, m) for m in range(2, n + 1)]
    assert span_levels(fan) == list(range(1, n))


def test_a_tangle_is_laid_out_in_reasonable_time_and_height():
    """Random spans over 100 words cross thousands of times: no exact answer, but a proper and low one."""
    spans = [tuple(sorted(((17 * i) % 101 + 1, (53 * i + 29) % 101 + 1))) for i in range(100)]
    spans = [span for span in spans if span[0] != span[1]]
    levels = span_levels(spans)
    assert is_proper(spans, levels)
    crowd = max(sum(left <= gap < right for left, right in spans) for gap in range(1, 101))
    assert max(levels) <= 1.25 * crowd


def test_the_root_starts_above_what_is_over_its_word():
    arcs = [Arc(2, 1), Arc(0, 2), Arc(2, 4), Arc(4, 3), Arc(0, 5)]
    assert arc_levels(arcs) == [1, 3, 2, 1, 1]


@pytest.mark.parametrize("seed", range(5))
def test_every_arc_has_one_level(seed):
    drawing = draw(random_sentence(60, seed))
    levels = arc_levels(drawing.arcs)
    assert len(levels) == len(drawing.arcs) == 60
    between = [(arc.span, level) for arc, level in zip(drawing.arcs, levels, strict=True) if arc.head]
    assert is_proper(*zip(*between, strict=True))
