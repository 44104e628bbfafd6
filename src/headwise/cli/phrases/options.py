"""What several commands for bracketed trees have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, cast

from headwise.base.messages import tell
from headwise.cli.brackets import are_brackets
from headwise.cli.choices import OnError, ParseInput
from headwise.cli.command import Option
from headwise.cli.inputs import Given, looks_like_text

if TYPE_CHECKING:
    from headwise.base.errors import TreebankError
    from headwise.constituency.parser import PhraseParser
    from headwise.treebank.reading import Format

HeadRules = Annotated[
    str | None,
    Option(
        metavar="NAME|FILE",
        help="Which child heads a phrase: collins, historical, ancora, or a file. (default: those that fit"
        " the labels, else learned ones)",
    ),
]

_GLUED = re.compile(r"[^\W\d_][.!?]$")
"""A word with the end of its sentence stuck to it."""


def loaded(model: str) -> PhraseParser:
    """A phrase-structure parser, by file or by name."""
    from headwise.constituency.parser import PhraseParser
    from headwise.model.bundled import model_path

    return PhraseParser.load(model_path(model))


def sentences_of(
    given: Given, from_: ParseInput, on_error: OnError, skipped: list[TreebankError]
) -> Iterator[list[str]]:
    """The words of the sentences of text, of bracketed trees or of a treebank."""
    from headwise.constituency.brackets import read_brackets
    from headwise.constituency.simplify import without_empty
    from headwise.treebank import read
    from headwise.treebank.files import read_lines

    if given.path is None or from_.is_text or (from_ is ParseInput.auto and _is_text(given)):
        lines = given.text.splitlines() if given.path is None else read_lines(given.path)
        yield from _split(lines)
    elif from_ is ParseInput.auto and are_brackets(given.path):
        trees = read_brackets(given.path, on_error=on_error.value)
        for tree in trees:
            if (shown := without_empty(tree)) is not None:
                yield shown.words
        skipped += trees.skipped
    else:
        columns = cast("Format", from_.value)
        reader = read(given.path, format=columns, validate="columns", on_error=on_error.value)
        yield from (sentence.forms for sentence in reader)
        skipped += reader.skipped


def _is_text(given: Given) -> bool:
    return not are_brackets(given.path) and looks_like_text(given)


def _split(lines: Iterable[str]) -> Iterator[list[str]]:
    """A sentence a line, its words between spaces; says so where that looks like an oversight."""
    said = False
    for line in lines:
        words = line.split()
        glued = next((word for word in words[-1:] if _GLUED.search(word)), None)
        if glued and not said:
            said = True
            tell(
                f"words are what stands between spaces, and {glued[-40:]} is one word; "
                "put spaces before punctuation as the treebank does"
            )
        if words:
            yield words
