"""Places of words and lines: nothing overlaps, labels fit, arcs of projective trees never touch."""

import display_examples as examples
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.base.writing_systems import em_width
from headwise.display import draw
from headwise.display.layout import WORD_SIZE, lay_out
from headwise.treebank import projectivized

sizes, seeds = st.integers(1, 40), st.integers(0, 10**6)


def inner(line):
    return sorted((line.head_x, line.modifier_x))


@settings(max_examples=40, deadline=None)
@given(sizes, seeds)
def test_words_do_not_overlap_and_stay_inside(words, seed):
    sentence = examples.random_sentence(words, seed)
    layout = lay_out(draw(sentence))
    halves = [em_width(form) * WORD_SIZE / 2 for form in sentence.forms]
    edges = [edge for x, half in zip(layout.words, halves, strict=True) for edge in (x - half, x + half)]
    assert edges == sorted(edges)
    assert edges[0] >= 0
    assert edges[-1] <= layout.width


@settings(max_examples=40, deadline=None)
@given(sizes, seeds)
def test_each_arc_is_drawn_once_and_its_label_fits_on_it(words, seed):
    sentence = examples.random_sentence(words, seed)
    layout = lay_out(draw(sentence))
    assert [(line.arc.head, line.arc.modifier) for line in layout.above] == [
        (head, m) for m, head in enumerate(sentence.heads.tolist(), 1)
    ]
    for line in layout.above:
        if not line.arc.from_root:
            left, right = inner(line)
            assert left < line.text_x - line.text_width / 2
            assert line.text_x + line.text_width / 2 < right


@settings(max_examples=40, deadline=None)
@given(sizes, seeds)
def test_lines_of_a_projective_tree_never_touch(words, seed):
    sentence = examples.random_sentence(words, seed)
    lines = lay_out(draw(projectivized(sentence, single_root=True))).above
    for line in lines:
        left, right = inner(line)
        for other in lines:
            if other is line:
                continue
            # A vertical of the other reaches our height only if the other is as high.
            if other.level >= line.level:
                assert not any(left - 0.5 < x < right + 0.5 for x in (other.head_x, other.modifier_x))


@pytest.mark.parametrize("seed", range(5))
def test_labels_keep_off_the_lines_that_cross_their_arc(seed):
    sentence = examples.random_sentence(25, seed) if seed else examples.hearing()
    lines = lay_out(draw(sentence)).above
    for line in lines:
        half = line.text_width / 2
        crossing = [x for o in lines if o.level > line.level for x in (o.head_x, o.modifier_x)]
        room = [x for x in crossing if inner(line)[0] < x < inner(line)[1]]
        if len(room) <= 2 and inner(line)[1] - inner(line)[0] > 6 * half + 60:  # there is room to move
            assert all(abs(x - line.text_x) > half for x in room)


def test_scripts_that_run_to_the_left_are_laid_out_to_the_left():
    rightwards = lay_out(draw(examples.chinese())).words
    assert rightwards == sorted(rightwards)
    leftwards = lay_out(draw(examples.arabic()))
    assert leftwards.words == sorted(leftwards.words, reverse=True)
    for line in leftwards.above:
        if line.arc.head:
            assert (line.arc.head < line.arc.modifier) == (line.head_x > line.modifier_x)


def test_a_label_stays_near_its_modifier():
    lines = lay_out(draw(examples.random_sentence(60, 1))).above
    assert any(abs(line.head_x - line.modifier_x) > 400 for line in lines)
    assert all(abs(line.text_x - line.modifier_x) < 200 for line in lines)


def test_one_word_and_words_without_heads():
    assert len(lay_out(draw(examples.one_word())).above) == 1
    headless = draw(examples.english(), [-1] * len(examples.english()))
    assert lay_out(headless).above == []


@pytest.mark.parametrize("words", ["Go home", "I go", "去 吧"])
@pytest.mark.parametrize("root", [0, 1])
def test_the_label_of_the_root_stays_inside_at_both_edges(words, root):
    heads = [2, 0] if root else [0, 1]
    sentence = examples.sentence(words, heads, "dep a-long-name-for-the-root" if root else "root dep")
    layout = lay_out(draw(sentence, confidence=[0.4, 0.4]))
    line = next(line for line in layout.above if line.arc.from_root)
    assert line.text_x - line.text_width / 2 >= 0
    assert line.text_x + line.text_width / 2 <= layout.width
