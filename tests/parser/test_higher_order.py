"""Parsers of second and third order: they learn, they decode exactly, pruning leaves a tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise import HeadwiseError, Parser
from headwise._native import parsing as native
from headwise._native import trees as native_trees
from headwise.training import TrainingSettings
from headwise.treebank import Sentence, check_tree, is_projective
from headwise.trees.factorizations import PARTS, PROJECTIVE_ONLY
from toy_language import SMALL, toy_treebank

HIGHER_ORDER = [name for name in PARTS if name != "arc"]


def train(sentences: list[Sentence], factorization: str, **options: object) -> Parser:
    return Parser.train(
        sentences, **{**SMALL, "factorization": factorization, "pruning__bits": 14, **options}
    )


@pytest.fixture(scope="module", params=HIGHER_ORDER)
def trained(request: pytest.FixtureRequest, train_sentences: list[Sentence]) -> Parser:
    return train(train_sentences, request.param)


@pytest.fixture(scope="module", params=HIGHER_ORDER)
def random_parser(request: pytest.FixtureRequest) -> Parser:
    """Random weights, hardly any pruning: scores without rhyme or reason over many arcs."""
    parser = train(toy_treebank(5, seed=1), request.param, pruning__threshold=1e-9, pruning__heads=5)
    rng = np.random.default_rng(3)
    tables = {name: rng.normal(size=len(w)).astype(np.float32) for name, w in parser.weights.items()}
    tables["pruner"] *= 0.1
    return Parser(parser.config, tables)


def test_learns_the_toy_language(trained: Parser, test_sentences: list[Sentence]) -> None:
    parses = list(trained.pipe(test_sentences))
    heads = np.concatenate([p.heads == p.sentence.heads for p in parses])
    labels = [a == b for p in parses for a, b in zip(p.labels, p.sentence.labels, strict=True)]
    assert np.mean(heads) > 0.97
    assert np.mean(labels) > 0.97


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["dog", "the", "дом", "見る", "."]), min_size=1, max_size=12))
def test_decoding_equals_the_tree_library(random_parser: Parser, words: list[str]) -> None:
    """The parser's tree is the best one of headwise.trees on the same scores, and scores the same."""
    sentence = Sentence.from_words(words)
    parse = random_parser(sentence)
    trees = random_parser.distribution(sentence)
    best = trees.argmax()
    assert parse.score == pytest.approx(best.score, abs=1e-9)
    assert parse.heads.tolist() == best.tree.heads.tolist()
    assert check_tree(parse.heads, single_root=True) == []
    assert is_projective(parse.heads)


@pytest.mark.parametrize("roles", [False, True])
def test_trainer_and_decoder_agree_on_the_score_of_a_tree(
    train_sentences: list[Sentence], roles: bool
) -> None:
    """With the features of gold minus rival, one uncapped MIRA step makes the margin equal the cost.

    That holds only if the parts that the trainer lists for a tree are those that the decoder scores.
    """
    outer = {"grandchild": ("g.pos h.pos m.pos @outer", "g.pos m.pos")}
    for factorization, templates in ((one, changes) for one in HIGHER_ORDER for changes in ({}, outer)):
        if templates and "grandchild" not in PARTS[factorization]:
            continue
        sentence = train_sentences[3]
        options = {
            "epochs": 1,
            "aggressiveness": 1e9,
            "labels": "none",
            "arc_bits": 20,
            "label_bits": 14,
            "pruning__threshold": 1e-9,
            "roles": roles,
            "templates": templates,
        }
        parser = train([sentence], factorization, **options)
        trees = parser.distribution(sentence)
        start = Parser(parser.config, {**parser.weights, "arcs": np.zeros_like(parser.weights["arcs"])})
        costs = np.where(np.isfinite(start.arc_scores(sentence)), 1.0, -np.inf)
        costs[sentence.heads, np.arange(1, len(sentence) + 1)] = 0.0
        from headwise.trees import ProjectiveTrees

        rival = ProjectiveTrees(costs, single_root=True, factorization=factorization).argmax()
        margin = trees.log_prob(sentence.heads) - trees.log_prob(rival.tree.heads)
        assert margin == pytest.approx(rival.score, rel=1e-4), factorization


def test_features_of_the_outer_side(train_sentences: list[Sentence]) -> None:
    """A template with @outer scores grandchildren beyond their head, and no others."""
    for line, has_inner in (("g.pos h.pos m.pos @outer", False), ("g.pos h.pos m.pos", True)):
        templates = {"grandchild": (line,)}
        parser = train(
            train_sentences[:20],
            "model0",
            epochs=2,
            labels="none",
            arc_bits=18,
            label_bits=14,
            templates=templates,
        )
        scores = {"inner": 0.0, "outer": 0.0}
        for sentence in train_sentences[:5]:
            words, values = parser.native.part_scores(sentence)["grandchildren"]
            for (g, h, m), value in zip(words.reshape(-1, 3), values, strict=True):
                nobody_inside, nobody_outside = m == g, m == h
                is_inner = nobody_inside or (not nobody_outside and (g < h) != (h < m))
                scores["inner" if is_inner else "outer"] += abs(value)
        assert scores["outer"] > 0
        assert (scores["inner"] > 0) == has_inner


def test_sides_are_those_of_a_grandparent(train_sentences: list[Sentence]) -> None:
    with pytest.raises(ValueError, match="@outer"):
        train(train_sentences[:5], "sibling", templates={"sibling": ("h.pos m.pos s.pos @outer",)})


