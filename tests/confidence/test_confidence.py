"""Probabilities of arcs, labels and trees: against the tree library, and what must hold of any of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from headwise import Parser
from headwise.base.errors import HeadwiseError
from headwise.components.confidence import fit_calibration
from headwise.components.confidence.logistic import fit_logistic
from headwise.components.scoring.calibration import Calibration
from headwise.treebank import Sentence
from headwise.trees import Distribution, Parts, ProjectiveTrees, SpanningTrees
from toy_language import SMALL, toy_treebank

TEMPERATURE = 0.3
HIGHER_ORDER = {**SMALL, "preset": "third", "pruning__bits": 14}


def at_temperature(parser: Parser, temperature: float = TEMPERATURE, background: float = 0.0) -> Parser:
    calibration = Calibration(temperature, 0.2, background, fitted_on="test", words=1)
    return Parser(replace(parser.config, calibration=calibration), parser.weights)


@pytest.fixture(scope="module", params=["first", "nonprojective", "third", "second", "joint"])
def exact_parser(request: pytest.FixtureRequest, train_sentences: list[Sentence]) -> Parser:
    options = {
        "first": SMALL,
        "nonprojective": {**SMALL, "trees": "nonprojective"},
        "third": HIGHER_ORDER,
        "second": {**HIGHER_ORDER, "preset": "second"},
        "joint": {**SMALL, "labels": "joint"},
    }[request.param]
    return at_temperature(Parser.train(train_sentences[:40], **options))


@pytest.fixture(scope="module")
def estimating_parser(train_sentences: list[Sentence]) -> Parser:
    return at_temperature(Parser.train(train_sentences[:40], **{**HIGHER_ORDER, "trees": "nonprojective"}))


def distribution_at(parser: Parser, sentence: Sentence, temperature: float) -> Distribution:
    """The parser's distribution with all scores divided, by way of the public tree library."""
    bare = parser.distribution(sentence)
    arcs = parser.arc_scores(sentence) / temperature
    if isinstance(bare, SpanningTrees):
        return SpanningTrees(arcs, single_root=parser.config.single_root)
    tables = {}
    if hasattr(parser.native, "part_scores"):
        tables = {
            name: Parts(words.reshape(len(scores), -1), scores / temperature)
            for name, (words, scores) in parser.native.part_scores(sentence).items()
        }
    return ProjectiveTrees(
        arcs, single_root=parser.config.single_root, factorization=parser.config.factorization, **tables
    )


def test_confidence_is_the_marginal_of_the_tree_library(
    exact_parser: Parser, test_sentences: list[Sentence]
) -> None:
    sentences = test_sentences[:8]
    for parse in exact_parser.pipe(sentences, confidence=True):
        expected = distribution_at(exact_parser, parse.sentence, TEMPERATURE)
        marginals = expected.marginals().arcs
        words = np.arange(1, len(parse) + 1)
        np.testing.assert_allclose(parse.confidence, marginals[parse.heads, words], atol=1e-9)
        assert parse.log_prob == pytest.approx(expected.log_prob(parse.heads), abs=1e-8)
        entropy = -np.sum(marginals * np.log(np.where(marginals > 0, marginals, 1)), axis=0)[1:]
        np.testing.assert_allclose(parse.entropy, entropy, atol=1e-8)
        np.testing.assert_allclose(exact_parser.arc_probabilities(parse.sentence), marginals, atol=1e-9)


def test_confidence_leaves_the_parse_as_it_is(exact_parser: Parser, test_sentences: list[Sentence]) -> None:
    for plain, judged in zip(
        exact_parser.pipe(test_sentences), exact_parser.pipe(test_sentences, confidence=True), strict=True
    ):
        assert plain.heads.tolist() == judged.heads.tolist()
        assert plain.labels == judged.labels
        assert plain.score == judged.score
        assert plain.confidence is None


def test_threads_and_batches_do_not_change_a_byte(
    exact_parser: Parser, test_sentences: list[Sentence]
) -> None:
    one = list(exact_parser.pipe(test_sentences, confidence=True))
    three = list(exact_parser.pipe(test_sentences, confidence=True, threads=3, batch_size=7))
    for a, b in zip(one, three, strict=True):
        for name in ("confidence", "label_confidence", "entropy"):
            assert getattr(a, name).tobytes() == getattr(b, name).tobytes()
        assert a.log_prob == b.log_prob


def test_judging_the_parse_gives_its_own_confidence(
    exact_parser: Parser, test_sentences: list[Sentence]
) -> None:
    parses = list(exact_parser.pipe(test_sentences[:10], confidence=True))
    judged = list(exact_parser.judge([parse.to_sentence() for parse in parses]))
    for a, b in zip(parses, judged, strict=True):
        np.testing.assert_allclose(a.confidence, b.confidence)
        np.testing.assert_allclose(a.label_confidence, b.label_confidence)
        assert a.log_prob == pytest.approx(b.log_prob)
        assert a.score == pytest.approx(b.score)


