"""What `headwise cluster` and `headwise vectors` have in common: texts, and how their words are found."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from headwise.cli.command import Argument, Option


class WordsFrom(StrEnum):
    auto = "auto"
    text = "text"
    lines = "lines"
    tokens = "tokens"
    treebank = "treebank"


Texts = Annotated[
    list[Path], Argument(help="Text files, or treebanks, also .gz or .xz; - reads standard input.")
]
Input = Annotated[
    WordsFrom,
    Option(
        help="Running text; one sentence a line (lines); its words between spaces (tokens); a treebank."
        " auto goes by file names."
    ),
]
Model = Annotated[
    str | None,
    Option(
        "--model",
        "-m",
        help="A pipeline or tokenizer, by file or name (en), to find the words of running text; without one,"
        " a plain rule does.",
    ),
]
MinCount = Annotated[int, Option(min=1, help="Leave out words that occur less often.")]
