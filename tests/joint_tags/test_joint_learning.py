"""Features of tags in trees, and what is learned of them."""

from __future__ import annotations

import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from headwise import Pipeline
from headwise.components.tagging.joint import JointTagsConfig, tag_chooser
from headwise.components.tagging.joint.candidates import Candidate, parsed, ways_to_tag
from headwise.components.tagging.joint.features import Reading, TagNames, differences
from headwise.learning.choices import JointLearner
from headwise.training import TrainingSettings
from headwise.training.joint_tags.learning import CandidateLearner, Example
from headwise.training.joint_tags.log_linear import DISTASTE, RATE, LogLinearLearner
from headwise.training.joint_tags.training import examples_of
from headwise.treebank import Sentence
from toy_language import toy_treebank

BITS = 14
CONFIG = JointTagsConfig("climb", parser_weight=0.2, margin=100, most=5)


@pytest.fixture(scope="module")
def examples(pipeline: Pipeline) -> list[Example]:
    gold = toy_treebank(40, seed=9)
    return examples_of(CONFIG, pipeline.tagger, pipeline.parser, gold, bits=BITS, threads=1)


def all_features(candidate: Candidate, names: TagNames) -> Counter[int]:
    """Of every word of a sentence, from scratch."""
    reading = Reading(candidate, names)
    words = range(1, len(candidate.labels) + 1)
    texts = [f for i in words for f in (*reading.among_neighbours(i), *reading.in_the_tree(i))]
    return Counter(zlib.crc32(text.encode()) & ((1 << BITS) - 1) for text in texts)


def test_differences_are_those_of_all_features(pipeline: Pipeline, unsure: list[Sentence]) -> None:
    names = TagNames.of(pipeline.tagger.config.tags)
    ways = ways_to_tag(CONFIG, pipeline.tagger, unsure, threads=1)
    for base, *others in parsed(pipeline.tagger, pipeline.parser, unsure, ways, threads=1):
        for other, found in zip(others, differences(base, others, names, BITS), strict=True):
            wanted = all_features(other, names)
            wanted.subtract(all_features(base, names))
            given = dict(zip(found.places.tolist(), found.amounts.tolist(), strict=True))
            assert given == {place: amount for place, amount in wanted.items() if amount}


def learner(examples: list[Example], samples: int = 0, aggressiveness: float = 0.1) -> CandidateLearner:
    return CandidateLearner(examples, BITS, parser_weight=0.2, aggressiveness=aggressiveness, samples=samples)


def cost(examples: list[Example], weights: np.ndarray | None) -> float:
    return sum(float(e.costs[np.argmax(e.scores(0.2, weights))]) for e in examples)


@pytest.mark.parametrize("samples", [0, 6])
def test_learning_lowers_the_cost(samples: int, examples: list[Example]) -> None:
    first, second = learner(examples, samples), learner(examples, samples)
    for epoch in range(3):
        first.train(np.arange(len(examples)), (1, epoch))
        second.train(np.arange(len(examples)), (1, epoch))
    best = sum(float(e.costs.min()) for e in examples)
    assert best <= cost(examples, first.averaged()) < (best + cost(examples, None)) / 2
    assert np.array_equal(first.averaged(), second.averaged())


def test_a_step_without_a_limit_makes_the_margin_the_cost(examples: list[Example]) -> None:
    """A step of MIRA ends where the constraint holds with equality."""
    seen = 0
    for example in examples:
        scores = example.scores(0.2, None)
        best = min(range(len(scores)), key=lambda k: (example.costs[k], -scores[k]))
        rival = int(np.argmax(scores + example.costs))
        if example.costs[rival] == example.costs[best]:
            continue
        one = learner([example], aggressiveness=np.inf)
        one.train(np.array([0]), (1,))
        after = example.scores(0.2, one._weights)
        assert after[best] - after[rival] == pytest.approx(example.costs[rival] - example.costs[best])
        seen += 1
    assert seen > 5


