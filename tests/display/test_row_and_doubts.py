"""Trees of the tree library, the k best side by side, and doubts about an annotation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from headwise.display import draw, draw_trees, to_html, to_svg, to_text
from headwise.display.doubts import with_doubts
from headwise.treebank import Sentence, read
from headwise.treebank.probabilities import ConfidenceError
from headwise.trees import ProjectiveTrees, Tree

WORDS = ["They", "saw", "it"]
DOUBTED = """\
1	They	_	PRON	_	_	2	nsubj	_	Doubt=0.0100
2	saw	_	VERB	_	_	0	root	_	Doubt=0.0000
3	it	_	PRON	_	_	1	det	_	Doubt=3.0000|ModelHead=2|ModelLabel=obj

"""


def doubted(text: str = DOUBTED) -> Sentence:
    return next(read(text.encode()))


def test_a_tree_of_the_library_is_drawn_over_words() -> None:
    arcs = np.random.default_rng(1).normal(size=(4, 4))
    solution = ProjectiveTrees(arcs, single_root=True).argmax()
    by_heads = to_text(draw(WORDS, solution.tree.heads))
    assert to_text(draw(WORDS, solution)) == to_text(draw(WORDS, solution.tree)) == by_heads


def test_labels_of_the_library_are_numbers() -> None:
    drawing = draw(WORDS, Tree(np.array([2, 0, 2], np.int32), np.array([4, 0, 1], np.int32)))
    assert [arc.label for arc in drawing.arcs] == ["4", "0", "1"]
    named = draw(WORDS, Tree(np.array([2, 0, 2], np.int32), np.array([4, 0, 1], np.int32)), ["a", "b", "c"])
    assert [arc.label for arc in named.arcs] == ["a", "b", "c"]


def test_the_k_best_trees_stand_side_by_side() -> None:
    trees = ProjectiveTrees(np.random.default_rng(1).normal(size=(4, 4)), single_root=True)
    best = trees.top_k(3)
    row = draw_trees(best, WORDS, log_probs=[trees.log_prob(solution.tree) for solution in best])
    shown = f"tree 1 ({math.exp(trees.log_prob(best[0].tree)):.0%})"
    assert row[0].caption == shown
    assert str(row).splitlines()[0].count("tree ") == 3
    assert row._repr_html_().count("<svg") == to_html([row]).count("<svg") == 3


def test_parses_know_their_words(parser, test_sentences) -> None:
    row = draw_trees(parser.k_best(test_sentences[0], 2))
    assert [drawing.caption.split(" (")[0] for drawing in row] == ["tree 1", "tree 2"]
    assert [word.form for word in row[0].words] == test_sentences[0].forms


def test_trees_without_words_are_refused() -> None:
    with pytest.raises(ValueError, match="give a sentence"):
        draw_trees([Tree(np.array([0], np.int32))])


def test_doubts_are_probabilities_and_the_model_has_its_arcs() -> None:
    drawing = with_doubts(draw(doubted()), doubted())
    assert drawing.arcs[2].confidence == pytest.approx(math.exp(-3))
    assert drawing.arcs[2].is_unsure
    assert [(arc.head, arc.modifier, arc.label) for arc in drawing.corrections] == [(2, 3, "obj")]
    assert "model: obj ◂ 2" in to_text(drawing)
    svg = to_svg(drawing)
    assert 'class="arc model"' in svg
    assert "the model says, it: obj of saw" in svg


def test_doubts_of_heads_that_are_not_known_are_no_probabilities() -> None:
    sentence = doubted(DOUBTED.replace("2\tnsubj", "_\t_"))
    drawing = with_doubts(draw(sentence), sentence)
    assert all(arc.confidence is None for arc in drawing.arcs)
    assert len(drawing.corrections) == 1


def test_a_sentence_without_doubts_is_drawn_as_it_is() -> None:
    drawing = draw(WORDS, [2, 0, 2])
    sentence = doubted(DOUBTED.replace("Doubt", "Delight").replace("Model", "Muddle"))
    assert with_doubts(drawing, sentence) is drawing


@pytest.mark.parametrize("wrong", ["ModelHead=9", "ModelHead=3", "ModelHead=x", "Doubt=-9e9"])
def test_doubts_that_make_no_sense_are_refused(wrong: str) -> None:
    key = wrong.split("=")[0]
    value = {"ModelHead": "ModelHead=2", "Doubt": "Doubt=3.0000"}[key]
    sentence = doubted(DOUBTED.replace(value, wrong))
    with pytest.raises(ConfidenceError, match="cannot be drawn"):
        with_doubts(draw(sentence), sentence)


def test_captions_are_text_in_html() -> None:
    tree = Tree(np.array([2, 0, 2], np.int32))
    row = draw_trees([tree], WORDS, log_probs=[-20.0])
    assert row[0].caption == "tree 1 (<1%)"
    assert "tree 1 (&lt;1%)" in row._repr_html_()
