"""Tags chosen exactly with trees, against enumeration of all tags and trees."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from headwise import Parser
from headwise.base.errors import HeadwiseError
from headwise.components.tagging import Tagger
from headwise.components.tagging.joint import JointTagsConfig, tag_chooser
from headwise.components.tagging.joint.candidates import ways_to_tag
from headwise.components.tagging.joint.sense_scores import ArcSenseScores, SenseScores, sense_scores
from headwise.reference import EnumeratedTrees
from headwise.treebank import Sentence
from toy_language import toy_treebank

CONFIG = JointTagsConfig("senses", parser_weight=0.7, margin=100, most=5)


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser.train(
        toy_treebank(40, seed=1),
        preset="first",
        trees="projective",
        calibrate=False,
        arc_bits=14,
        label_bits=14,
        epochs=2,
    )


@pytest.fixture(scope="module")
def short() -> list[Sentence]:
    """Of at most five words."""
    return [Sentence.from_words(sentence.forms[:5]) for sentence in toy_treebank(8, seed=11)]


@pytest.fixture(scope="module")
def scored(weak_tagger: Tagger, parser: Parser, short: list[Sentence]) -> list[ArcSenseScores]:
    ways = ways_to_tag(CONFIG, weak_tagger, short, threads=1)
    assert all(len(own) > 1 for own in ways)
    found = [sense_scores(weak_tagger, parser, s, own) for s, own in zip(short, ways, strict=True)]
    return [scores for scores in found if isinstance(scores, ArcSenseScores)]


def every_choice(scores: SenseScores) -> list[tuple[int, ...]]:
    return list(itertools.product(*(range(len(own)) for own in scores.labels)))


def best_tree(scores: ArcSenseScores, senses: tuple[int, ...]) -> float:
    """The score of the best of all projective trees with these senses; −inf where the filter leaves none."""
    known = np.array([0, *senses])
    nodes = np.arange(len(known))
    table = scores.arcs[nodes[:, None], nodes[None, :], known[:, None], known[None, :]]
    trees = EnumeratedTrees({"arcs": table}, single_root=scores.single_root)
    return max(trees.scores, default=-math.inf)


def test_arcs_are_those_of_the_sentence_with_two_other_tags(
    weak_tagger: Tagger, parser: Parser, short: list[Sentence], scored: list[ArcSenseScores]
) -> None:
    for sentence, scores in zip(short, scored, strict=True):
        first = [own[0] for own in scores.labels]
        for h, m in itertools.permutations(range(1, len(sentence) + 1), 2):
            for (i, of_h), (j, of_m) in itertools.product(
                enumerate(scores.labels[h - 1]), enumerate(scores.labels[m - 1])
            ):
                labels = list(first)
                labels[h - 1], labels[m - 1] = of_h, of_m
                (tagged,) = weak_tagger.with_labels([sentence], [labels])
                assert scores.arcs[h, m, i, j] == parser.arc_scores(tagged)[h, m]


def test_senses_are_the_best_of_all(
    weak_tagger: Tagger, parser: Parser, short: list[Sentence], scored: list[ArcSenseScores]
) -> None:
    chosen = tag_chooser(CONFIG, weak_tagger, parser).choose(short)
    for choice, scores in zip(chosen, scored, strict=True):
        worth = {
            senses: CONFIG.parser_weight * best_tree(scores, senses)
            + sum(scores.losses[word, k] for word, k in enumerate(senses, 1))
            for senses in every_choice(scores)
        }
        assert choice.exact
        assert worth[senses_of(choice.sentence, scores, weak_tagger)] == pytest.approx(max(worth.values()))


def test_tagger_and_parser_agree_on_the_best_of_all(
    weak_tagger: Tagger, parser: Parser, short: list[Sentence], scored: list[ArcSenseScores]
) -> None:
    config = replace(CONFIG, way="agree")
    chosen = tag_chooser(config, weak_tagger, parser).choose(short)
    others = 0
    for sentence, choice, scores in zip(short, chosen, scored, strict=True):
        choices = every_choice(scores)
        of_tags = weak_tagger.score_labels([sentence] * len(choices), [scores.chosen(s) for s in choices])
        worth = {
            senses: of_tag + config.parser_weight * best_tree(scores, senses)
            for senses, of_tag in zip(choices, of_tags, strict=True)
        }
        found = senses_of(choice.sentence, scores, weak_tagger)
        assert choice.exact
        assert worth[found] == pytest.approx(max(worth.values()))
        others += any(found)
    assert others > 0


@pytest.mark.parametrize("way", ["senses", "agree"])
def test_threads_change_nothing(
    way: str, weak_tagger: Tagger, parser: Parser, unsure: list[Sentence]
) -> None:
    chooser = tag_chooser(replace(CONFIG, way=way), weak_tagger, parser)
    one, two = chooser.choose(unsure), chooser.choose(unsure, threads=2)
    assert [(str(a.sentence), a.exact) for a in one] == [(str(b.sentence), b.exact) for b in two]


def test_losses_are_of_the_best_sequence_with_a_tag(
    weak_tagger: Tagger, short: list[Sentence], scored: list[ArcSenseScores]
) -> None:
    for sentence, scores in zip(short, scored, strict=True):
        choices = every_choice(scores)
        values = weak_tagger.score_labels([sentence] * len(choices), [scores.chosen(s) for s in choices])
        worth = dict(zip(choices, values, strict=True))
        for word, own in enumerate(scores.labels):
            for k in range(len(own)):
                best = max(value for senses, value in worth.items() if senses[word] == k)
                assert scores.losses[word + 1, k] == pytest.approx(best - max(values), abs=1e-9)
        assert math.isinf(scores.losses[1:].min()) or len({len(own) for own in scores.labels}) == 1


def test_crossing_trees_are_refused(weak_tagger: Tagger) -> None:
    options = {"preset": "second", "calibrate": False, "arc_bits": 14, "label_bits": 14, "epochs": 1}
    crossing = Parser.train(toy_treebank(10, seed=1), trees="nonprojective", **options)
    with pytest.raises(HeadwiseError, match="need a parser of projective trees"):
        tag_chooser(CONFIG, weak_tagger, crossing)


def test_a_tensor_above_first_order_is_refused(weak_tagger: Tagger) -> None:
    options = {
        "preset": "second",
        "calibrate": False,
        "arc_bits": 14,
        "label_bits": 14,
        "epochs": 1,
        "tensor": {"rank": 2},
    }
    parser = Parser.train(toy_treebank(10, seed=1), trees="projective", **options)
    with pytest.raises(HeadwiseError, match="whose scores are those of features"):
        tag_chooser(CONFIG, weak_tagger, parser)


def senses_of(sentence: Sentence, scores: SenseScores, tagger: Tagger) -> tuple[int, ...]:
    numbers = {tag[0]: number for number, tag in enumerate(tagger.config.tags)}
    return tuple(own.index(numbers[tag]) for own, tag in zip(scores.labels, sentence.upos, strict=True))
