"""``headwise parse``: trees for text, or for sentences that are already split into words."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwise.cli.choices import OnError, ParseInput, ParseOutput
from headwise.cli.inputs import given_inputs, sentences_of
from headwise.cli.skipped import report_skipped
from headwise.decoders import Decoder

if TYPE_CHECKING:
    from headwise.errors import TreebankError


LIMITED = "# headwise_limit = long sentence: arcs were pruned word by word"


def parse(
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[TEXT|FILE]...",
            help="Text, or files of text or of a treebank, also .gz or .xz; none or - reads standard input.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str, typer.Option("--model", "-m", metavar="NAME|FILE", help="A model file, or a bundled model.")
    ] = "en",
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Where to write (.gz and .xz compress); - is standard output."),
    ] = Path("-"),
    from_: Annotated[
        ParseInput,
        typer.Option(
            "--from",
            help="Format of the input: a treebank's, or running text, lines (one sentence each) or tokens (a"
            " sentence a line, spaces between tokens); auto looks at it.",
        ),
    ] = ParseInput.auto,
    to: Annotated[
        ParseOutput | None,
        typer.Option(
            "--to",
            help="Format of the output; 'same' changes HEAD and DEPREL only, 'tree' draws."
            " (default: tree on a terminal, else same; CoNLL-U from text)",
        ),
    ] = None,
    decoder: Annotated[
        Decoder | None,
        typer.Option(
            help="Which tree: the best one (map), or the one with the most heads expected to be right"
            " (minimum-risk). (default: the model's)"
        ),
    ] = None,
    threads: Annotated[int, typer.Option(min=0, help="0 uses every core; the output is the same.")] = 1,
    on_error: Annotated[
        OnError, typer.Option(help="Stop at the first broken sentence, or skip and count them.")
    ] = OnError.stop,
) -> None:
    """Parse text, or the sentences of a treebank file.

    Examples:

      headwise parse "She announced a program to promote safety in trucks and vans."

      headwise parse book.txt -o book.conllu

      headwise parse input.conllu -m model.hw -o parsed.conllu

    An argument that names no file is text. Trees are drawn on a terminal; elsewhere text becomes CoNLL-U, and
    CoNLL-U or CoNLL-X comes back as the same lines with HEAD and DEPREL filled in (by a pipeline, as bundled
    models are, also tags and lemmas); every other byte (comments, multiword tokens, MISC) stays as it was.
    With --to json, writes a JSON document a line, as docs/json.md describes.
    """
    from headwise.pipeline import Pipeline, load
    from headwise.treebank import convert

    gc.disable()  # parsing makes no cycles, and looking for them among a million objects takes time
    given = given_inputs(inputs)
    loaded = load(model)
    parser = loaded.parser if isinstance(loaded, Pipeline) else loaded
    if to is None:
        to = ParseOutput.tree if str(output) == "-" and sys.stdout.isatty() else ParseOutput.same
    target = to.file_format.conll
    skipped: list[TreebankError] = []
    with to.writer(output) as opened:
        for one in given:
            sentences, reader = sentences_of(one, loaded, from_, threads=threads, on_error=on_error)
            for parse in parser.pipe(sentences, threads=threads, decoder=decoder):
                sentence = parse.to_sentence()
                if parse.limited and sentence.format == "conllu" and LIMITED not in sentence.comments:
                    sentence = sentence.with_added_comments([LIMITED])
                opened.write(sentence if target is None else convert(sentence, target))
            if reader is not None:
                if target in (None, reader.format):
                    opened.write_trailer(reader.trailer)
                skipped += reader.skipped
    report_skipped(skipped)
