"""Tags chosen exactly with trees of higher order, against enumeration of all tags and trees."""

from __future__ import annotations

import itertools
import math
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from headwise import Parser
from headwise.components.tagging import Tagger
from headwise.components.tagging.joint import JointTagsConfig, tag_chooser
from headwise.components.tagging.joint.candidates import ways_to_tag
from headwise.components.tagging.joint.sense_scores import PartSenseScores, sense_scores
from headwise.reference import EnumeratedSenseParts
from headwise.treebank import Sentence
from headwise.trees import NoTreeError
from headwise.trees.parts import NODES
from toy_language import toy_treebank

CONFIG = JointTagsConfig("senses", parser_weight=0.7, margin=100, most=5)
REACH = 2
"""Features look at words up to so far from those of a part."""


@pytest.fixture(scope="module", params=["second", "third"])
def parser(request: pytest.FixtureRequest) -> Parser:
    options = {"calibrate": False, "arc_bits": 14, "label_bits": 14, "epochs": 2, "trees": "projective"}
    return Parser.train(toy_treebank(40, seed=1), preset=request.param, **options)


@pytest.fixture(scope="module")
def short() -> list[Sentence]:
    """Of at most four words."""
    return [Sentence.from_words(sentence.forms[:4]) for sentence in toy_treebank(8, seed=11)]


def scored(tagger: Tagger, parser: Parser, sentences: list[Sentence]) -> list[PartSenseScores]:
    ways = ways_to_tag(CONFIG, tagger, sentences, threads=1)
    assert all(len(own) > 1 for own in ways)
    found = [sense_scores(tagger, parser, s, own) for s, own in zip(sentences, ways, strict=True)]
    return [scores for scores in found if isinstance(scores, PartSenseScores)]


def dense_tables(scores: PartSenseScores) -> dict[str, np.ndarray]:
    """The compact tables over all nodes."""
    size = 1 + sum(map(len, scores.labels))
    dense = {}
    for name, table in scores.tables.items():
        nodes = scores.candidates.part_nodes(name)
        exists = nodes[:, 0] >= 0
        words = 2 if name == "arcs" else NODES[name]
        dense[name] = np.full((size,) * words, -math.inf if name == "arcs" else 0.0)
        dense[name][tuple(nodes[exists].T)] = table[exists]
    return dense


def test_the_search_is_exact(weak_tagger: Tagger, parser: Parser, short: list[Sentence]) -> None:
    others = 0
    for scores in scored(weak_tagger, parser, short):
        weight = CONFIG.parser_weight
        tables = {name: weight * table for name, table in dense_tables(scores).items()}
        counts = [1, *map(len, scores.labels)]
        prices = np.concatenate([scores.losses[word, :count] for word, count in enumerate(counts)])
        tables["arcs"] += prices[None, :]
        expected = EnumeratedSenseParts(
            tables,
            senses=counts[1:],
            single_root=scores.single_root,
            factorization=scores.factorization,
        )
        score, senses = scores.search(weight)(scores.losses)
        assert score == pytest.approx(max(expected.scores))
        best = max(
            expected.score(heads, tuple(senses))
            for heads, labels in zip(expected.heads, expected.labels, strict=True)
            if labels == tuple(senses)
        )
        assert best == pytest.approx(score)
        others += any(senses)
    assert others > 0


def test_parts_are_those_of_the_sentence_with_another_tag(weak_tagger: Tagger, parser: Parser) -> None:
    """Where no word of the part is near the one with another tag; there, features see the tagger's."""
    compared = 0
    sentences = [Sentence.from_words(sentence.forms) for sentence in toy_treebank(6, seed=12)]
    for sentence, scores in zip(sentences, scored(weak_tagger, parser, sentences), strict=True):
        counts = [1, *map(len, scores.labels)]
        firsts = np.cumsum([0, *counts])[:-1]
        for word, sense in ((w, k) for w, count in enumerate(counts) for k in range(1, count)):
            labels = [own[0] for own in scores.labels]
            labels[word - 1] = scores.labels[word - 1][sense]
            (tagged,) = weak_tagger.with_labels([sentence], [labels])
            nodes = firsts.copy()
            nodes[word] += sense
            for name, (words, values) in parser.native.part_scores(tagged).items():
                rows = words.reshape(len(values), -1)
                near = (rows != word) & (abs(rows - word) <= 2 * REACH)
                known = (rows == word).any(axis=1) & ~near.any(axis=1)
                places = scores.candidates.part_places(name, nodes[rows[known]].astype(np.int32))
                found = places >= 0  # other arcs of the part are pruned with the tagger's tags
                np.testing.assert_allclose(
                    scores.tables[name][places[found]], values[known][found], rtol=1e-6
                )
                compared += int(found.sum())
    assert compared > 20


def test_tags_of_the_tagger_are_scored_as_ever(
    weak_tagger: Tagger, parser: Parser, short: list[Sentence]
) -> None:
    for sentence, scores in zip(short, scored(weak_tagger, parser, short), strict=True):
        (tagged,) = weak_tagger.with_labels([sentence], [[own[0] for own in scores.labels]])
        firsts = np.cumsum([0, 1, *map(len, scores.labels)])[:-1]
        arcs = dense_tables(scores)["arcs"][np.ix_(firsts, firsts)]
        wanted = parser.arc_scores(tagged)
        considered = wanted > -math.inf
        np.testing.assert_allclose(arcs[considered], wanted[considered], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("way", ["senses", "agree"])
def test_chosen_tags_are_proved(way: str, weak_tagger: Tagger, parser: Parser, short: list[Sentence]) -> None:
    chooser = tag_chooser(replace(CONFIG, way=way), weak_tagger, parser)
    one, two = chooser.choose(short), chooser.choose(short, threads=2)
    assert [(str(a.sentence), a.exact) for a in one] == [(str(b.sentence), b.exact) for b in two]
    assert all(choice.exact for choice in one)


def test_agreement_is_on_the_best_of_all(weak_tagger: Tagger, parser: Parser, short: list[Sentence]) -> None:
    config = replace(CONFIG, way="agree")
    numbers = {tag[0]: number for number, tag in enumerate(weak_tagger.config.tags)}
    chosen = tag_chooser(config, weak_tagger, parser).choose(short)
    for sentence, choice, scores in zip(short, chosen, scored(weak_tagger, parser, short), strict=True):
        search = scores.search(config.parser_weight)
        worth = {}
        for senses in itertools.product(*(range(len(own)) for own in scores.labels)):
            (of_tags,) = weak_tagger.score_labels([sentence], [scores.chosen(senses)])
            prices = np.full(scores.losses.shape, -math.inf)
            prices[np.arange(len(senses) + 1), [0, *senses]] = 0.0
            with suppress(NoTreeError):  # none is left by pruning
                worth[senses] = of_tags + search(prices)[0]
        pairs = zip(scores.labels, choice.sentence.upos, strict=True)
        found = tuple(own.index(numbers[tag]) for own, tag in pairs)
        assert worth[found] == pytest.approx(max(worth.values()))
