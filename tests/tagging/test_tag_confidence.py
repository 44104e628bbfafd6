"""Probabilities of tags: sums over all sequences, fitted on sentences that a tagger has not learned from."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from headwise.components.tagging import Tagger
from headwise.treebank import Sentence
from headwise.treebank.probabilities import read_numbers
from toy_tags import SMALL, toy_tagged


@pytest.fixture(scope="module")
def unsure() -> Tagger:
    """It has seen little, and makes mistakes."""
    return Tagger.train(toy_tagged(4, seed=3), bits=16, epochs=1)


@pytest.fixture(scope="module")
def others() -> list[Sentence]:
    return toy_tagged(60, seed=9)


def by_enumeration(tagger: Tagger, sentence: Sentence, temperature: float) -> list[float]:
    """How probable the part of speech of each word is, from all sequences of tags one by one."""
    lattice = tagger.lattice(sentence)
    right, total = np.zeros(len(sentence)), 0.0
    for choice in itertools.product(*(range(len(word)) for word in lattice.tags)):
        forbidden = np.full(lattice.size, -np.inf)
        firsts = np.cumsum([0, *(len(word) for word in lattice.tags)])
        forbidden[firsts[:-1] + np.array(choice)] = 0
        weight = np.exp(lattice.best(forbidden)[1] / temperature)
        total += weight
        found = [word[tag][0] for word, tag in zip(lattice.tags, choice, strict=True)]
        right += weight * np.array([a == b for a, b in zip(found, sentence.upos, strict=True)])
    return list(right / total)


@pytest.mark.parametrize("temperature", [0.3, 1.0, 4.0])
def test_probabilities_are_those_of_all_sequences(temperature: float, unsure: Tagger) -> None:
    for sentence in toy_tagged(3, seed=5):
        short = Sentence.from_words(sentence.forms[:4], upos=sentence.upos[:4])
        found = unsure.probabilities_at([short], [2.5, temperature])[1]
        assert found == pytest.approx(by_enumeration(unsure, short, temperature), abs=1e-9)


def test_a_tag_that_is_not_considered_is_improbable_and_not_impossible(
    unsure: Tagger, others: list[Sentence]
) -> None:
    strange = Sentence.from_words(["the", "tree"], upos=["INTJ", "NOUN"])
    assert unsure.probabilities_at([strange], [1.0])[0, 0] == 0
    assert 0 < unsure.calibrated(others).confidence([strange])[0][0] < 0.1


def test_the_fit_makes_what_is_right_more_probable(unsure: Tagger, others: list[Sentence]) -> None:
    fitted = unsure.calibrated(others)
    calibration = fitted.config.calibration
    assert calibration.fitted_on == "dev"
    assert calibration.words == sum(map(len, others))

    def loss(tagger: Tagger) -> float:
        return float(-np.log(np.concatenate(tagger.confidence(others))).mean())

    for temperature in (0.5, 0.8, 1.25, 2.0):
        changed = type(calibration)(calibration.temperature * temperature, calibration.background)
        assert loss(fitted) < loss(fitted.with_calibration(changed))
    tagged = list(fitted.pipe(others))
    assert tagged == list(unsure.pipe(others))  # no tag changes
    right = np.concatenate([np.array(g.upos) == t.upos for g, t in zip(others, tagged, strict=True)])
    mean = np.concatenate(fitted.confidence(tagged)).mean()
    assert 0.5 < right.mean() < 1
    assert mean == pytest.approx(right.mean(), abs=0.05)


def test_scores_of_another_scale_have_another_temperature(unsure: Tagger, others: list[Sentence]) -> None:
    config, tensors = unsure.parts()
    doubled = Tagger(config, {**tensors, "tags.weights": 2 * np.asarray(tensors["tags.weights"])})
    once, twice = (tagger.calibrated(others).config.calibration for tagger in (unsure, doubled))
    assert twice.temperature / once.temperature == pytest.approx(2, rel=0.15)


def test_probabilities_stand_in_misc(unsure: Tagger, others: list[Sentence], tmp_path: Path) -> None:
    fitted = unsure.calibrated(others)
    fitted.save(tmp_path / "tagger.hw")
    fitted = Tagger.load(tmp_path / "tagger.hw")
    tagged = list(fitted.pipe(others))
    noted = fitted.noting_confidence(tagged, threads=3)
    assert noted == fitted.noting_confidence(tagged)
    for sentence, numbers in zip(noted, fitted.confidence(tagged, threads=2), strict=True):
        assert read_numbers(sentence, "TagProb") == pytest.approx(numbers, abs=1e-4)
    assert unsure.noting_confidence(tagged) == tagged  # nothing was fitted
    crossed = [tagged[0].to_conllx()]
    assert fitted.noting_confidence(crossed) == crossed


def test_too_few_words_fit_nothing(unsure: Tagger) -> None:
    assert unsure.calibrated(toy_tagged(3, seed=1)) is unsure
    assert unsure.calibrated([Sentence.from_words(["the", "tree"])] * 100) is unsure  # no tags
    assert unsure.confidence([]) == []


def test_without_universal_tags_those_of_the_treebank_are_judged() -> None:
    def bare(sentences: list[Sentence]) -> list[Sentence]:
        return [Sentence.from_words(s.forms, xpos=s.xpos) for s in sentences]

    tagger = Tagger.train(bare(toy_tagged(60, seed=1)), **SMALL).calibrated(bare(toy_tagged(60, seed=2)))
    assert tagger.config.judged_column == "xpos"
    tagged = list(tagger.pipe(bare(toy_tagged(20, seed=3))))
    assert np.concatenate(tagger.confidence(tagged)).mean() > 0.9