def test_an_unknown_label_and_a_foreign_tree_have_no_probability(parser: Parser) -> None:
    words = {"upos": ["DET", "NOUN", "VERB", "PUNCT"]}
    forms = ["the", "dog", "sees", "."]
    strange = Sentence.from_words(forms, **words, heads=[2, 3, 0, 3], labels=["det", "nsubj", "root", "new"])
    (judged,) = at_temperature(parser).judge([strange])
    assert judged.label_confidence is not None
    assert judged.label_confidence[3] == 0.0
    assert judged.labels[3] == "new"
    mixed = Calibration(TEMPERATURE, 0.2, label_background=0.1, fitted_on="test", words=1)
    (judged,) = parser.with_calibration(mixed).judge([strange])
    assert judged.label_confidence is not None
    assert judged.label_confidence[3] == pytest.approx(0.1 / (len(parser.config.labels) + 1))
    assert judged.log_prob is not None
    assert math.isfinite(judged.log_prob)
    two_roots = Sentence.from_words(
        forms, **words, heads=[2, 0, 0, 3], labels=["det", "root", "root", "punct"]
    )
    (judged,) = at_temperature(parser).judge([two_roots])
    assert judged.confidence is not None
    assert judged.confidence.min() >= 0


def test_heads_of_a_word_sum_to_one_with_a_background(
    exact_parser: Parser, estimating_parser: Parser, test_sentences: list[Sentence]
) -> None:
    for parser in (exact_parser, estimating_parser):
        table = at_temperature(parser, background=0.2).arc_probabilities(test_sentences[0])
        np.testing.assert_allclose(table[:, 1:].sum(axis=0), 1.0)
        assert (np.diag(table) == 0).all()
        others = table[:, 1:][~np.eye(len(table), dtype=bool)[:, 1:]]
        assert (others > 0).all()


def test_the_estimate_prefers_the_tree_found(
    estimating_parser: Parser, test_sentences: list[Sentence]
) -> None:
    assert not estimating_parser.is_exact
    for parse in estimating_parser.pipe(test_sentences[:10], confidence=True):
        best = estimating_parser.k_best(parse.sentence, 3)
        assert best[0].heads.tolist() == parse.heads.tolist()
        assert best[0].log_prob == pytest.approx(parse.log_prob)
        assert parse.confidence is not None
        assert ((parse.confidence > 0) & (parse.confidence <= 1)).all()
        # The expansion scores a single move exactly.
        scores = estimating_parser.native.expansion(parse.sentence).reshape(len(parse) + 1, -1)  # type: ignore[union-attr]
        words = np.arange(1, len(parse) + 1)
        assert (scores[parse.heads, words] == 0).all()


def test_k_best_is_in_order_and_adds_up(exact_parser: Parser) -> None:
    sentence = Sentence.from_words(["the", "dog", "sees"], upos=["DET", "NOUN", "VERB"])
    trees = exact_parser.k_best(sentence, 1000)
    log_probs = [tree.log_prob for tree in trees if tree.log_prob is not None]
    assert [tree.rank for tree in trees] == list(range(1, len(trees) + 1))
    assert log_probs == sorted(log_probs, reverse=True)
    assert len({tuple(tree.heads.tolist()) for tree in trees}) == len(trees)
    assert sum(map(math.exp, log_probs)) == pytest.approx(1.0)
    assert trees[0].heads.tolist() == exact_parser(sentence).heads.tolist()


def test_ranking_many_sentences_is_ranking_each(
    estimating_parser: Parser, exact_parser: Parser, test_sentences: list[Sentence]
) -> None:
    for parser in (estimating_parser, exact_parser):
        for threads, batch_size in ((1, 2), (3, 4)):
            ranked = parser.pipe_k_best(test_sentences[:7], 4, threads=threads, batch_size=batch_size)
            for sentence, trees in zip(test_sentences[:7], ranked, strict=True):
                alone = parser.k_best(sentence, 4)
                assert [t.heads.tolist() for t in trees] == [t.heads.tolist() for t in alone]
                assert [t.log_prob for t in trees] == [t.log_prob for t in alone]
                assert [t.labels for t in trees] == [t.labels for t in alone]


