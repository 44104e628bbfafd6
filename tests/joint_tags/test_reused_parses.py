"""Parses that were made while tags were chosen are those that the parser would make again."""

from __future__ import annotations

from headwise import Pipeline
from headwise.components.tagging.joint import JointTagsConfig
from headwise.treebank import Sentence


def test_parsing_again_changes_nothing(pipeline: Pipeline, unsure: list[Sentence]) -> None:
    config = JointTagsConfig("climb", parser_weight=1.0, margin=100)
    joint = pipeline.with_joint_tags(config)
    found = list(joint.pipe_sentences(unsure))
    again = list(joint.parser.pipe(joint.tag(unsure)))
    assert [parse.to_conllu() for parse in found] == [parse.to_conllu() for parse in again]
    assert [parse.score for parse in found] == [parse.score for parse in again]


def test_options_of_the_parser_are_heeded(pipeline: Pipeline, unsure: list[Sentence]) -> None:
    config = JointTagsConfig("climb", parser_weight=1.0, margin=100)
    joint = pipeline.with_joint_tags(config)
    for parse in joint.pipe_sentences(unsure, confidence=True):
        assert parse.confidence is not None
        assert not parse.exact
