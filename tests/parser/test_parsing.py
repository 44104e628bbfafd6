"""Parsing: always a tree, always in order, the same for any number of threads."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise import Parse, Parser
from headwise._native import trees
from headwise.treebank import Sentence, check_tree, is_projective
from toy_language import SMALL, toy_treebank


def outputs(parser: Parser, sentences: list[Sentence], **options: int) -> list[str]:
    return [parse.to_conllu() for parse in parser.pipe(sentences, **options)]


def test_threads_and_batches_do_not_change_the_result(parser: Parser) -> None:
    sentences = toy_treebank(50, seed=5)
    expected = outputs(parser, sentences)
    for threads in (1, 2, 5):
        for batch_size in (1, 7, 1000):
            assert outputs(parser, sentences, threads=threads, batch_size=batch_size) == expected


def test_decoding_equals_the_tree_library(parser: Parser, test_sentences: list[Sentence]) -> None:
    for sentence in test_sentences:
        heads, score = trees.decode_projective(parser.arc_scores(sentence), True)
        parse = parser(sentence)
        assert parse.heads.tolist() == heads.tolist()
        assert parse.score == score


@pytest.fixture(scope="module", params=["projective", "nonprojective"])
def untrained_parser(request: pytest.FixtureRequest) -> Parser:
    """Random weights: scores without rhyme or reason."""
    parser = Parser.train(toy_treebank(5, seed=1), trees=request.param, root="single", **SMALL)
    rng = np.random.default_rng(3)
    tables = {name: rng.normal(size=len(w)).astype(np.float32) for name, w in parser.weights.items()}
    return Parser(parser.config, tables)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1), min_size=1, max_size=30))
def test_every_sentence_gets_one_rooted_tree(untrained_parser: Parser, words: list[str]) -> None:
    parse = untrained_parser(words)
    assert check_tree(parse.heads, single_root=True) == []
    if untrained_parser.config.projective:
        assert is_projective(parse.heads)
    roots = [label == "root" for label in parse.labels]
    assert roots == (parse.heads == 0).tolist()


def test_nothing_in_nothing_out(parser: Parser) -> None:
    assert list(parser.pipe([])) == []
    assert list(parser.pipe([], threads=2)) == []


def test_two_thousand_words(parser: Parser) -> None:
    sentence = Sentence.from_words([f"w{i % 50}" for i in range(2000)], upos=["NOUN", "VERB"] * 1000)
    assert check_tree(parser(sentence).heads, single_root=True) == []


def test_only_heads_and_labels_change(parser: Parser) -> None:
    text = (
        "# free comment\n# text = vom Haus\n1-2\tvom\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        "1\tvon\tvon\tADP\t_\t_\t_\t_\t_\t_\n2\tdem\tder\tDET\t_\tCase=Dat\t_\t_\t_\ta=b=c\n"
        "2.1\tghost\t_\t_\t_\t_\t_\t_\t1:x\t_\n3\tHaus\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n"
    )
    from headwise.treebank import read

    (sentence,) = read(text.encode(), format="conllu", validate="columns")
    parsed = parser(sentence).to_conllu()
    for before, after in zip(text.splitlines(), parsed.splitlines(), strict=True):
        old, new = before.split("\t"), after.split("\t")
        assert old[:6] + old[8:] == new[:6] + new[8:]
        if old[0].isdigit():
            assert new[6].isdigit()
            assert new[7] != "_"
        else:
            assert before == after


def test_what_was_read_before_a_failure_comes_out_before_it(parser: Parser) -> None:
    def broken() -> Iterator[Sentence]:
        yield from toy_treebank(7, seed=1)
        raise RuntimeError("lost the connection")

    for threads in (1, 2):
        seen: list[Parse] = []
        with pytest.raises(RuntimeError, match="lost"):
            seen.extend(parser.pipe(broken(), threads=threads, batch_size=3))
        assert len(seen) == 7
    with pytest.raises(ValueError, match="batch_size is 0"):
        list(parser.pipe([], batch_size=0))


def test_a_reader_that_fails_is_heard(parser: Parser) -> None:
    def broken() -> object:
        yield toy_treebank(1, seed=1)[0]
        raise RuntimeError("lost the connection")

    for threads in (1, 2):
        with pytest.raises(RuntimeError, match="lost the connection"):
            list(parser.pipe(broken(), threads=threads, batch_size=1))  # type: ignore[arg-type]


def test_bare_words_are_a_guess_and_it_says_so(parser: Parser, test_sentences: list[Sentence]) -> None:
    with pytest.warns(UserWarning, match="trained with tags"):
        list(parser.pipe([["the", "dog", "sees", "."], ["a", "tree"]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        list(parser.pipe(test_sentences))
        untagged = [Sentence.from_words(s.forms, heads=s.heads, labels=s.labels) for s in test_sentences]
        list(Parser.train(untagged, **SMALL).pipe([["the", "dog"]]))
