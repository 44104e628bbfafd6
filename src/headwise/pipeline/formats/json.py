"""A JSON document a line (docs/json.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from headwise.pipeline.formats.output_file import OutputFile
from headwise.treebank import Sentence, sentence_to_json
from headwise.treebank.json_lines import JsonWriter

if TYPE_CHECKING:
    from headwise.components.parser.parse import Parse
    from headwise.treebank.parquet import Place


class JsonFile(OutputFile):
    def put(self, sentence: Sentence, place: Place | None) -> None:
        self._write(sentence_to_json(sentence), place)

    def write_parse(self, parse: Parse, place: Place | None = None) -> None:
        self._write(parse.to_json(), place)

    def _write(self, document: Mapping[str, Any], place: Place | None) -> None:
        where = {} if place is None else asdict(place)
        JsonWriter(self.output).write_document({**document, **where})
