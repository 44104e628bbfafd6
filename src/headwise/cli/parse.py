"""``headwise parse``: trees for sentences that are already split into words."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from headwise.cli.choices import OnError, OutputFormat, ParseInput
from headwise.cli.skipped import report_skipped
from headwise.decoders import Decoder

if TYPE_CHECKING:
    from headwise.errors import TreebankError
    from headwise.text.tokenizer import TextInput
    from headwise.treebank.reading import Format


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
    from_: Annotated[
        ParseInput,
        typer.Option(
            "--from",
            help="Format of the input. A pipeline also reads running text, lines (one sentence each) and"
            " tokens (a sentence a line, spaces between tokens).",
        ),
    ] = ParseInput.auto,
    to: Annotated[
        OutputFormat, typer.Option("--to", help="Format of the output; 'same' changes HEAD and DEPREL only.")
    ] = OutputFormat.same,
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
    """Parse sentences of a treebank file or, with a pipeline, raw text.

    Examples:

      headwise parse input.conllu -m model.hw -o parsed.conllu

      headwise parse --from text book.txt -m pipeline.hw > book.conllu

    Reads CoNLL-U or CoNLL-X and writes the same lines with HEAD and DEPREL filled in; every other byte
    (comments, multiword tokens, empty nodes, MISC) stays as it was. With --to json, writes a JSON document a
    line, as docs/json.md describes.
    """
    from headwise.pipeline import Pipeline, load
    from headwise.treebank import convert, read
    from headwise.treebank.files import read_lines

    gc.disable()  # parsing makes no cycles, and looking for them among a million objects takes time
    loaded = load(model)
    if from_.is_text and not isinstance(loaded, Pipeline):
        raise typer.BadParameter(
            f"{model} holds a parser alone; text needs a pipeline (headwise train --pipeline)"
        )
    target = to.conll
    skipped: list[TreebankError] = []
    with to.writer(output) as opened:
        for path in files or [Path("-")]:
            reader = None
            if from_.is_text:
                assert isinstance(loaded, Pipeline)
                text = cast("TextInput", from_.value)
                parses = loaded.pipe(read_lines(path), input=text, threads=threads, decoder=decoder)
            else:
                format = cast("Format", from_.value)
                reader = read(path, format=format, validate="columns", on_error=on_error.value)
                pipe = loaded.pipe_sentences if isinstance(loaded, Pipeline) else loaded.pipe
                parses = pipe(reader, threads=threads, decoder=decoder)
            for parse in parses:
                sentence = parse.to_sentence()
                if parse.limited and sentence.format == "conllu" and LIMITED not in sentence.comments:
                    sentence = sentence.with_added_comments([LIMITED])
                opened.write(sentence if target is None else convert(sentence, target))
            if reader is not None:
                if target in (None, reader.format):
                    opened.write_trailer(reader.trailer)
                skipped += reader.skipped
    report_skipped(skipped)
