"""Drawings in text, as they should look."""

import re

import pytest
from display_examples import (
    arabic,
    chinese,
    decomposed,
    english,
    hearing,
    hindi,
    nasty,
    one_word,
    random_sentence,
    several_roots,
)

from headwise.base.writing_systems import terminal_width
from headwise.display import beside, compare, draw, to_text

MARK = "\u200e"  # keeps what follows a right-to-left word on its right


GOLDEN = {
    "English": (
        english,
        """
    ╭──▶ 1 She        PRON  nsubj
●─┬─┴─── 2 announced  VERB  root
  │ ╭──▶ 3 a          DET   det
  ▼─┴─── 4 program    NOUN  obj
  │ ╭──▶ 5 to         PART  mark
  ▼─┼─── 6 promote    VERB  acl
    ╰──▶ 7 safety     NOUN  obj
""",
    ),
    "crossing arcs": (
        hearing,
        """
        ╭──▶ 1 A          det
      ╭─▲─── 2 hearing    nsubj
●─┬───│─┼─── 3 is         root
  │ ╭─│─▼─── 4 scheduled  vc
  │ │ ▼───── 5 on         nmod
  │ │ │ ╭──▶ 6 the        det
  │ │ ▼─┴─── 7 issue      obj
  │ ╰──────▶ 8 today      tmp
  ╰────────▶ 9 .          punct
""",
    ),
    "Chinese, two columns a character": (
        chinese,
        """
    ╭──▶ 1 我    PRON   nsubj
●─┬─┼─── 2 喜欢  VERB   root
  │ ▼─── 3 研究  VERB   ccomp
  │ ╰──▶ 4 句法  NOUN   obj
  ╰────▶ 5 。    PUNCT  punct
""",
    ),
    "Arabic, each word followed by a mark that holds the line together": (
        arabic,
        f"""
●─┬─┬─── 1 تعلن{MARK}     VERB  root
  │ ╰──▶ 2 الحكومة{MARK}  NOUN  nsubj
  │ ╭──▶ 3 عن{MARK}       ADP   case
  ▼─┴─── 4 برنامج{MARK}   NOUN  obl
""",
    ),
    "combining accents": (
        decomposed,
        """
●─┬─── 1 Cafe\u0301   NOUN  root
  ╰──▶ 2 ferme\u0301  ADJ   amod
""",
    ),
    "several roots": (
        several_roots,
        """
●─┬─── 1 a  root
  ▼─── 2 b  x
●─│──▶ 3 c  root
  ╰──▶ 4 d  y
""",
    ),
    "one word": (one_word, "●──▶ 1 One  root\n"),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_drawings(name):
    sentence, expected = GOLDEN[name]
    assert to_text(draw(sentence())) == expected.removeprefix("\n")


@pytest.mark.parametrize("example", [english, hearing, chinese, arabic, hindi])
def test_labels_are_aligned_in_every_script(example):
    sentence = example()
    lines = to_text(draw(sentence)).splitlines()
    columns = {
        terminal_width(line[: line.rindex(label)]) for line, label in zip(lines, sentence.labels, strict=True)
    }
    assert len(columns) == 1


@pytest.mark.parametrize("seed", range(10))
def test_the_tree_can_be_read_back(seed):
    """Following each line from its arrow leads to the head: the drawing says all of the tree."""
    sentence = random_sentence(30, seed)
    lines = to_text(draw(sentence)).splitlines()
    grid = [re.match(r"\D*", line).group() for line in lines]
    assert [_head_in(grid, row) for row in range(len(grid))] == sentence.heads.tolist()


def _head_in(grid, row):
    line = grid[row]
    if line[0] == "●":
        return 0
    arrows = [x for x, character in enumerate(line) if character in "▼▲"]
    if arrows:
        (column,) = arrows
        step = -1 if line[column] == "▼" else 1
    else:
        column = re.search(r"[╭╰]", line).start()
        step = -1 if line[column] == "╰" else 1
    row += step
    while grid[row][column] == "│":
        row += step
    assert grid[row][column] in "╭╰├┬┴┼▼▲"
    return row + 1


def test_control_characters_do_not_reach_the_terminal():
    text = to_text(draw(nasty()))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "␛[31m" in text


def test_confidence_corrections_and_alternatives():
    heads, labels = [2, 0, 4, 2, 4, 2, 6], ["nsubj", "root", "det", "iobj", "mark", "acl", "obj"]
    alternatives = [[], [], [], [], [(6, 0.375), (4, 0.5), (0, 0.125)], [], []]
    system = draw(english(), heads, labels, confidence=[0.99] * 4 + [0.5, 0.25, 1], alternatives=alternatives)
    lines = to_text(compare(system, draw(english()))).splitlines()
    assert lines[0].endswith("nsubj   99%")
    assert lines[3].endswith("iobj    99%  ≠ obj ◂ 2")
    assert lines[4].endswith("mark    50%  ≠ mark ◂ 6  or 6 38%, or 0 12%")
    assert lines[5].endswith("acl     25%  ≠ acl ◂ 4")


def test_colours_change_nothing_but_colour():
    drawing = compare(draw(chinese(), [2, 0, 4, 2, 2]), draw(chinese()))
    coloured = to_text(drawing, colour=True)
    assert "\x1b[31m" in coloured
    plain = re.sub(r"\x1b\[\d+m", "", coloured)
    assert [line.rstrip() for line in plain.splitlines()] == to_text(drawing).splitlines()


def test_side_by_side_where_it_fits():
    blocks = [to_text(draw(chinese()), colour=True), to_text(draw(one_word()))]
    wide = beside(blocks, 100)
    assert len(wide.splitlines()) == 5
    assert "One" in wide.splitlines()[0]
    assert len(beside(blocks, 30).splitlines()) == 5 + 1 + 1
