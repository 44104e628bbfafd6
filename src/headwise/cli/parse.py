"""``headwise parse``: trees for sentences that are already split into words."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwise.cli.choices import InputFormat, OnError, OutputFormat
from headwise.cli.skipped import report_skipped

if TYPE_CHECKING:
    from headwise.errors import TreebankError


LIMITED = "# headwise_limit = long sentence: arcs were pruned word by word"


def parse(
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Treebank files, also .gz or .xz; none or - reads standard input."),
    ] = None,
    model: Annotated[Path, typer.Option("--model", "-m", help="The model file.")] = ...,  # type: ignore[assignment]
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Where to write (.gz and .xz compress); - is standard output."),
    ] = Path("-"),
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
    (comments, multiword tokens, empty nodes, MISC) stays as it was. With --to json, writes a JSON document a
    line, as docs/json.md describes.
    """
    from headwise.parser import Parser
    from headwise.treebank import convert, read

    gc.disable()  # parsing makes no cycles, and looking for them among a million objects takes time
    parser = Parser.load(model)
    target = to.conll
    skipped: list[TreebankError] = []
    with to.writer(output) as opened:
        for path in files or [Path("-")]:
            reader = read(path, format=from_.value, validate="columns", on_error=on_error.value)
            for parse in parser.pipe(reader, threads=threads):
                sentence = parse.to_sentence()
                if parse.limited and sentence.format == "conllu":
                    sentence = sentence.with_added_comments([LIMITED])
                opened.write(sentence if target is None else convert(sentence, target))
            if target in (None, reader.format):
                opened.write_trailer(reader.trailer)
            skipped += reader.skipped
    report_skipped(skipped)
