"""Attachment scores against numbers counted by hand."""

from __future__ import annotations

import unicodedata

import pytest
from evaluation_examples import conllu, sentences, trees
from hypothesis import given
from hypothesis import strategies as st

from headwise.evaluation import EvaluationError, UniversalScores, evaluate, is_punctuation
from headwise.treebank import Sentence

GOLD = trees(
    "The/2/det dog/3/nsubj:pass slept/0/root ./3/punct",
    "$/2/dep 5/0/root !?/2/punct",
    "…/0/root",
)
SYSTEM = trees(
    "The/2/det dog/3/nsubj slept/0/root ./2/punct",  # one label differs in its subtype; wrong head of "."
    "$/2/nummod 5/0/root !?/2/punct",  # wrong label of "$"
    "…/0/root",
)


def test_all_counts_every_word_and_full_labels() -> None:
    scores = evaluate(GOLD, SYSTEM, "all")
    assert (scores.uas.correct, scores.uas.gold, scores.uas.system) == (7, 8, 8)
    assert scores.las.correct == 5
    assert scores.label_accuracy.correct == 6
    assert scores.las.f1 == scores.las.precision == scores.las.recall == 5 / 8
    assert (scores.unlabelled_match.correct, scores.unlabelled_match.gold) == (2, 3)
    assert (scores.labelled_match.correct, scores.labelled_match.gold) == (1, 3)
    assert scores.clas is not None
    # Content words of gold: dog, slept, $, 5, …; of the system the same. Right: slept, 5, ….
    assert (scores.clas.correct, scores.clas.gold, scores.clas.system) == (3, 5, 5)


def test_conllx_leaves_out_punctuation_but_not_symbols() -> None:
    scores = evaluate(GOLD, SYSTEM, "conllx")
    # Left out: ".", "!?" and "…"; "$" is a symbol and counts.
    assert (scores.uas.correct, scores.uas.gold) == (5, 5)
    assert scores.las.correct == 3
    # The third sentence has nothing to get right, so it is no sentence to match.
    assert (scores.unlabelled_match.correct, scores.unlabelled_match.gold) == (2, 2)
    assert (scores.labelled_match.correct, scores.labelled_match.gold) == (0, 2)
    assert scores.clas is not None
    assert (scores.clas.correct, scores.clas.gold) == (2, 4)


def test_ud_ignores_subtypes() -> None:
    scores = evaluate(GOLD, SYSTEM, "ud")
    assert isinstance(scores, UniversalScores)
    assert (scores.uas.correct, scores.las.correct, scores.label_accuracy.correct) == (7, 6, 7)
    assert (scores.unlabelled_match.correct, scores.labelled_match.correct) == (2, 1)
    assert scores.clas is not None
    assert (scores.clas.correct, scores.clas.gold) == (4, 5)


def test_clas_counts_content_words_of_each_file() -> None:
    gold = trees("a/2/case b/0/root c/2/obl")
    system = trees("a/2/obl b/0/root c/2/obl")
    clas = evaluate(gold, system, "all").clas
    assert clas is not None
    assert (clas.correct, clas.gold, clas.system) == (2, 2, 3)
    assert clas.f1 == 4 / 5


def test_clas_needs_universal_relations() -> None:
    gold = trees("a/2/SBJ b/0/root")
    assert evaluate(gold, gold, "all").clas is None
    assert evaluate(gold, gold, "conllx").clas is None
    official = evaluate(gold, gold, "ud").clas
    assert official is not None
    assert official.gold == 1


def test_scores_carry_their_protocol() -> None:
    for protocol in ("ud", "conllx", "all"):
        assert evaluate(GOLD, SYSTEM, protocol).protocol.name == protocol


@pytest.mark.parametrize("form", [".", "...", "«", "—", "_", "(", "%", "&", "@", "#", "、", "؟", "''"])
def test_punctuation(form: str) -> None:
    assert is_punctuation(form)


@pytest.mark.parametrize(
    "form", ["", "$", "+", "<", "=", ">", "^", "`", "``", "|", "~", "a.", "°", "€", ".1"]
)
def test_not_punctuation(form: str) -> None:
    assert not is_punctuation(form)


@pytest.mark.parametrize("form", ["§", "¶"])
def test_what_was_a_symbol_once(form: str) -> None:
    """The documented difference from a scorer run with an old Unicode."""
    assert unicodedata.ucd_3_2_0.category(form) == "So"
    assert is_punctuation(form)


