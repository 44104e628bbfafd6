"""What is named on the command line: files, standard input, or the text itself."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from headwise.cli.choices import OnError, ParseInput

if TYPE_CHECKING:
    from headwise.base.errors import TreebankError
    from headwise.components.text.tokenizer import TextInput, Tokenizer
    from headwise.treebank import Reader, Sentence
    from headwise.treebank.reading import Format

_ENDING_OF_A_FILE = re.compile(r"\.(conllu|conllx|conll|txt|md|json|jsonl|hw|gz|xz)$", re.IGNORECASE)
_LIKE_A_FILE = re.compile(r"[/\\]|\.\w{1,8}$")
_LIKE_A_CONLL_LINE = re.compile(rb"[^\n]*\t|\d+\s+\S+(\s+\S+){6,}")
_TEXT_FILES = (".txt", ".md", ".text")
_TREEBANK_FILES = (".conllu", ".conllx", ".conll")
_PEEKED = 4096
_FILES_LOOKED_AT = 1000


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
    from headwise.base.errors import HeadwiseError
    from headwise.base.messages import tell

    if not argument.strip():
        raise HeadwiseError("an argument is empty. Give a text, or the name of a file.")
    has_space = any(character.isspace() for character in argument)
    pattern = _ENDING_OF_A_FILE if has_space else _LIKE_A_FILE
    near = _name_like(argument)
    if pattern.search(argument):
        raise HeadwiseError(
            f"{argument}: no such file. {f'Did you mean {near}?' if near else 'Check the name.'} "
            "Text that looks like a file name can be given on standard input."
        )
    if near:
        tell(f"no file is called {argument!r} (there is {near}): it was parsed as text")
    elif not has_space:
        tell(f"no file is called {argument!r}: it was parsed as text")
    return Given(None, argument)


def _name_like(argument: str) -> str | None:
    """A file that may have been meant."""
    if len(argument) > 100 or argument.endswith(("!", "?", "…")) or re.search(r"\s\S*\.$", argument):
        return None  # a sentence
    from difflib import get_close_matches

    folder = Path(argument).parent
    try:
        names = [path.name for path in islice(folder.iterdir(), _FILES_LOOKED_AT)]
    except (OSError, ValueError):
        return None
    name = Path(argument).name
    stems = {Path(one).stem: one for one in names}
    near = get_close_matches(name, names, 1, 0.8) or [
        stems[s] for s in get_close_matches(name, stems, 1, 0.9)
    ]
    return str(folder / near[0]) if near else None


def looks_like_text(given: Given) -> bool:
    """Whether this is running text and not a treebank, by its name or else by its first lines."""
    if given.path is None:
        return True
    name = given.path.name.lower().removesuffix(".gz").removesuffix(".xz")
    if name.endswith(_TEXT_FILES):
        return True
    if name.endswith(_TREEBANK_FILES):
        return False
    start = start_of(given.path)
    lines = (line.strip(b"\r") for line in start.split(b"\n"))
    first = next((line for line in lines if line.strip() and not line.startswith(b"#")), b"")
    compressed = start.startswith((b"\x1f\x8b", b"\xfd7zXZ\x00"))
    return bool(first) and not compressed and _LIKE_A_CONLL_LINE.match(first) is None


def start_of(path: Path) -> bytes:
    """The first bytes of a file; what is peeked at on standard input is still there to be read."""
    if str(path) == "-":
        peek = getattr(sys.stdin.buffer, "peek", None)  # something that stands in for it may have none
        return cast(bytes, peek()) if peek else b""
    try:
        with path.open("rb") as file:
            return file.read(_PEEKED)
    except OSError:
        return b""  # whoever reads the file will say what is wrong with it


class Reading:
    """Reads inputs one after the other, as one command wants them."""

    def __init__(
        self,
        tokenizer: Tokenizer | None,
        format: ParseInput,
        on_error: OnError = OnError.stop,
        *,
        offsets: bool = False,
    ) -> None:
        self._tokenizer, self._format, self._on_error, self._offsets = tokenizer, format, on_error, offsets
        self._readers: list[Reader] = []
        self.of_text = 0
        """Sentences of texts so far; they are numbered through."""

    def sentences_of(self, given: Given) -> tuple[Iterable[Sentence], Reader | None]:
        """The sentences of one input, and the reader of a treebank."""
        format = self._format
        if format is ParseInput.auto:
            if given.path is not None:
                _refuse_other_files(given)
            if looks_like_text(given):
                format = ParseInput.text
        if format.is_text:
            return self._read_text(given, format), None
        if given.path is None:
            raise click.UsageError(f"{given.name}: no such file, and --from {format.value} reads files")
        if self._offsets:
            raise click.UsageError(f"--offsets is for text, and {given.name} is a treebank")
        return self._read_treebank(given.path, format)

    def _read_text(self, given: Given, format: ParseInput) -> Iterator[Sentence]:
        from headwise.treebank.files import read_lines

        if self._tokenizer is None:
            raise click.UsageError(
                "the model is a parser alone, and text needs a tokenizer and a tagger, too: train all three "
                "(headwise train --pipeline), or leave out -m for the English ones"
            )
        lines = io.StringIO(given.text) if given.path is None else read_lines(given.path)
        sentences = self._tokenizer.pipe(
            lines,
            input=cast("TextInput", format.value),
            offsets=self._offsets,
            first=self.of_text + 1,
        )
        return self._counted(_naming(sentences, given), given)

    def _counted(self, sentences: Iterable[Sentence], given: Given) -> Iterator[Sentence]:
        """The first one says that a document begins."""
        is_file = given.path is not None and not given.is_stdin
        heading = f"# newdoc id = {printable_name(given.path)}" if is_file else "# newdoc"
        for sentence in sentences:
            self.of_text += 1
            yield sentence if not heading else sentence.with_comments([heading, *sentence.comments])
            heading = ""

    def _read_treebank(self, path: Path, format: ParseInput) -> tuple[Iterable[Sentence], Reader]:
        from headwise.treebank import read

        columns = cast("Format", format.value)
        reader = read(path, format=columns, validate="columns", on_error=self._on_error.value)
        self._readers.append(reader)
        return reader, reader

    @property
    def skipped(self) -> list[TreebankError]:
        """The broken sentences that were passed over."""
        return [error for reader in self._readers for error in reader.skipped]


def _naming(sentences: Iterable[Sentence], given: Given) -> Iterator[Sentence]:
    """What is wrong with a text is said with the name of its file: there may be several."""
    from headwise.components.text import TextError
    from headwise.treebank.files import name_of

    try:
        yield from sentences
    except TextError as error:
        if given.path is None:
            raise
        raise TextError(f"{name_of(given.path)}: {error}") from error


def printable_name(path: Path | None) -> str:
    """A file name as a comment of a treebank can hold it."""
    from headwise.base.writing_systems import printable

    return printable(str(path).encode(errors="replace").decode())


def _refuse_other_files(given: Given) -> None:
    """Files that hold something else than text or a treebank, by how they begin."""
    from headwise.base.errors import HeadwiseError
    from headwise.model import looks_like_model

    assert given.path is not None
    if not given.is_stdin and looks_like_model(given.path):
        raise HeadwiseError(
            f"{given.name} is a model, not text. To parse with it: headwise parse -m {given.path} TEXT"
        )
    name = given.path.name.lower()
    if name.endswith((".txt", ".conllu", ".conllx")):
        return
    from headwise.constituency.recognizing import is_bracket_file

    if is_bracket_file(given.path):
        raise click.UsageError(
            f"{given.name} holds bracketed trees, and the model finds dependencies; convert them (headwise "
            "phrases convert --to conllu), or parse them with headwise phrases parse"
        )
