"""Parsing to JSON."""

import json

from command_runner import CliRunner
from headwise.cli.app import app
from headwise.treebank import sentence_from_json, write


def test_parse_to_json(parser, test_sentences, tmp_path):
    parser.save(tmp_path / "model.hw")
    write(test_sentences, tmp_path / "in.conllu")
    arguments = ["parse", str(tmp_path / "in.conllu"), "-m", str(tmp_path / "model.hw"), "--to", "json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    parses = list(parser.pipe(test_sentences))
    assert documents == [parse.to_json() for parse in parses]
    assert [sentence_from_json(document) for document in documents] == [
        parse.to_sentence() for parse in parses
    ]