def test_different_words_are_an_error_that_names_the_first() -> None:
    other = trees("The/2/det cat/3/nsubj slept/0/root ./2/punct", "$/2/dep 5/0/root !?/2/punct", "…/0/root")
    with pytest.raises(
        EvaluationError, match="sentence 1 has 'dog' as word 2, but system, sentence 1 has 'cat'"
    ):
        evaluate(GOLD, other, "all")


def test_missing_words_are_an_error() -> None:
    with pytest.raises(EvaluationError, match=r"sentence 2 has '!\?' as word 3, but .* has nothing"):
        evaluate(GOLD, [SYSTEM[0], *trees("$/2/dep 5/0/root"), SYSTEM[2]], "conllx")


def test_missing_sentences_are_an_error() -> None:
    with pytest.raises(EvaluationError, match="system ends after 2 sentences, gold has 3"):
        evaluate(GOLD, SYSTEM[:2], "all")


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(EvaluationError, match="gold has no sentences"):
        evaluate([], [], "all")


def test_ptb_leaves_words_out_by_their_gold_tags() -> None:
    def tagged(tags: list[str], heads: list[int]) -> Sentence:
        return Sentence.from_words(["a", ",", "b", "."], xpos=tags, heads=heads, labels=["x"] * 4)

    gold = tagged(["NN", ",", "VB", "NN"], [3, 3, 0, 3])  # the full stop is tagged as a noun, and counts
    system = tagged([",", "NN", "VB", "."], [3, 1, 0, 1])  # what the system tags does not matter
    scores = evaluate([gold], [system], "ptb")
    assert (scores.uas.correct, scores.uas.gold, scores.uas.system) == (2, 3, 3)
    assert evaluate([gold], [system], "conllx").uas.gold == 2


@pytest.mark.parametrize("protocol", ["ud", "conllx", "ptb", "all"])
def test_a_missing_head_is_an_error(protocol: str) -> None:
    with pytest.raises(EvaluationError, match=r"system, sentence 1, word 2 \('b'\) has no head"):
        evaluate(trees("a/0/root b/1/obj"), trees("a/0/root b/_/obj"), protocol)


def test_a_head_outside_the_sentence_is_an_error() -> None:
    with pytest.raises(EvaluationError, match="has head 3, outside its sentence"):
        evaluate(trees("a/0/root b/1/obj"), trees("a/0/root b/3/obj"), "all")


def test_ud_wants_trees() -> None:
    gold = trees("a/0/root b/1/obj c/2/obj")
    with pytest.raises(EvaluationError, match="cycle"):
        evaluate(gold, trees("a/0/root b/3/obj c/2/obj"))
    with pytest.raises(EvaluationError, match="2 roots"):
        evaluate(gold, trees("a/0/root b/0/root c/2/obj"))
    assert evaluate(gold, trees("a/0/root b/0/root c/2/obj"), multiple_roots=True).uas.correct == 2


def test_other_protocols_need_no_tree() -> None:
    gold = trees("a/0/root b/1/obj c/2/obj")
    assert evaluate(gold, trees("a/0/root b/3/obj c/2/obj"), "all").uas.correct == 2


@given(st.lists(st.integers(1, 40), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_long_chains_are_no_cycles_and_cycles_are_found(lengths: list[int], random) -> None:
    def chain(length: int, last: int) -> str:
        return " ".join(["w/0/root", *(f"w/{head}/dep" for head in range(1, length)), f"w/{last}/dep"])

    good = trees(*(chain(length, length) for length in lengths))
    assert evaluate(good, good).uas.f1 == 1.0
    broken = random.randrange(len(lengths))
    bad: list[Sentence] = [
        *good[:broken],
        *trees(chain(lengths[broken], lengths[broken] + 1)),  # the last word is its own head
        *good[broken + 1 :],
    ]
    with pytest.raises(EvaluationError, match=f"sentence {broken + 1},.* cycle"):
        evaluate(good, bad)


def test_empty_nodes_and_comments_are_no_words() -> None:
    words = conllu("a/0/root b/1/obj").splitlines(keepends=True)
    empty_node = "1.1\tx" + 8 * "\t_" + "\n"
    gold = "".join(["# text = a b\n", words[0], empty_node, *words[1:]])
    assert evaluate(sentences(gold), trees("a/0/root b/1/obj"), "all").las.f1 == 1.0
