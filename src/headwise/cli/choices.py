"""Choices that several commands offer."""

from __future__ import annotations

from contextlib import AbstractContextManager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from headwise.cli import shell

if TYPE_CHECKING:
    from headwise.components.text.writing import TextWriter
    from headwise.display import TreeWriter
    from headwise.treebank import Writer
    from headwise.treebank.json_lines import JsonWriter
    from headwise.treebank.reading import Format

MOST_THREADS = 1024
LARGEST_SEED = 2**63 - 1
MOST_TREES = 10_000
"""Of a sentence, k best."""
RERANKER = "reranker"
"""The kind of a model that chooses among the k best trees of a parser, as its file says."""
PHRASE_PARSER = "phrase-structure parser"
"""The kind of a model that finds phrase structure, as its file says."""
Threads = Annotated[
    int, shell.Option(min=0, max=MOST_THREADS, help="0 uses every core; the output is the same.")
]


class InputFormat(StrEnum):
    auto = "auto"
    conllu = "conllu"
    conllx = "conllx"


class ConvertInput(StrEnum):
    auto = "auto"
    conllu = "conllu"
    conllx = "conllx"
    json = "json"


class ParseInput(StrEnum):
    auto = "auto"
    conllu = "conllu"
    conllx = "conllx"
    text = "text"
    lines = "lines"
    tokens = "tokens"

    @property
    def is_text(self) -> bool:
        return self in (ParseInput.text, ParseInput.lines, ParseInput.tokens)


class OutputFormat(StrEnum):
    same = "same"
    conllu = "conllu"
    conllx = "conllx"
    json = "json"
    parquet = "parquet"
    text = "text"

    @property
    def conll(self) -> Format | None:
        """The CoNLL format to convert to; None where sentences are written as they are, or not in CoNLL."""
        if self in (OutputFormat.conllu, OutputFormat.parquet):  # whose columns are those of CoNLL-U
            return "conllu"
        return "conllx" if self is OutputFormat.conllx else None

    def writer(self, output: Path) -> AbstractContextManager[Writer | JsonWriter | TextWriter]:
        """Opens a file for sentences in this format."""
        if self is OutputFormat.json:
            from headwise.treebank import json_writer

            return json_writer(output)
        if self is OutputFormat.text:
            from headwise.components.text.writing import text_writer

            return text_writer(output)
        from headwise.treebank import writer

        return writer(output)


class ParseOutput(StrEnum):
    """How parses are written: the formats of treebanks, JSON, or drawn."""

    same = "same"
    conllu = "conllu"
    conllx = "conllx"
    json = "json"
    tree = "tree"

    def writer(self, output: Path) -> AbstractContextManager[Writer | JsonWriter | TextWriter | TreeWriter]:
        """Opens a file for sentences in this format."""
        if self is ParseOutput.tree:
            from headwise.display import tree_writer

            return tree_writer(output)
        return self.file_format.writer(output)

    @property
    def file_format(self) -> OutputFormat:
        return OutputFormat.same if self is ParseOutput.tree else OutputFormat(self.value)


class OnError(StrEnum):
    stop = "stop"
    skip = "skip"
