"""What is named on the command line: files, standard input, or the text itself."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from headwise.cli import shell
from headwise.cli.choices import OnError, ParseInput

if TYPE_CHECKING:
    from headwise.parser.parser import Parser
    from headwise.parser.pipeline import Pipeline
    from headwise.text.tokenizer import TextInput
    from headwise.treebank import Reader, Sentence
    from headwise.treebank.reading import Format

_ENDING_OF_A_FILE = re.compile(r"\.(conllu|conllx|conll|txt|md|json|jsonl|hw|gz|xz)$", re.IGNORECASE)
_LIKE_A_FILE = re.compile(r"[/\\]|\.\w{1,8}$")
_LIKE_A_CONLL_LINE = re.compile(rb"[^\n]*\t|\d+\s+\S+(\s+\S+){6,}")
_TEXT_FILES = (".txt", ".md", ".text")
_TREEBANK_FILES = (".conllu", ".conllx", ".conll")
_PEEKED = 4096


@dataclass(frozen=True)
class Given:
    """One thing to parse."""

    path: Path | None
    text: str = ""
    """The text itself, where there is no path."""

    @property
    def name(self) -> str:
        if self.path is None:
            return self.text if len(self.text) <= 40 else self.text[:39] + "…"
        return "standard input" if str(self.path) == "-" else self.path.name

    @property
    def is_stdin(self) -> bool:
        return self.path is not None and str(self.path) == "-"


def given_inputs(arguments: Sequence[str] | None) -> list[Given]:
    """Files where there are such files, else text; what looks like the name of a missing file is an error."""
    return [_given(argument) for argument in arguments or ["-"]]


def _given(argument: str) -> Given:
    try:
        is_file = argument == "-" or (argument.strip() != "" and Path(argument).exists())
    except OSError:  # too long for a file name
        is_file = False
    if is_file:
        return Given(Path(argument))
    has_space = any(character.isspace() for character in argument)
    pattern = _ENDING_OF_A_FILE if has_space else _LIKE_A_FILE
    if pattern.search(argument) or not argument.strip():
        from headwise.errors import HeadwiseError

        raise HeadwiseError(
            f"{argument or 'an empty argument'}: no such file. "
            "Check the name; text that looks like one is best given on standard input."
        )
    return Given(None, argument)


def looks_like_text(given: Given) -> bool:
    """Whether this is running text and not a treebank, by its name or else by its first lines."""
    if given.path is None:
        return True
    name = given.path.name.lower().removesuffix(".gz").removesuffix(".xz")
    if name.endswith(_TEXT_FILES):
        return True
    if name.endswith(_TREEBANK_FILES):
        return False
    start = _start_of(given.path)
    lines = (line.strip(b"\r") for line in start.split(b"\n"))
    first = next((line for line in lines if line.strip() and not line.startswith(b"#")), b"")
    compressed = start.startswith((b"\x1f\x8b", b"\xfd7zXZ\x00"))
    return bool(first) and not compressed and _LIKE_A_CONLL_LINE.match(first) is None


def _start_of(path: Path) -> bytes:
    """The first bytes of a file; what is peeked at on standard input is still there to be read."""
    if str(path) == "-":
        peek = getattr(sys.stdin.buffer, "peek", None)  # something that stands in for it may have none
        return cast(bytes, peek()) if peek else b""
    try:
        with path.open("rb") as file:
            return file.read(_PEEKED)
    except OSError:
        return b""  # whoever reads the file will say what is wrong with it


def sentences_of(
    given: Given,
    model: Pipeline | Parser,
    format: ParseInput,
    *,
    threads: int = 1,
    on_error: OnError = OnError.stop,
) -> tuple[Iterable[Sentence], Reader | None]:
    """The sentences of one input, tokenized and tagged by a pipeline; and the reader of a treebank."""
    from headwise.constituency.recognizing import is_bracket_file
    from headwise.parser.pipeline import Pipeline
    from headwise.treebank import read
    from headwise.treebank.files import read_lines

    if format is ParseInput.auto and given.path is not None and is_bracket_file(given.path):
        raise shell.BadParameter(
            f"{given.name} holds bracketed trees, and the model finds dependencies; convert them (headwise "
            "convert --to conllu), or name a model of phrase structure (-m)"
        )
    pipeline = model if isinstance(model, Pipeline) else None
    if format is ParseInput.auto and (given.path is None or pipeline) and looks_like_text(given):
        format = ParseInput.text
    sentences: Iterable[Sentence]
    reader = None
    if format.is_text:
        if pipeline is None:
            raise shell.BadParameter(
                "the model holds a parser alone; text needs a pipeline (headwise train --pipeline)"
            )
        lines = io.StringIO(given.text) if given.path is None else read_lines(given.path)
        sentences = pipeline.read(lines, input=cast("TextInput", format.value))
    elif given.path is None:
        raise shell.BadParameter(f"{given.name}: no such file, and --from {format.value} reads files")
    else:
        columns = cast("Format", format.value)
        sentences = reader = read(given.path, format=columns, validate="columns", on_error=on_error.value)
    return (pipeline.tag(sentences, threads=threads) if pipeline else sentences), reader
