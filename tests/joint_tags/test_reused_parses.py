"""Parses that were made while tags were chosen are those that the parser would make again."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_runner import CliRunner
from headwise import Parse, Pipeline
from headwise.cli.app import app
from headwise.components.parser.batch_search import BatchSearch
from headwise.components.parser.constraints import Task
from headwise.components.tagging.joint import JointTagsConfig
from headwise.treebank import Sentence, read, write


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


def test_the_command_parses_nothing_twice(
    pipeline: Pipeline, unsure: list[Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parse that was chosen with the tags is the one that is written."""
    joint = pipeline.with_joint_tags(JointTagsConfig("climb", parser_weight=1.0, margin=100))
    joint.save(tmp_path / "joint.hw")
    write([Sentence.from_words(sentence.forms) for sentence in unsure], tmp_path / "bare.conllu")
    searched: list[int] = []
    parsed = BatchSearch.rows

    def counted(self: BatchSearch, tasks: list[Task]) -> list[list[Parse]]:
        searched.append(len(tasks))
        return parsed(self, tasks)

    monkeypatch.setattr(BatchSearch, "rows", counted)
    expected = [parse.to_conllu() for parse in joint.pipe_sentences([s.forms for s in unsure])]
    once = sum(searched)
    call = ["parse", str(tmp_path / "bare.conllu"), "-m", str(tmp_path / "joint.hw"), "--to", "conllu"]
    written = CliRunner().invoke(app, call)
    assert written.exit_code == 0, written.output
    assert sum(searched) - once == once
    assert [str(sentence) for sentence in read(written.stdout_bytes)] == expected
