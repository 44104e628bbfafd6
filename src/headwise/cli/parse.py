"""``headwise parse``: trees for sentences that are already split into words."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.train import OnError


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

    parser = Parser.load(model)
    skipped = 0
    for path in files or [Path("-")]:
        reader = read(path, format=from_.value, on_error=on_error.value)
        write((p.to_sentence() for p in parser.pipe(reader, threads=threads)), output or "-")
        skipped += len(reader.skipped)
    if skipped:
        print(f"headwise: skipped {skipped} broken sentence(s)", file=sys.stderr)
