"""``headwise convert``: treebanks from one format to the other, and to projective trees."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from headwise.base.messages import tell
from headwise.cli import shell
from headwise.cli.choices import ConvertInput, OnError, OutputFormat
from headwise.cli.given_options import refuse_other_options
from headwise.cli.phrases import OPTIONS_OF_CONVERTING_PHRASES, Strip, are_brackets, convert_phrases
from headwise.cli.skipped import report_skipped
from headwise.cli.streams import writing

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
    context: shell.Context,
    files: Annotated[
        list[Path] | None,
        shell.Argument(help="Treebank files, also .gz or .xz, or .parquet; none or - reads standard input."),
    ] = None,
    output: Annotated[
        Path,
        shell.Option("--output", "-o", help="Where to write (.gz and .xz compress); - is standard output."),
    ] = Path("-"),
    from_: Annotated[
        ConvertInput, shell.Option("--from", help="Format of the input; auto tells by name and content.")
    ] = ConvertInput.auto,
    to: Annotated[
        OutputFormat,
        shell.Option("--to", help="Format of the output; text is the running text, as it was written."),
    ] = OutputFormat.same,
    projectivize: Annotated[
        bool,
        shell.Option(
            "--projectivize", help="Replace each tree by the projective tree that shares most arcs."
        ),
    ] = False,
    validate: Annotated[
        Check,
        shell.Option(help="What to check: the columns; that heads make a tree; that it has one root."),
    ] = Check.tree,
    strip: Annotated[
        list[Strip] | None,
        shell.Option(
            help="Of bracketed trees: leave out empty elements (traces), function tags, or phrases whose only"
            " child is a phrase (chains); may be repeated. Dependencies never have empty elements."
        ),
    ] = None,
    head_rules: Annotated[
        str | None,
        shell.Option(
            metavar="NAME|FILE",
            help="Of bracketed trees, for their dependencies: collins, historical, ancora, or a file."
            " (default: those that fit the labels, else learned ones)",
        ),
    ] = None,
    on_error: Annotated[
        OnError, shell.Option(help="Stop at the first broken sentence, or skip and count them.")
    ] = OnError.stop,
) -> None:
    """Convert treebanks between CoNLL-U, CoNLL-X, JSON Lines and Parquet or to text, and projectivize trees.

    What need not change stays as it is, byte for byte. CoNLL-X has no place for comments, multiword tokens,
    empty nodes, DEPS and MISC; they are left out, and counted. A projectivized word keeps its label.
    Bracketed trees become the dependencies that head rules give (--to conllu, conllx or json), or simpler
    trees (--strip).

    Examples:

      headwise convert train.conllu --to conllx -o train.conll

      headwise convert train.conllu --to json | jq .text

      headwise convert parsed.json --to conllu -o parsed.conllu

      headwise convert train.conllu --to text -o train.txt

      headwise convert train.conllu -o train.parquet

      headwise convert train.conllu.xz --projectivize -o train-projective.conllu

      headwise convert train.ptb --to conllu --head-rules collins -o train.conllu

      headwise convert train.ptb --strip empty --strip functions -o simple.ptb

      xz -dc corpus.conllu.xz | headwise convert --on-error skip > clean.conllu
    """
    from headwise.treebank import Losses, annotated, conversion_losses
    from headwise.treebank import convert as converted
    from headwise.treebank.parquet import parquet_writer

    if projectivize and validate is Check.columns:
        raise shell.BadParameter("--projectivize needs trees, so it cannot go with --validate columns")

    if any(map(are_brackets, files or [Path("-")])):
        refuse_other_options(context, OPTIONS_OF_CONVERTING_PHRASES, "with bracketed trees")
        convert_phrases(files or [Path("-")], output, to, strip or [], head_rules, on_error)
        return
    if strip or head_rules is not None:
        raise shell.BadParameter("--strip and --head-rules are for bracketed trees")
    if to is OutputFormat.same and output.suffix == ".parquet":
        to = OutputFormat.parquet
    target = to.conll
    losses = Losses()
    skipped: list[TreebankError] = []
    projectivized = 0
    new_file = parquet_writer if to is OutputFormat.parquet else to.writer
    with writing(output), new_file(output) as opened:
        for path in files or [Path("-")]:
            reader = _reader(path, from_, validate, on_error)
            for sentence in annotated(reader) if projectivize else reader:
                result = sentence
                if projectivize:
                    result = _projectivized(sentence)
                    projectivized += result is not sentence
                if target is not None:
                    losses += conversion_losses(result, target)
                    result = converted(result, target)
                opened.write(result)
            if target in (None, reader.format):
                opened.write_trailer(reader.trailer)
            skipped += reader.skipped
    _report(skipped, losses, projectivized)
    if guessed := getattr(opened, "guessed", 0):
        tell(f"{guessed:,} sentences do not say where spaces are; they were put together by the usual rules")


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
