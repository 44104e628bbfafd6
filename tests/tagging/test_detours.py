"""Detours of a tagger against enumeration of all its sequences."""

from __future__ import annotations

import itertools
import math

import pytest

from headwise.components.tagging import Tagger
from headwise.treebank import Sentence
from toy_tags import SMALL, toy_tagged


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger.train(toy_tagged(30, seed=1), **{**SMALL, "epochs": 1})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    """Words that were never seen have many tags."""
    return [Sentence.from_words(s.forms[1:5]) for s in toy_tagged(8, seed=5)]


def every_sequence(tagger: Tagger, sentence: Sentence) -> dict[tuple[int, ...], float]:
    numbers = {tuple(tag): number for number, tag in enumerate(tagger.config.tags)}
    candidates = [[numbers[tag] for tag in word] for word in tagger.lattice(sentence).tags]
    sequences = list(itertools.product(*candidates))
    scores = tagger.score_labels([sentence] * len(sequences), sequences)
    return dict(zip(sequences, scores, strict=True))


def test_scores_are_those_of_the_k_best(tagger: Tagger, sentences: list[Sentence]) -> None:
    for sentence in sentences:
        scores = sorted(every_sequence(tagger, sentence).values(), reverse=True)
        found = [sequence.score for sequence in tagger.top_k(sentence, 10)]
        assert found == pytest.approx(scores[: len(found)])


@pytest.mark.parametrize("margin", [0.3, 3.0, 100.0])
def test_detours_are_the_best_with_each_tag(margin: float, tagger: Tagger, sentences: list[Sentence]) -> None:
    seen = 0
    for sentence, (best, *others) in zip(
        sentences, tagger.detours(sentences, margin=margin, most=1000), strict=True
    ):
        every = every_sequence(tagger, sentence)
        assert best.score == pytest.approx(max(every.values()))
        wanted = set()
        for word, label in {(w, sequence[w]) for sequence in every for w in range(len(sentence))}:
            through = {s: score for s, score in every.items() if s[word] == label}
            value = max(through.values())
            if best.score - value <= margin and best.numbers[word] != label:
                wanted.add(max(through, key=lambda s: through[s]))
        assert {way.numbers for way in others} == wanted
        assert all(way.score == pytest.approx(every[way.numbers]) for way in others)
        assert [way.score for way in others] == sorted((way.score for way in others), reverse=True)
        seen += len(others)
    assert seen > 0


def test_most_keeps_the_best(tagger: Tagger, sentences: list[Sentence]) -> None:
    for some, many in zip(
        tagger.detours(sentences, margin=100, most=2),
        tagger.detours(sentences, margin=100, most=100, threads=2),
        strict=True,
    ):
        assert some == many[:3]


def test_tags_that_are_not_considered(tagger: Tagger) -> None:
    the = Sentence.from_words(["the"])
    (known,) = tagger.lattice(the).tags
    other = next(i for i, tag in enumerate(tagger.config.tags) if tuple(tag) not in known)
    assert tagger.score_labels([the], [[other]]) == [-math.inf]


def test_with_the_best_labels_a_sentence_is_tagged(tagger: Tagger, sentences: list[Sentence]) -> None:
    ways = tagger.detours(sentences, margin=0, most=0)
    tagged = tagger.with_labels(sentences, [own[0].numbers for own in ways])
    assert [str(s) for s in tagged] == [str(s) for s in tagger.pipe(sentences)]


def test_labels_are_checked(tagger: Tagger) -> None:
    two = Sentence.from_words(["the", "dog"])
    for labels in ([[0]], [[0, -1]], [[0, 10_000]], []):
        with pytest.raises(ValueError, match="labels"):
            tagger.with_labels([two], labels)
