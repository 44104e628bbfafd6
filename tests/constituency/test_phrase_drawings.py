"""Drawings of phrase-structure trees."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from headwise.constituency import Tree
from headwise.constituency.display import to_html, to_svg, to_text

SENTENCE = Tree.parse("(ROOT (S (NP (PRP She)) (VP (VBZ reads) (NP (S (NN old) (NNS books)))) (. .)))")


def test_a_tree_in_text() -> None:
    assert to_text(SENTENCE).splitlines() == [
        "ROOT ── S ─┬─ NP ── PRP ── She",
        "           ├─ VP ─┬─ VBZ ── reads",
        "           │      ╰─ NP ── S ─┬─ NN ── old",
        "           │                  ╰─ NNS ── books",
        "           ╰─ . ── .",
    ]
    assert to_text(Tree.parse("((A b) (C d))")) == "─┬─ A ── b\n ╰─ C ── d\n"
    assert to_text(Tree.parse("((A b))")) == "── A ── b\n"
    assert "\x1b[" in to_text(SENTENCE, colour=True)


def places(svg: str) -> dict[str, float]:
    return {
        element.text or "": float(element.get("x", "nan"))
        for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    }


def test_a_tree_as_svg() -> None:
    at = places(to_svg(SENTENCE))
    assert at["She"] < at["reads"] < at["old"] < at["books"]
    assert at["She"] == at["PRP"]
    assert at["VP"] == pytest.approx((at["reads"] + at["NP"]) / 2, abs=0.11)


def test_wide_labels_stand_over_their_words() -> None:
    at = places(to_svg(Tree.parse("(S (ADVP-TMP-VERY-WIDE (RB so)) (V go))")))
    assert at["ADVP-TMP-VERY-WIDE"] == at["so"]
    assert min(at.values()) > 0
    width = re.search(r'width="(\d+)"', to_svg(Tree.parse("(S (ADVP-TMP-VERY-WIDE (RB so)) (V go))")))
    assert width is not None
    assert max(at.values()) < int(width[1])


def test_right_to_left_words_run_that_way() -> None:
    at = places(to_svg(Tree.parse("(S (A \u05d0) (B \u05d1))")))
    assert at["\u05d0"] > at["\u05d1"]


def test_what_is_special_in_xml_is_escaped() -> None:
    tree = Tree.parse("(S (A <b>) (C &))")
    assert "<b>" in places(to_svg(tree))
    page = to_html([tree, SENTENCE], title="a < b")
    assert page.count("<svg") == 2
    assert "<b>" not in page
