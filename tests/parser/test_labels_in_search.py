"""Labels inside the search of larger parts: exact against all labelled trees, one by one."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise import HeadwiseError, Parser
from headwise.components.parser.constraints import Constraints
from headwise.components.scoring.templates import TemplateTable
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from headwise.trees.factorizations import (
    MODIFIERS_OF_LABELS,
    PARTS,
    PROJECTIVE_ONLY,
    RELATIVES_OF_LABELS,
)
from labelled_trees import LabelledTrees
from toy_language import SMALL, toy_treebank

ORDERS = [name for name in PARTS if name != "arc"]
WORDS = ["dog", "the", "sees", "in", "."]
TAGS = ["NOUN", "DET", "VERB", "ADP", "PUNCT"]


def parser_of(factorization: str, **options: Any) -> Parser:
    """Random weights of a model of four labels, hardly any pruning."""
    short = {"nsubj": "arg", "obj": "arg", "amod": "det", "case": "det", "punct": "det"}
    sentences = [s.with_tree(s.heads, [short.get(x, x) for x in s.labels]) for s in toy_treebank(12, seed=1)]
    small = {"labels": "joint", "pruning__bits": 12, "pruning__threshold": 1e-9, "calibrate": False}
    given = {**SMALL, **small, "factorization": factorization, "epochs": 1, **options}
    parser = Parser.train(sentences, **given)
    rng = np.random.default_rng(7)
    tables = {name: rng.normal(size=len(w)).astype(np.float32) for name, w in parser.weights.items()}
    tables["labels"] *= 0.5
    tables["pruner"] *= 0.1
    return Parser(parser.config, tables)


KINDS = [(f, "projective") for f in ORDERS]
KINDS += [(f, "nonprojective") for f in ORDERS if f not in PROJECTIVE_ONLY]


@pytest.fixture(scope="module", params=KINDS)
def parser(request: pytest.FixtureRequest) -> Parser:
    factorization, trees = request.param
    return parser_of(factorization, trees=trees)


@pytest.fixture(scope="module")
def chart_parser() -> Parser:
    return parser_of("carreras", trees="projective")


sentences = st.lists(st.sampled_from(range(len(WORDS))), min_size=1, max_size=4).map(
    lambda chosen: Sentence.from_words([WORDS[i] for i in chosen], upos=[TAGS[i] for i in chosen])
)


@settings(max_examples=12, deadline=None)
@given(sentences)
def test_the_best_labelled_tree_is_found(parser: Parser, sentence: Sentence) -> None:
    score, heads, labels = LabelledTrees(parser, sentence).best()
    parse = parser(sentence)
    assert parse.exact
    assert parse.score == pytest.approx(score, abs=1e-4)
    assert parse.heads.tolist() == list(heads)
    assert parse.labels == [parser.config.labels[label] for label in labels]
    assert parser._native.label_tree(sentence, parse.heads).tolist() == list(labels)


@settings(max_examples=8, deadline=None)
@given(sentences, st.lists(st.integers(-2, 3), min_size=4, max_size=4))
def test_labels_can_be_required(parser: Parser, sentence: Sentence, wanted: list[int]) -> None:
    """Of all labelled trees in which the words have these labels, the best one."""
    parser = Parser(replace(parser.config, label_arcs=[]), parser.weights)  # any label on any arc
    names = parser.config.labels
    trees = LabelledTrees(parser, sentence)
    trees.keep([-1] * len(sentence), wanted[: len(sentence)])
    score, heads, labels = trees.best()
    required = [names[label] if label >= 0 else None for label in wanted[: len(sentence)]]
    parse = parser(sentence, constraints=Constraints(labels=required))
    assert parse.score == pytest.approx(score, abs=1e-4)
    assert parse.heads.tolist() == list(heads)
    assert parse.labels == [names[label] for label in labels]


@pytest.mark.parametrize("factorization", [f for f in ORDERS if f not in MODIFIERS_OF_LABELS])
def test_k_best_trees_with_their_best_labels(factorization: str) -> None:
    parser = parser_of(factorization, trees="projective")
    sentence = Sentence.from_words(WORDS[:4], upos=TAGS[:4])
    trees = LabelledTrees(parser, sentence)
    best = sorted(
        ((float(t.max()), h) for t, h in zip(trees.labellings, trees.heads, strict=True)), reverse=True
    )
    parses = parser.k_best(sentence, 5)
    assert [tuple(parse.heads.tolist()) for parse in parses] == [heads for _, heads in best[:5]]
    assert parses[0].labels == parser(sentence).labels


def test_what_labels_inside_the_chart_do_not_go_with() -> None:
    parser = parser_of("carreras", trees="projective")
    sentence = Sentence.from_words(WORDS[:4], upos=TAGS[:4])
    with pytest.raises(HeadwiseError, match="the k best trees"):
        parser.k_best(sentence, 2)
    with pytest.raises(HeadwiseError, match="inside one chart"):
        parser(sentence, decoder="dual")
    lines = ["h.tag m.tag l.tag r.tag"]
    with pytest.raises(ValueError, match="one relative a line"):
        replace(parser.config, label_templates=lines).shape({})


@settings(max_examples=8, deadline=None)
@given(sentences)
def test_probabilities_with_labels_inside_the_chart(chart_parser: Parser, sentence: Sentence) -> None:
    parser = chart_parser
    trees = LabelledTrees(parser, sentence)
    sums = trees.log_sums()
    weights = np.exp(sums - np.logaddexp.reduce(sums))
    expected = np.zeros((len(sentence) + 1, len(sentence) + 1))
    for heads, weight in zip(trees.heads, weights, strict=True):
        expected[list(heads), np.arange(1, len(sentence) + 1)] += weight
    assert parser.arc_probabilities(sentence)[:, 1:] == pytest.approx(expected[:, 1:], abs=1e-4)
    parse = parser(sentence, confidence=True)
    tree = weights[trees.heads.index(tuple(parse.heads.tolist()))]
    assert np.exp(parse.log_prob) == pytest.approx(tree, abs=1e-4)
    risky = parser(sentence, decoder="minimum-risk")
    right = [expected[list(heads), np.arange(1, len(sentence) + 1)].sum() for heads in trees.heads]
    assert right[trees.heads.index(tuple(risky.heads.tolist()))] == pytest.approx(max(right), abs=1e-4)


def test_lines_with_one_modifier_are_those_of_each_outermost_one() -> None:
    table = TemplateTable(
        ("h.tag m.tag", "g.tag m.tag", "m.tag l-1.tag", "h.c4 c.c4", "l.tag r.tag", "s.tag")
    )
    assert table.for_search("s").lines == ("h.tag m.tag", "s.tag")
    below = ("m.tag l-1.tag", "m.tag r-1.tag", "h.c4 l.c4", "h.c4 r.c4")
    assert table.for_search("s", "lr").lines == ("h.tag m.tag", *below, "s.tag")


def test_templates_ask_for_what_parts_show() -> None:
    for factorization in ORDERS:
        parser = parser_of(factorization)
        lines = parser.config.label_templates
        named = {re.split(r"[.+-]", term)[0] for line in lines for term in line.split()} & set("gslrc")
        shown = RELATIVES_OF_LABELS[factorization] + MODIFIERS_OF_LABELS.get(factorization, "")
        assert named == set(shown)
        hidden = next(relative for relative in "gslrc" if relative not in named)
        with pytest.raises(ValueError, match="relatives"):
            replace(parser.config, label_templates=[f"h.tag {hidden}.tag"]).shape({})


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"network": True}, "network"),
        ({"whole_tree": {"families": ("valency",)}}, "whole trees"),
        ({"rival": "relaxed"}, "relaxed"),
        ({"learner": "samplerank"}, "without labels"),
        ({"learner": "log-linear", "optimizer": "eg"}, "labels='separate'"),
        ({"tensor": {"rank": 5, "labels": True}}, "finished tree"),
    ],
)
def test_what_labels_in_the_search_do_not_go_with(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        TrainingSettings.preset("second", labels="joint", **options)


@pytest.mark.parametrize("learner", ["mira", "perceptron", "max-margin", "log-linear"])
@pytest.mark.parametrize("factorization", ["carreras", "model1"])
def test_learners_learn_the_toy_language(
    train_sentences: list[Sentence], test_sentences: list[Sentence], factorization: str, learner: str
) -> None:
    options = {**SMALL, "factorization": factorization, "pruning__bits": 14, "calibrate": False}
    parser = Parser.train(train_sentences, **options, learner=learner, labels="joint")
    parses = list(parser.pipe(test_sentences))
    assert np.mean(np.concatenate([p.heads == p.sentence.heads for p in parses])) > 0.97
    assert np.mean([a == b for p in parses for a, b in zip(p.labels, p.sentence.labels, strict=True)]) > 0.97


@pytest.mark.parametrize("factorization", ["carreras", "model1"])
def test_files_threads_and_batches_do_not_change_the_result(
    train_sentences: list[Sentence], test_sentences: list[Sentence], factorization: str, tmp_path: Path
) -> None:
    options = {**SMALL, "factorization": factorization, "pruning__bits": 14, "calibrate": False}
    one, two = (Parser.train(train_sentences, **options, labels="joint", threads=t) for t in (1, 2))
    assert all(np.array_equal(table, two.weights[name]) for name, table in one.weights.items())
    one.save(tmp_path / "model.hw")
    loaded = Parser.load(tmp_path / "model.hw")
    expected = [p.to_conllu() for p in one.pipe(test_sentences)]
    assert [p.to_conllu() for p in loaded.pipe(test_sentences, threads=3, batch_size=4)] == expected
