"""What `headwise cluster` and `headwise vectors` have in common: texts, and how their words are found."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from headwise.cli import shell

if TYPE_CHECKING:
    from headwise.text import Tokenizer


class WordsFrom(StrEnum):
    auto = "auto"
    text = "text"
    lines = "lines"
    tokens = "tokens"
    treebank = "treebank"


Texts = Annotated[
    list[Path], shell.Argument(help="Text files, or treebanks, also .gz or .xz; - reads standard input.")
]
Input = Annotated[
    WordsFrom,
    shell.Option(
        help="Running text; one sentence a line (lines); its words between spaces (tokens); a treebank."
        " auto goes by file names."
    ),
]
Model = Annotated[
    str | None,
    shell.Option(
        "--model",
        "-m",
        help="A pipeline or tokenizer, by file or name (en), to find the words of running text; without one,"
        " a plain rule does.",
    ),
]


def word_tokenizer(model: str | None) -> Tokenizer | None:
    """That of a model; None for the plain rule."""
    if model is None:
        return None
    from headwise.errors import HeadwiseError
    from headwise.model import model_kind
    from headwise.model.bundled import model_path
    from headwise.parser.pipeline import Pipeline
    from headwise.text import Tokenizer

    path = model_path(model)
    kind = model_kind(path)
    if kind == Pipeline.KIND:
        return Pipeline.load(path).tokenizer
    if kind == Tokenizer.KIND:
        return Tokenizer.load(path)
    raise HeadwiseError(f"{model} holds a {kind}; finding words takes a pipeline or a tokenizer.")