def test_label_probabilities_are_a_softmax(exact_parser: Parser, test_sentences: list[Sentence]) -> None:
    """Over all labels a word's probabilities sum to one; the parser's own choice is the largest."""
    parse = next(exact_parser.pipe([test_sentences[3]], confidence=True))
    totals = np.zeros(len(parse))
    for label in exact_parser.config.labels:
        relabelled = parse.sentence.with_tree(parse.heads, [label] * len(parse))
        (judged,) = exact_parser.judge([relabelled])
        assert judged.label_confidence is not None
        assert parse.label_confidence is not None
        assert (judged.label_confidence <= parse.label_confidence + 1e-12).all()
        totals += judged.label_confidence
    np.testing.assert_allclose(totals, 1.0)


def test_fitting_finds_the_temperature_that_was_hidden(test_sentences: list[Sentence]) -> None:
    """Scores scaled by ten need ten times the temperature, and give the same probabilities."""
    sentences = toy_treebank(80, seed=5)
    noisy = [s.with_tree(_with_noise(s, seed)) for seed, s in enumerate(sentences)]
    parser = Parser.train(noisy[:60], **SMALL)
    hotter = Parser(parser.config, {name: 10 * np.asarray(table) for name, table in parser.weights.items()})
    fits = [fit_calibration(p, noisy[60:], fitted_on="dev") for p in (parser, hotter)]
    assert fits[0] is not None
    assert fits[1] is not None
    assert fits[1].temperature == pytest.approx(10 * fits[0].temperature, rel=0.15)
    assert fits[0].fitted_on == "dev"
    assert fits[0].words == sum(map(len, noisy[60:]))


def _with_noise(sentence: Sentence, seed: int) -> list[int]:
    """Sometimes a determiner hangs from the verb: no parser can know when."""
    heads = sentence.heads.tolist()
    verb = heads.index(0) + 1
    if seed % 3 == 0:
        heads[0] = verb
    return heads


def test_too_few_words_are_not_fitted_on(parser: Parser, test_sentences: list[Sentence]) -> None:
    assert fit_calibration(parser, test_sentences[:2], fitted_on="dev") is None
    with pytest.raises(HeadwiseError, match="at least"):
        parser.calibrated(test_sentences[:2])


def test_logistic_regression_against_scipy() -> None:
    rng = np.random.default_rng(1)
    variables = np.concatenate([np.ones((500, 1)), rng.normal(size=(500, 2))], axis=1)
    truth = rng.random(500) < 1 / (1 + np.exp(-variables @ np.array([0.3, 2.0, -1.0])))
    prior = np.array([0.0, 1.0, 0.0])

    def objective(w: np.ndarray) -> float:
        signs = np.where(truth, 1, -1)
        return float(np.logaddexp(0, -signs * (variables @ w)).sum() + ((w - prior) ** 2).sum())

    expected = minimize(objective, prior, tol=1e-10).x
    np.testing.assert_allclose(fit_logistic(variables, truth, prior=prior, strength=2.0), expected, atol=1e-4)


def test_logistic_regression_stays_finite_where_everything_is_right() -> None:
    variables = np.stack([np.ones(50), np.linspace(1, 5, 50)], axis=1)
    weights = fit_logistic(variables, np.ones(50, bool), prior=np.array([0.0, 1.0]), strength=10.0)
    assert (abs(weights) < 3).all()


def test_the_adjustment_moves_the_chosen_head_and_scales_the_others(test_sentences: list[Sentence]) -> None:
    parser = at_temperature(Parser.train(toy_treebank(40, 1), **SMALL), background=0.1)
    adjusted = parser.with_calibration(
        replace(parser.config.calibration, intercept=-0.5, slope=0.9, context=-1.0, context_slope=-0.3)
    )
    sentence = test_sentences[0]
    before, after = (p.arc_probabilities(sentence) for p in (parser, adjusted))
    heads, n = parser(sentence).heads, len(sentence)
    entropy = -np.sum(np.where(before > 0, before * np.log(np.where(before > 0, before, 1)), 0), axis=0)[1:]
    np.testing.assert_allclose(after[:, 1:].sum(axis=0), 1.0)
    for m in range(1, n + 1):
        p, u = before[heads[m - 1], m], (entropy.sum() - entropy[m - 1]) / (n - 1)
        odds = -0.5 + 0.9 * np.log(p / (1 - p)) + (-1.0 - 0.3 * np.log(p / (1 - p))) * u
        assert after[heads[m - 1], m] == pytest.approx(1 / (1 + np.exp(-odds)))
        rest = np.arange(n + 1) != heads[m - 1]
        np.testing.assert_allclose(
            after[rest, m] / (1 - after[heads[m - 1], m]), before[rest, m] / (1 - p), atol=1e-12
        )
    (judged,) = adjusted.pipe([sentence], confidence=True)
    np.testing.assert_allclose(judged.confidence, after[heads, np.arange(1, n + 1)])