def test_averages_are_over_all_examples(examples: list[Example]) -> None:
    one = learner(examples[:4])
    after = []
    for i in range(4):
        one.train(np.array([i]), (1,))
        after.append(one._weights.copy())
    assert one.averaged() == pytest.approx(np.mean(after, axis=0), abs=1e-6)


def test_a_log_linear_model_lowers_the_cost(examples: list[Example]) -> None:
    one = LogLinearLearner(examples, BITS, parser_weight=0.2)
    for _ in range(5):
        one.train(np.arange(len(examples)))
    weight, weights = one.averaged()
    found = sum(float(e.costs[np.argmax(e.scores(weight, weights))]) for e in examples)
    best = sum(float(e.costs.min()) for e in examples)
    assert best <= found < (best + cost(examples, None)) / 2


def test_its_steps_follow_the_gradient(examples: list[Example]) -> None:
    """Of KL(wanted ‖ p) by finite differences, the target standing still."""
    example = max(examples, key=lambda e: float(e.costs.max() - e.costs.min()))
    scales = np.array([4.0, 0.8])

    def log_likely(scales: np.ndarray, weights: np.ndarray) -> np.ndarray:
        sparse = np.array([own.score(weights) for own in example.features])
        scores = scales @ np.stack([example.tag_scores, example.tree_scores]) + sparse
        return scores - np.logaddexp.reduce(scores)

    nothing = np.zeros(1 << BITS)
    wanted = np.exp(log_likely(scales, nothing) - DISTASTE * example.costs)
    wanted /= wanted.sum()
    one = LogLinearLearner([example], BITS, parser_weight=0.2)
    one.train(np.array([0]))
    place = int(example.features[1].places[0])
    for at, moved in ((0, one._scales[0] - 4.0), (1, one._scales[1] - 0.8), (None, one._weights[place])):
        slope = 0.0
        for sign in (1, -1):
            step, weights = scales.copy(), nothing.copy()
            if at is None:
                weights[place] = sign * 1e-5
            else:
                step[at] += sign * 1e-5
            slope -= sign * float(wanted @ log_likely(step, weights)) / 2e-5
        if at is not None:
            assert moved == pytest.approx(-RATE * slope / np.sqrt(1 + slope**2), rel=1e-4)
        else:
            assert np.sign(moved) == -np.sign(slope)


def test_weights_are_heeded(pipeline: Pipeline, unsure: list[Sentence]) -> None:
    """A weight on a tag makes it win wherever it is considered."""
    config = JointTagsConfig("climb", parser_weight=0.0, margin=100, most=5, bits=BITS)
    weights = np.zeros(1 << BITS, np.float32)
    names = TagNames.of(pipeline.tagger.config.tags)
    wanted = next(i for i, name in enumerate(names.coarse) if name == "ADP")
    weights[zlib.crc32(f"t {names.fine[wanted]}".encode()) & ((1 << BITS) - 1)] = 1000
    chosen = tag_chooser(config, pipeline.tagger, pipeline.parser, weights).choose(unsure)
    ways = ways_to_tag(config, pipeline.tagger, unsure, threads=1)
    for choice, own in zip(chosen, ways, strict=True):
        most = max(way.numbers.count(wanted) for way in own)
        assert choice.sentence.upos.count("ADP") >= most


@pytest.mark.parametrize("name", ["log-linear", "mira", "samplerank"])
def test_a_pipeline_keeps_its_weights(name: JointLearner, tmp_path: Path) -> None:
    settings = TrainingSettings.preset("first", arc_bits=12, label_bits=12, epochs=1, calibrate=False)
    nlp = Pipeline.train(
        toy_treebank(12, seed=1), settings=settings, jackknife=2, joint_tags="climb", joint_learner=name
    )
    assert nlp.joint_weights is not None
    nlp.save(tmp_path / "joint.hw")
    loaded = Pipeline.load(tmp_path / "joint.hw")
    assert loaded.joint_tags == nlp.joint_tags
    assert loaded.joint_weights is not None
    assert np.array_equal(loaded.joint_weights, nlp.joint_weights)
