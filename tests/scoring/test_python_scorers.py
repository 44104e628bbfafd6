"""Scorers that are written in Python: their scores are added before trees are searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from headwise import HeadwiseError, Parser
from headwise.components.scoring.other_parser import OtherParser, with_other_parser
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank

Floats = npt.NDArray[np.float64]


def nothing_under_nouns(sentences: Sequence[Sentence]) -> Iterator[Floats]:
    for sentence in sentences:
        size = len(sentence) + 1
        scores = np.zeros((size, size))
        scores[[tag == "NOUN" for tag in ["ROOT", *sentence.upos]]] = -np.inf
        yield scores


@pytest.fixture(scope="module", params=["first", "second", "third"])
def some_parser(request: pytest.FixtureRequest, train_sentences: list[Sentence]) -> Parser:
    settings = {**SMALL, "preset": request.param, "pruning__bits": 12}
    return Parser.train([*train_sentences, *map(with_other_objects, train_sentences[::3])], **settings)


def with_other_objects(sentence: Sentence) -> Sentence:
    """Objects are a matter of opinion."""
    labels = ["iobj" if label == "obj" else label for label in sentence.labels]
    return sentence.with_tree(sentence.heads, labels)


def test_an_arc_that_scores_minus_infinity_is_forbidden(
    some_parser: Parser, test_sentences: list[Sentence]
) -> None:
    before = [(p.sentence.upos[h - 1], h) for p in some_parser.pipe(test_sentences) for h in p.heads if h > 0]
    assert any(tag == "NOUN" for tag, _ in before)
    parser = some_parser.with_scorers(nothing_under_nouns)
    for parse in parser.pipe(test_sentences, confidence=True):
        assert all(h == 0 or parse.sentence.upos[h - 1] != "NOUN" for h in parse.heads)
        probabilities = parser.arc_probabilities(parse.sentence)
        nouns = [m for m, tag in enumerate(parse.sentence.upos, 1) if tag == "NOUN"]
        assert probabilities[nouns].max() == 0.0


def test_scores_are_added_to_those_of_the_model(some_parser: Parser, test_sentences: list[Sentence]) -> None:
    rng = np.random.default_rng(1)
    own = {len(s): rng.normal(size=(len(s) + 1,) * 2) for s in test_sentences}
    parser = some_parser.with_scorers(lambda batch: [own[len(s)] for s in batch])
    for sentence in test_sentences[:10]:
        before, after = some_parser.arc_scores(sentence), parser.arc_scores(sentence)
        both = np.isfinite(before) & np.isfinite(after)
        assert both.sum() >= len(sentence)
        np.testing.assert_allclose(after[both] - before[both], own[len(sentence)][both], atol=1e-9)
        heads = parser(sentence).heads
        assert parser(sentence).score == pytest.approx(parser.distribution(sentence).argmax().score, abs=1e-6)
        assert heads.tolist() == parser.distribution(sentence).argmax().tree.heads.tolist()


def test_a_strong_score_survives_pruning(some_parser: Parser, test_sentences: list[Sentence]) -> None:
    def chain(batch: Sequence[Sentence]) -> Iterator[Floats]:
        for sentence in batch:
            yield 100.0 * np.eye(len(sentence) + 1, k=1)

    for parse in some_parser.with_scorers(chain).pipe(test_sentences[:10]):
        assert parse.heads.tolist() == list(range(len(parse)))


def test_labels_are_scored_too(some_parser: Parser, test_sentences: list[Sentence]) -> None:
    labels = some_parser.config.labels
    wanted = labels.index("iobj")

    def everything_is_iobj(batch: Sequence[Sentence]) -> Iterator[tuple[None, Floats]]:
        for sentence in batch:
            scores = np.zeros((len(sentence) + 1, len(sentence) + 1, len(labels)))
            scores[..., wanted] = 100.0
            yield None, scores

    parser = some_parser.with_scorers(everything_is_iobj)
    changed = 0
    for plain, parse in zip(some_parser.pipe(test_sentences), parser.pipe(test_sentences), strict=True):
        assert parse.heads.tolist() == plain.heads.tolist()
        for before, after in zip(plain.labels, parse.labels, strict=True):
            assert after in (before, "iobj")  # a label that was never seen on such an arc is no candidate
            changed += before != after
    assert changed > 0


def test_the_same_with_any_threads_and_batches(some_parser: Parser, test_sentences: list[Sentence]) -> None:
    parser = some_parser.with_scorers(nothing_under_nouns)
    one = [p.to_conllu() for p in parser.pipe(test_sentences)]
    assert one == [p.to_conllu() for p in parser.pipe(test_sentences, threads=2, batch_size=3)]
    assert [p.to_conllu() for p in some_parser.pipe(test_sentences)] != one  # nor did it change the parser


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda n: np.zeros((n, n)), "shape"),
        (lambda n: np.full((n + 1, n + 1), np.nan), "not numbers"),
        (lambda n: np.full((n + 1, n + 1), np.inf), "infinite"),
        (lambda n: (None, np.zeros((n + 1, n + 1, 1))), "shape"),
        (lambda n: (None, None, None), "must return"),
    ],
)
def test_wrong_answers_are_named(
    parser: Parser, test_sentences: list[Sentence], answer: Any, message: str
) -> None:
    def odd(batch: Sequence[Sentence]) -> list[Any]:
        return [answer(len(sentence)) for sentence in batch]

    with pytest.raises(HeadwiseError, match=message) as raised:
        list(parser.with_scorers(odd).pipe(test_sentences))
    assert "odd" in str(raised.value)
    with pytest.raises(HeadwiseError, match="0 answers for 40 sentences"):
        list(parser.with_scorers(lambda batch: []).pipe(test_sentences))


def test_scorers_that_forbid_everything_name_the_words(
    parser: Parser, test_sentences: list[Sentence]
) -> None:
    def nothing(batch: Sequence[Sentence]) -> list[Floats]:
        return [np.full((len(s) + 1,) * 2, -np.inf) for s in batch]

    with pytest.raises(HeadwiseError, match=r"word \d+ .* has a head"):
        list(parser.with_scorers(nothing).pipe(test_sentences))


def test_labels_in_the_search_take_no_scores_of_labels(train_sentences: list[Sentence]) -> None:
    joint = Parser.train(train_sentences, **SMALL, labels="joint")

    def labels(batch: Sequence[Sentence]) -> Iterator[tuple[None, Floats]]:
        for s in batch:
            yield None, np.zeros((len(s) + 1, len(s) + 1, len(joint.config.labels)))

    with pytest.raises(HeadwiseError, match="over the finished tree"):
        list(joint.with_scorers(labels).pipe(train_sentences[:1]))


def test_another_parser_is_a_scorer(some_parser: Parser, test_sentences: list[Sentence]) -> None:
    chained = [
        s.with_tree([*range(len(s) - 1, -1, -1)][::-1], ["root"] + ["x"] * (len(s) - 1))
        for s in test_sentences
    ]
    chains = Parser.train(chained, **SMALL, labels="none")
    for parse in chains.pipe(test_sentences[:5]):
        assert parse.heads.tolist() == list(range(len(parse)))
    heard = some_parser.with_scorers(OtherParser(chains, weight=100.0))
    ignored = some_parser.with_scorers(OtherParser(chains, weight=0.0))
    for parse, plain in zip(ignored.pipe(test_sentences), some_parser.pipe(test_sentences), strict=True):
        assert parse.heads.tolist() == plain.heads.tolist()
    for parse in heard.pipe(test_sentences[:5]):
        assert parse.heads.tolist() == list(range(len(parse)))


def test_probabilities_are_not_fitted_without_what_the_scorers_say(
    some_parser: Parser, test_sentences: list[Sentence]
) -> None:
    with pytest.raises(HeadwiseError, match="cannot be fitted"):
        some_parser.with_scorers(nothing_under_nouns).calibrated(test_sentences)


def test_the_weight_of_another_parser_is_that_of_the_development_set() -> None:
    """A parser of few sentences hears one of many, and not the other way round."""
    options = {
        "preset": "first",
        "labels": "none",
        "calibrate": False,
        "arc_bits": 14,
        "label_bits": 14,
        "learner": "log-linear",
    }
    dev = toy_treebank(30, seed=5)
    few = Parser.train(toy_treebank(2, seed=1), epochs=1, **options)
    many = Parser.train(toy_treebank(60, seed=1), epochs=3, **options)

    def right(parser: Parser) -> int:
        return sum(int(np.count_nonzero(p.heads == p.sentence.heads)) for p in parser.pipe(dev))

    heard, weight = with_other_parser(few, many, dev, weights=(0.5, 2.0))
    assert weight in (0.5, 2.0)
    assert right(heard) == max(right(few.with_scorers(OtherParser(many, w))) for w in (0.5, 2.0)) > right(few)
    alone, none = with_other_parser(many, few, dev, weights=(100.0,))
    assert none == 0.0
    assert alone is many
