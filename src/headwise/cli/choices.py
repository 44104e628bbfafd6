"""Choices that several commands offer."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from headwise.cli.command import Option

MOST_THREADS = 1024
LARGEST_SEED = 2**63 - 1
MOST_TREES = 10_000
"""Of a sentence, k best."""
RERANKER = "reranker"
"""The kind of a model that chooses among the k best trees of a parser, as its file says."""
Threads = Annotated[int, Option(min=0, max=MOST_THREADS, help="0 uses every core; the output is the same.")]


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


class OnError(StrEnum):
    stop = "stop"
    skip = "skip"


# Options that several commands have

ModelName = Annotated[
    str, Option("--model", "-m", metavar="NAME|FILE", help="A model file, or a bundled model.")
]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Print nothing but errors.")]
Written = Annotated[
    Path, Option("--output", "-o", help="Where to write (.gz and .xz compress); - is standard output.")
]
IfBroken = Annotated[OnError, Option(help="Stop at the first broken sentence, or skip and count them.")]
Drawn = Annotated[Path, Option("--output", "-o", help="Where to write; - is standard output.")]
From = Annotated[ParseInput, Option("--from", help="Format of the input; auto tells by name and content.")]
AsJson = Annotated[bool, Option("--json", help="Print the numbers as JSON.")]
ModelOutput = Annotated[Path, Option("--output", "-o", help="Where to write the model.")]
