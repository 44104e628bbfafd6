"""Probabilities of a parser trained without a development set: what is held out, and who judges it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from headwise import Parser
from headwise.components.confidence import fit_calibration
from headwise.components.confidence.fitting import fit_jointly
from headwise.learning import Listener
from headwise.training import TrainingSettings
from headwise.training.calibrating import (
    BLOCKS,
    FOLDS,
    cross_fitted,
    folds,
    is_quick,
    judge_settings,
    relative_scale,
    split,
    trained_judges,
)
from headwise.training.examples import TreeKind
from headwise.treebank import Sentence
from toy_language import SMALL, toy_treebank

NONPROJECTIVE = TreeKind(projective=False, single_root=True, crossing_share=0.1, multi_root_share=0.0)


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    return toy_treebank(300, 1)


@pytest.fixture(scope="module")
def small_parser(sentences: list[Sentence]) -> Parser:
    return Parser.train(sentences[:60], **SMALL, calibrate=False)


def scaled(parser: Parser, factor: float) -> Parser:
    return Parser(parser.config, {name: factor * np.asarray(table) for name, table in parser.weights.items()})


def runs(sentences: list[Sentence], part: list[Sentence]) -> list[int]:
    """How many sentences of the part stand next to each other, run after run."""
    numbers = {id(sentence): i for i, sentence in enumerate(sentences)}
    places = [numbers[id(sentence)] for sentence in part]
    starts = [i for i, place in enumerate(places) if i == 0 or place != places[i - 1] + 1]
    return np.diff([*starts, len(places)]).tolist()


def test_a_tenth_is_held_out_in_long_blocks(sentences: list[Sentence]) -> None:
    held_out, rest = split(sentences)
    assert runs(sentences, held_out) == [len(sentences) // 40] * BLOCKS
    assert len(runs(sentences, rest)) == BLOCKS + 1
    assert {*map(id, held_out)} | {*map(id, rest)} == {*map(id, sentences)}
    assert len(held_out) + len(rest) == len(sentences)


@pytest.mark.parametrize("count", [4, 45, 300])
def test_every_sentence_is_judged_once_by_a_parser_that_has_not_seen_it(
    sentences: list[Sentence], count: int
) -> None:
    some = sentences[:count]
    parts = folds(some)
    assert len(parts) == FOLDS
    assert [id(s) for held_out, _ in parts for s in held_out] == [id(s) for s in some]
    for held_out, rest in parts:
        assert runs(some, held_out) == [len(held_out)]
        assert not {*map(id, held_out)} & {*map(id, rest)}
        assert len(held_out) + len(rest) == count


def test_judges_are_trained_for_few_epochs_and_search_the_same_trees() -> None:
    settings = judge_settings(TrainingSettings(epochs=10), NONPROJECTIVE)
    assert (settings.epochs, settings.trees, settings.root) == (3, "nonprojective", "single")
    assert not settings.calibrate
    assert judge_settings(TrainingSettings(epochs=1), NONPROJECTIVE).epochs == 1


def test_where_few_epochs_save_nothing_there_is_one_judge_of_all_epochs() -> None:
    batch = TrainingSettings(factorization="arc", learner="log-linear", optimizer="l-bfgs", epochs=20)
    assert not is_quick(batch)
    assert not is_quick(TrainingSettings.preset("full"))
    assert judge_settings(batch, NONPROJECTIVE).epochs == 20


def test_the_scale_of_scores_is_found(small_parser: Parser, sentences: list[Sentence]) -> None:
    assert relative_scale(small_parser, small_parser, sentences[:60]) == 1.0
    assert relative_scale(scaled(small_parser, 3.0), small_parser, sentences[:60]) == pytest.approx(3.0)


def test_the_scale_is_measured_where_both_parsers_consider_an_arc(sentences: list[Sentence]) -> None:
    options = {**SMALL, "preset": "third", "pruning__bits": 14, "calibrate": False}
    one = Parser.train(sentences[:40], **options)
    other = Parser.train(sentences[40:80], **options)
    assert relative_scale(one, other, sentences[:80]) == pytest.approx(
        1 / relative_scale(other, one, sentences[:80])
    )


def test_a_joint_fit_of_one_parser_in_two_parts_is_its_fit(
    small_parser: Parser, sentences: list[Sentence]
) -> None:
    held_out = sentences[60:120]
    whole = fit_calibration(small_parser, held_out, fitted_on="dev")
    parts = fit_jointly([(small_parser, held_out[:20]), (small_parser, held_out[20:])], fitted_on="dev")
    assert whole is not None
    assert parts is not None
    assert parts.words == whole.words
    for name in ("temperature", "background", "slope", "context", "label_temperature", "label_background"):
        assert getattr(parts, name) == pytest.approx(getattr(whole, name))


def test_a_parser_of_larger_scores_gets_a_higher_temperature(
    small_parser: Parser, sentences: list[Sentence]
) -> None:
    """By the root of the factor: the other half is taken for certainty that it has earned."""
    settings = judge_settings(TrainingSettings.preset("first", epochs=3), NONPROJECTIVE)

    def same_judge(part: list[Sentence], settings: TrainingSettings) -> Parser:
        return small_parser

    judges = trained_judges(sentences[60:120], settings, same_judge, Listener())
    fits = [cross_fitted(parser, judges, threads=1) for parser in (small_parser, scaled(small_parser, 4.0))]
    assert fits[0] is not None
    assert fits[1] == replace(fits[0], temperature=pytest.approx(2 * fits[0].temperature))  # type: ignore[arg-type]


def test_an_interrupted_judge_ends_the_fit(small_parser: Parser, sentences: list[Sentence]) -> None:
    settings = judge_settings(TrainingSettings.preset("first", epochs=3), NONPROJECTIVE)
    calls = 0

    def interrupted(part: list[Sentence], settings: TrainingSettings) -> Parser:
        nonlocal calls
        calls += 1
        training = {**small_parser.config.training, "interrupted": True}
        return Parser(replace(small_parser.config, training=training), small_parser.weights)

    judges = trained_judges(sentences[60:120], settings, interrupted, Listener())
    assert calls == 1
    assert cross_fitted(small_parser, judges, threads=1) is None


def test_training_without_a_development_set_fits_on_all_sentences_held_out_in_turn(
    sentences: list[Sentence],
) -> None:
    messages: list[str] = []
    parser = Parser.train(sentences, **SMALL, listener=Listener(message=messages.append))
    assert parser.config.calibration.fitted_on == "held-out"
    assert parser.config.calibration.words == sum(map(len, sentences))
    trainings = [line for line in messages if "to fit probabilities on" in line]
    assert len(trainings) == FOLDS
    few = Parser.train(sentences[:8], **SMALL)
    assert not few.config.calibration.is_fitted
