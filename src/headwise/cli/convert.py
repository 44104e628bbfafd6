"""``headwise convert``: treebanks from one format to the other, and to projective trees."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import click

from headwise.base.messages import tell
from headwise.cli.brackets import refuse_brackets
from headwise.cli.choices import ConvertInput, IfBroken, OnError, Written
from headwise.cli.command import Argument, Option
from headwise.cli.skipped import report_skipped
from headwise.cli.streams import writing
from headwise.pipeline.formats.registry import FORMATS, format_by_name, format_of_file

if TYPE_CHECKING:
    from headwise.base.errors import TreebankError
    from headwise.treebank import Losses, Reader, Sentence
    from headwise.treebank.json_lines import JsonReader
    from headwise.treebank.reading import Format


class Check(StrEnum):
    columns = "columns"
    tree = "tree"
    single_root = "single-root"


def convert(
    files: Annotated[
        list[Path] | None,
        Argument(help="Treebank files, also .gz or .xz, or .parquet; none or - reads standard input."),
    ] = None,
    output: Written = Path("-"),
    from_: Annotated[
        ConvertInput, Option("--from", help="Format of the input; auto tells by name and content.")
    ] = ConvertInput.auto,
    to: Annotated[
        str,
        Option(
            "--to",
            choices=tuple(format.name for format in FORMATS),
            help="Format of the output; text is the running text, as it was written. By default what the name"
            " of a Parquet file says, else that of the input.",
        ),
    ] = "same",
    projectivize: Annotated[
        bool,
        Option("--projectivize", help="Replace each tree by the projective tree that shares most arcs."),
    ] = False,
    validate: Annotated[
        Check,
        Option(help="What to check: the columns; that heads make a tree; that it has one root."),
    ] = Check.tree,
    on_error: IfBroken = OnError.stop,
) -> None:
    """Convert treebanks between CoNLL-U, CoNLL-X, JSON Lines and Parquet or to text, and projectivize trees.

    What need not change stays as it is, byte for byte. CoNLL-X has no place for comments, multiword tokens,
    empty nodes, DEPS and MISC; they are left out, and counted. A projectivized word keeps its label.

    Examples:

      headwise convert train.conllu --to conllx -o train.conll

      headwise convert train.conllu --to json | jq .text

      headwise convert parsed.json --to conllu -o parsed.conllu

      headwise convert train.conllu --to text -o train.txt

      headwise convert train.conllu -o train.parquet

      headwise convert train.conllu.xz --projectivize -o train-projective.conllu

      xz -dc corpus.conllu.xz | headwise convert --on-error skip > clean.conllu
    """
    from headwise.treebank import Losses, annotated, conversion_losses

    if projectivize and validate is Check.columns:
        raise click.UsageError("--projectivize needs trees, so it cannot go with --validate columns")
    refuse_brackets("convert", files or [Path("-")])
    if to == "same" and (named := format_of_file(output)) is not None and not named.is_text:
        to = named.name
    format = format_by_name(to)
    losses = Losses()
    skipped: list[TreebankError] = []
    projectivized = 0
    with writing(output), format.opened(output) as opened:
        for path in files or [Path("-")]:
            reader = _reader(path, from_, validate, on_error)
            for sentence in annotated(reader) if projectivize else reader:
                result = sentence
                if projectivize:
                    result = _projectivized(sentence)
                    projectivized += result is not sentence
                if format.columns is not None:
                    losses += conversion_losses(result, format.columns)
                opened.write(result)
            if format.columns in (None, reader.format):
                opened.write_trailer(reader.trailer)
            skipped += reader.skipped
    _report(skipped, losses, projectivized)
    if opened.guessed:
        what = f"{opened.guessed:,} sentences do not say where spaces are"
        tell(f"{what}; they were put together by the usual rules")


def _reader(path: Path, from_: ConvertInput, validate: Check, on_error: OnError) -> Reader | JsonReader:
    from headwise.cli.inputs import start_of
    from headwise.treebank import read
    from headwise.treebank.json_lines import JsonReader
    from headwise.treebank.parquet import read_parquet
    from headwise.treebank.reading import looks_like_json

    choices: dict[str, Any] = {"validate": validate.value, "on_error": on_error.value}
    if path.suffix == ".parquet":
        return read_parquet(path, **choices)
    name = path.name.removesuffix(".gz").removesuffix(".xz")
    is_json = name.endswith((".json", ".jsonl")) or looks_like_json(start_of(path))
    if from_ is ConvertInput.json or (from_ is ConvertInput.auto and is_json):
        return JsonReader(path, **choices)
    return read(path, format=cast("Format", from_.value), **choices)


def _projectivized(sentence: Sentence) -> Sentence:
    """A tree with one root keeps one; one with several may have several."""
    from headwise.treebank import projectivized

    return projectivized(sentence, single_root=int((sentence.heads == 0).sum()) == 1)


def _report(skipped: list[TreebankError], losses: Losses, projectivized: int) -> None:
    report_skipped(skipped)
    if projectivized:
        tell(f"{projectivized:,} trees projectivized")
    if losses:
        tell(f"left out, as the format has no place for it: {losses}")
