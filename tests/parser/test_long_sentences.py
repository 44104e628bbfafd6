"""Sentences of over a thousand words are parsed a stretch at a time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headwise import Parser
from headwise.base.errors import HeadwiseError
from headwise.training import TrainingSettings, train_parser
from headwise.treebank import Sentence, check_tree

TAGS = ["NOUN", "VERB", "DET", "ADJ", "PUNCT"]


def long_sentence(words: int) -> Sentence:
    tags = [TAGS[i % 5] for i in range(words)]
    return Sentence.from_words(["." if t == "PUNCT" else f"w{i % 50}" for i, t in enumerate(tags)], upos=tags)


@pytest.mark.parametrize(
    ("preset", "labels"), [("first", "separate"), ("first", "joint"), ("second", "separate")]
)
def test_one_tree_over_all_stretches(preset: str, labels: str, train_sentences: list[Sentence]) -> None:
    settings = TrainingSettings.preset(preset, labels=labels, epochs=1, calibrate=False, root="single")
    parser = train_parser(train_sentences, None, settings)
    sentence = long_sentence(2301)
    parse = parser(sentence)
    assert parse.limited
    assert not parse.exact
    assert check_tree(parse.heads, single_root=True) == []
    root = int(np.flatnonzero(parse.heads == 0)[0])
    assert [label for k, label in enumerate(parse.labels) if k != root and label == parse.labels[root]] == []

    # Within a stretch the tree is that of the stretch alone; the first ends with the 500th word, a full stop.
    stretch = Sentence.from_words(sentence.forms[:500], upos=sentence.upos[:500])
    assert parse.heads[:500].tolist() == parser(stretch).heads.tolist()


def test_a_thousand_words_are_parsed_whole(parser: Parser) -> None:
    assert parser(long_sentence(1000)).exact


def test_probabilities_have_a_limit_and_say_so(parser: Parser, test_sentences: list[Sentence]) -> None:
    """Everywhere alike: a tree without probabilities, and a comment."""
    short = test_sentences[0]
    first, long, last = parser.pipe([short, long_sentence(2001), short], confidence=True)
    assert long.heads.tolist() == parser(long_sentence(2001)).heads.tolist()
    assert long.confidence is None
    assert long.left_out == ("probabilities",)
    assert "# headwise_limit = long sentence: not all arcs were considered; no probabilities" in str(
        long.to_sentence()
    )
    for parse in (first, last):
        assert parse.confidence is not None
        assert parse.left_out == ()
        assert parse.to_conllu() == parser(short).to_conllu()
    assert [len(row) for row in parser.pipe_k_best([short, long_sentence(2001)], 2)] == [2, 1]


def test_who_wants_probabilities_or_nothing_says_so(parser: Parser) -> None:
    with pytest.raises(ValueError, match="2001 words is too long for probabilities"):
        list(parser.pipe([long_sentence(2001)], confidence=True, too_long="stop"))
    with pytest.raises(HeadwiseError, match="too long for probabilities"):
        list(parser.pipe_k_best([long_sentence(2001)], 2, too_long="stop"))
    with pytest.raises(HeadwiseError, match="too long for probabilities"):
        list(parser.judge([parser(long_sentence(2001)).to_sentence()]))


@pytest.mark.parametrize("preset", ["first", "second"])
def test_the_next_sentence_is_not_limited(preset: str, train_sentences: list[Sentence]) -> None:
    settings = TrainingSettings.preset(preset, epochs=1, calibrate=False)
    parses = list(
        train_parser(train_sentences, None, settings).pipe([long_sentence(1001), *train_sentences[:2]])
    )
    assert [parse.limited for parse in parses] == [True, False, False]
    assert [parse.exact for parse in parses] == [False, True, True]


def test_searches_are_bounded_by_shorter_stretches() -> None:
    """Where arcs cross above first order, a thousand words in one piece would take half a minute."""
    parser = Parser.load(Path(__file__).parents[1] / "fixtures" / "models" / "format-2-full.hw")
    sentence = long_sentence(601)
    parse = parser(sentence)
    assert parse.limited
    assert check_tree(parse.heads, single_root=True) == []
    stretch = Sentence.from_words(sentence.forms[:300], upos=sentence.upos[:300])
    assert parse.heads[:300].tolist() == parser(stretch).heads.tolist()
    assert not parser(stretch).limited
