"""``headwise parse``: trees for sentences that are already split into words."""

from __future__ import annotations

import sys
from enum import StrEnum
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwise.cli.train import OnError

if TYPE_CHECKING:
    from headwise.parser import Parser
    from headwise.treebank import Reader, Sentence


class InputFormat(StrEnum):
    auto = "auto"
    conllu = "conllu"
    conllx = "conllx"


class OutputFormat(StrEnum):
    same = "same"
    conllu = "conllu"
    conllx = "conllx"


def parse(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Treebank files, also .gz or .xz; none or - reads standard input.")
    ] = None,
    model: Annotated[Path, typer.Option("--model", "-m", help="The model file.")] = ...,  # type: ignore[assignment]
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write; standard output by default.")
    ] = None,
    from_: Annotated[InputFormat, typer.Option("--from", help="Format of the input.")] = InputFormat.auto,
    to: Annotated[
        OutputFormat, typer.Option("--to", help="Format of the output; 'same' changes HEAD and DEPREL only.")
    ] = OutputFormat.same,
    threads: Annotated[int, typer.Option(min=0, help="0 uses every core; the output is the same.")] = 1,
    on_error: Annotated[
        OnError, typer.Option(help="Stop at the first broken sentence, or skip and count them.")
    ] = OnError.stop,
) -> None:
    """Parse tokenized sentences.

    Example: headwise parse input.conllu -m model.hw -o parsed.conllu

    Reads CoNLL-U or CoNLL-X and writes the same lines with HEAD and DEPREL filled in; every other byte
    (comments, multiword tokens, empty nodes, MISC) stays as it was.
    """
    from headwise.parser import Parser
    from headwise.treebank import read, write
    from headwise.treebank.files import opened_for_writing

    parser = Parser.load(model)
    skipped = 0
    with opened_for_writing(output or "-") as file:
        for path in files or [Path("-")]:
            reader = read(path, format=from_.value, validate="columns", on_error=on_error.value)
            write(_Parsed(reader, parser, to, threads), file)
            skipped += len(reader.skipped)
            for problem in reader.skipped[:5]:
                print(f"headwise: skipped: {problem}", file=sys.stderr)
    if skipped:
        print(f"headwise: skipped {skipped} broken sentence(s) in all", file=sys.stderr)


class _Parsed:
    """The sentences of a reader with their trees filled in, and what follows the last of them."""

    def __init__(self, reader: Reader, parser: Parser, to: OutputFormat, threads: int) -> None:
        self._reader, self._parser, self._to, self._threads = reader, parser, to, threads

    def __iter__(self) -> Iterator[Sentence]:
        from headwise.treebank import convert

        for parse in self._parser.pipe(self._reader, threads=self._threads):
            sentence = parse.to_sentence()
            yield sentence if self._to == "same" else convert(sentence, self._to.value)

    @property
    def trailer(self) -> bytes:
        return self._reader.trailer
