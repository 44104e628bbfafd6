"""Climbing over tags, against every way to tag that it looks at, and in a pipeline."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from headwise import Pipeline
from headwise.components.tagging.joint import JointTagsConfig, tag_chooser
from headwise.components.tagging.joint.candidates import Candidate, merged
from headwise.training.joint_tags.training import PARSER_WEIGHTS, JointModel, fitted
from headwise.treebank import Sentence
from toy_language import toy_treebank


def tags(sentence: Sentence) -> list[tuple[str, str, str]]:
    return list(zip(sentence.upos, sentence.xpos, sentence.feats, strict=True))


def joint_score(pipeline: Pipeline, sentence: Sentence, weight: float) -> float:
    """Of the tags of a sentence and the best tree for them."""
    numbers = {tuple(tag): number for number, tag in enumerate(pipeline.tagger.config.tags)}
    columns = pipeline.tagger.config.columns
    known = [
        tuple(
            value if name in columns else "_"
            for name, value in zip(("upos", "xpos", "feats"), tag, strict=True)
        )
        for tag in tags(sentence)
    ]
    (tag_score,) = pipeline.tagger.score_labels([sentence], [[numbers[tag] for tag in known]])
    return tag_score + weight * pipeline.parser(sentence).score


def test_the_climb_ends_above_every_single_move(pipeline: Pipeline, unsure: list[Sentence]) -> None:
    config = JointTagsConfig("climb", parser_weight=1.0, margin=100, most=6)
    chooser = tag_chooser(config, pipeline.tagger, pipeline.parser)
    moved = 0
    for sentence, choice in zip(unsure, chooser.choose(unsure), strict=True):
        best = joint_score(pipeline, choice.sentence, 1.0)
        (ways,) = pipeline.tagger.detours([sentence], margin=100, most=6)
        tried = pipeline.tagger.with_labels([sentence] * len(ways), [way.numbers for way in ways])
        scores = [joint_score(pipeline, one, 1.0) for one in tried]
        assert best >= max(scores) - 1e-9
        moved += tags(choice.sentence) != tags(tried[0])
        if choice.exact:
            assert len(ways) <= 2
            assert best == pytest.approx(max(scores))
    assert moved > 0


def test_moves_that_gain_are_joined(pipeline: Pipeline, unsure: list[Sentence]) -> None:
    """Some sentence ends with tags that no single move leads to, and these score more than any move."""
    config = JointTagsConfig("climb", parser_weight=1.0, margin=100, most=12)
    chooser = tag_chooser(config, pipeline.tagger, pipeline.parser)
    ways = pipeline.tagger.detours(unsure, margin=100, most=12)
    joined = 0
    for sentence, choice, own in zip(unsure, chooser.choose(unsure), ways, strict=True):
        tried = pipeline.tagger.with_labels([sentence] * len(own), [way.numbers for way in own])
        if tags(choice.sentence) not in [tags(one) for one in tried]:
            joined += 1
            best = max(joint_score(pipeline, one, 1.0) for one in tried)
            assert joint_score(pipeline, choice.sentence, 1.0) > best
    assert joined > 0


def test_changes_of_the_same_word_are_not_joined(pipeline: Pipeline) -> None:
    parse = pipeline.parser(pipeline.tagger(["a", "dog", "sees"]))
    base, first, second, third = (
        Candidate(labels, 0.0, parse) for labels in [(0, 1, 2), (0, 3, 2), (0, 4, 2), (0, 1, 5)]
    )
    assert merged(base, first, second) is None
    assert merged(base, first, third) == (0, 3, 5)


def test_a_parser_without_weight_changes_nothing(pipeline: Pipeline, unsure: list[Sentence]) -> None:
    config = JointTagsConfig("climb", parser_weight=0.0, margin=100)
    chosen = tag_chooser(config, pipeline.tagger, pipeline.parser).choose(unsure)
    assert [str(choice.sentence) for choice in chosen] == [str(s) for s in pipeline.tagger.pipe(unsure)]


def test_the_same_whatever_the_threads_and_batches(pipeline: Pipeline, unsure: list[Sentence]) -> None:
    joint = _joint(pipeline)
    one = [(p.to_conllu(), p.exact) for p in joint.pipe_sentences(unsure)]
    assert one == [(p.to_conllu(), p.exact) for p in joint.pipe_sentences(unsure, threads=2, batch_size=3)]
    assert one == [(p.to_conllu(), p.exact) for s in unsure for p in joint.pipe_sentences([s])]


def test_what_is_proved(pipeline: Pipeline, unsure: list[Sentence]) -> None:
    """Without a choice of tags, a tree is proved to be the best as always; with many, nothing is."""
    sure = _joint(pipeline, margin=0.0)
    assert [parse.exact for parse in sure.pipe_sentences(unsure)] == [True] * len(unsure)
    for parse in _joint(pipeline).pipe_sentences(unsure):
        assert (parse.exact, parse.gap) == (False, np.inf)


def test_a_file_keeps_it(pipeline: Pipeline, unsure: list[Sentence], tmp_path: Path) -> None:
    joint = _joint(pipeline)
    joint.save(tmp_path / "joint.hw")
    loaded = Pipeline.load(tmp_path / "joint.hw")
    assert loaded.joint_tags == joint.joint_tags
    found = [parse.to_conllu() for parse in loaded.pipe_sentences(unsure)]
    assert found == [parse.to_conllu() for parse in joint.pipe_sentences(unsure)]
    assert found != [parse.to_conllu() for parse in pipeline.pipe_sentences(unsure)]


def test_the_weight_that_makes_the_fewest_mistakes(pipeline: Pipeline) -> None:
    gold = toy_treebank(40, seed=9)
    config = JointTagsConfig("climb", margin=100, most=12)
    found = fitted(JointModel(config), pipeline.tagger, pipeline.parser, gold, threads=1)

    def mistakes(weight: float) -> int:
        chooser = tag_chooser(replace(config, parser_weight=weight), pipeline.tagger, pipeline.parser)
        parses = pipeline.parser.pipe([choice.sentence for choice in chooser.choose(gold)])
        return sum(
            sum(a != b for a, b in zip(tags(right), tags(parse.sentence), strict=True))
            + int((np.asarray(right.heads) != parse.heads).sum())
            for right, parse in zip(gold, parses, strict=True)
        )

    assert found is not None
    assert found.config.parser_weight in PARSER_WEIGHTS
    assert mistakes(found.config.parser_weight) < mistakes(0.0)


def test_nothing_is_fitted_where_nothing_is_gained(pipeline: Pipeline) -> None:
    tagged = pipeline.pipe_sentences(toy_treebank(20, seed=9), tags="replace")
    gold = [parse.to_sentence() for parse in tagged]
    assert (
        fitted(JointModel(JointTagsConfig(margin=100)), pipeline.tagger, pipeline.parser, gold, threads=1)
        is None
    )


def _joint(pipeline: Pipeline, margin: float = 100) -> Pipeline:
    config = JointTagsConfig("climb", parser_weight=1.0, margin=margin)
    return pipeline.with_joint_tags(config)