def test_threads_and_batches_do_not_change_the_result(trained: Parser) -> None:
    sentences = toy_treebank(30, seed=5)
    expected = [p.to_conllu() for p in trained.pipe(sentences)]
    assert [p.to_conllu() for p in trained.pipe(sentences, threads=3, batch_size=4)] == expected


def test_training_does_not_depend_on_threads(train_sentences: list[Sentence]) -> None:
    one, two = (train(train_sentences, "model2", threads=threads) for threads in (1, 2))
    for name, table in one.weights.items():
        assert np.array_equal(table, two.weights[name])


def test_saving_and_loading(trained: Parser, test_sentences: list[Sentence], tmp_path: object) -> None:
    path = f"{tmp_path}/model.hw"
    trained.save(path)
    loaded = Parser.load(path)
    assert loaded.config == trained.config
    assert [p.to_conllu() for p in loaded.pipe(test_sentences)] == [
        p.to_conllu() for p in trained.pipe(test_sentences)
    ]


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 30), st.integers(0, 10**6), st.sampled_from([1, 2, 4]), st.floats(1e-6, 0.9))
def test_a_tree_always_survives_pruning(words: int, seed: int, most_heads: int, threshold: float) -> None:
    model = native.ParserShape(
        tags=[],
        arc_limits=[],
        arc_templates=["h.form m.form", "h.form", "m.form"],
        arc_bits=12,
        label_bits=14,
        projective=True,
        single_root=True,
    )
    shape = native.PrunerShape(model, threshold=threshold, most_heads=most_heads)
    weights = np.random.default_rng(seed).normal(scale=5, size=1 << 12).astype(np.float32)
    sentence = Sentence.from_words([f"w{i % 7}" for i in range(words)])
    flags = native.Pruner(shape, weights).prune(sentence).reshape(words + 1, words + 1)
    assert flags.sum(axis=0)[1:].max() <= most_heads + 1
    from headwise.trees import ProjectiveTrees

    ProjectiveTrees(np.where(flags, 0.0, -np.inf), single_root=True).argmax()  # raises when there is no tree


@pytest.mark.parametrize("trees", ["projective", "nonprojective"])
def test_pruner_marginals_equal_the_tree_library(
    trees: str, test_sentences: list[Sentence], train_sentences: list[Sentence]
) -> None:
    parser = train(train_sentences, "carreras", trees=trees)
    config = parser.config
    assert config.pruner is not None
    pruner = native.Pruner(config.pruner_shape(None), parser.weights["pruner"])
    first_order = replace(
        config,
        arc_templates=config.pruner.templates,
        arc_bits=config.pruner.bits,
        factorization="arc",
        pruner=None,
    )
    scorer = Parser(first_order, {"arcs": parser.weights["pruner"], "labels": parser.weights["labels"]})
    for sentence in test_sentences[:5]:
        expected = scorer.distribution(sentence).marginals().arcs
        found = pruner.marginals(sentence).reshape(expected.shape)
        assert found[:, 1:] == pytest.approx(expected[:, 1:], abs=1e-9)


def test_long_sentences_say_so(trained: Parser) -> None:
    words = [f"w{i % 50}" for i in range(700)]
    parse = trained(Sentence.from_words(words, upos=["NOUN", "VERB", "DET", "ADJ"] * 175))
    assert parse.limited
    assert check_tree(parse.heads, single_root=True) == []
    assert not trained(Sentence.from_words(words[:100])).limited


def test_crossing_arcs_are_found(train_sentences: list[Sentence]) -> None:
    crossing = Sentence.from_words(
        list("abcd"), upos=["A", "B", "C", "D"], heads=[3, 4, 0, 3], labels=["x"] * 4
    )
    parser = train([*train_sentences, *[crossing] * 60], "model1", trees="nonprojective", epochs=5)
    parse = parser(crossing)
    assert parse.heads.tolist() == [3, 4, 0, 3]
    assert parse.exact
    with pytest.raises(HeadwiseError, match="no exact distribution"):
        parser.distribution(crossing)


@pytest.mark.parametrize("factorization", PROJECTIVE_ONLY)
def test_parts_of_five_words_are_for_projective_trees(
    train_sentences: list[Sentence], factorization: str
) -> None:
    assert native_trees.FACTORIZATIONS[factorization].head_view is None
    for options in ({"trees": "nonprojective"}, {"rival": "relaxed"}, {"whole_tree__families": ("valency",)}):
        with pytest.raises(ValueError, match="projective trees only"):
            TrainingSettings(factorization=factorization).changed(**options)
    crossing = Sentence.from_words(list("abcd"), upos=list("ABCD"), heads=[3, 4, 0, 3], labels=["x"] * 4)
    parser = train([crossing] * 3, factorization)
    assert parser.config.projective
    with pytest.raises(HeadwiseError, match="dynamic program"):
        parser(crossing, decoder="dual")


def test_presets() -> None:
    assert TrainingSettings.preset("first").factorization == "arc"
    assert TrainingSettings.preset("third", epochs=3).epochs == 3
    assert TrainingSettings() == TrainingSettings.preset("third")
    with pytest.raises(ValueError, match="must be one of: fast, accurate; for experiments also first"):
        TrainingSettings.preset("fourth")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="names no part"):
        TrainingSettings(without=("cousins",))
