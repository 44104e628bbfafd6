"""``headwise corpus``: files and folders of text, parsed into a folder of shards."""

from __future__ import annotations

import re
import signal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import click

from headwise.base.cores import cores
from headwise.base.messages import tell
from headwise.base.seed import DEFAULT_SEED
from headwise.cli.choices import LARGEST_SEED
from headwise.cli.command import Argument, Option, refuse_other_options
from headwise.components.parser.decoders import Decoder
from headwise.pipeline.formats.registry import OF_CORPORA

_UNITS = {"": 1, "K": 10**3, "KB": 10**3, "M": 10**6, "MB": 10**6, "G": 10**9, "GB": 10**9}


_BIGRAMS = "bigrams"
_OPTIONS_OF_COUNTS = frozenset(
    (
        *("inputs", "output", "model", "to", "from_", "workers", "ray", "text_field", "id_field"),
        *("shard_size", "compress", "max_failures", "log"),
    )
)
"""The parameters that mean something with --to bigrams."""


class Layout(StrEnum):
    text = "text"
    paragraphs = "paragraphs"
    lines = "lines"
    tokens = "tokens"


class Compression(StrEnum):
    none = "none"
    gz = "gz"
    xz = "xz"


_ENDINGS: dict[Compression, Literal["", "gz", "xz"]] = {
    Compression.none: "",
    Compression.gz: "gz",
    Compression.xz: "xz",
}


def corpus(
    inputs: Annotated[
        list[str],
        Argument(
            metavar="INPUT",
            help="Files and folders of .txt, .jsonl, .parquet and .conllu, also .gz or .xz.",
            show_default=False,
        ),
    ],
    output: Annotated[Path, Option("--output", "-o", help="The folder to write to.")],
    model: Annotated[
        str | None,
        Option(
            "--model",
            "-m",
            metavar="NAME|FILE",
            help="A model file, or a bundled model.",
            show_default="en; for bigrams, words are found by a plain rule",
        ),
    ] = None,
    to: Annotated[
        str,
        Option(
            "--to",
            choices=(*OF_CORPORA, "jsonl", _BIGRAMS),
            help="Format of the output; bigrams counts words and parses nothing (headwise cluster).",
        ),
    ] = "conllu",
    from_: Annotated[
        Layout,
        Option(
            "--from",
            help="Layout of text: empty lines between paragraphs (text), a paragraph a line (paragraphs), a"
            " sentence a line (lines), or that with spaces between its tokens (tokens).",
        ),
    ] = Layout.text,
    workers: Annotated[
        int | None,
        Option(min=1, help="Processes; the output is the same.", show_default="every processor"),
    ] = None,
    ray: Annotated[
        str | None,
        Option(
            metavar="ADDRESS", help="Work on a Ray cluster: its address, auto, or local to start one here."
        ),
    ] = None,
    confidence: Annotated[
        bool, Option("--confidence", help="Write how probable each head, label and tree is.")
    ] = False,
    retag: Annotated[
        bool,
        Option(
            "--retag",
            help="Replace the tags of treebank files; without this, sentences that have tags keep them.",
        ),
    ] = False,
    offsets: Annotated[
        bool, Option("--offsets", help="Write where each token stands in its document (TokenRange).")
    ] = False,
    decoder: Annotated[
        Decoder | None, Option(help="Which tree; see headwise parse. (default: the model's)")
    ] = None,
    seed: Annotated[
        int, Option(min=0, max=LARGEST_SEED, help="For decoders that start from random trees.")
    ] = DEFAULT_SEED,
    text_field: Annotated[
        str, Option(help="The field of JSON, or column of Parquet, that holds the text.")
    ] = "text",
    id_field: Annotated[str, Option(help="The one that holds the id of the document.")] = "id",
    shard_size: Annotated[str, Option(metavar="SIZE", help="Text for one output file: 4MB, 64MB.")] = "4MB",
    compress: Annotated[
        Compression, Option(help="Compress CoNLL-U or JSON; Parquet always is.")
    ] = Compression.none,
    max_failures: Annotated[
        float,
        Option(min=0, max=1, help="The share of the text that may be set aside before the run ends."),
    ] = 0.01,
    log: Annotated[
        Path | None,
        Option(help="Where to write what happens, as JSON lines; - is standard output.", show_default=False),
    ] = None,
) -> None:
    """Parse files and folders of any size into a folder of shards, with all cores or on a Ray cluster.

    A run can be stopped, or killed, at any time: the same command goes on where it was, and the result is the
    same, byte for byte. What cannot be parsed is set aside with the reason, and counted.

    Examples:

      headwise corpus texts/ -o parsed/

      headwise corpus texts/ more.jsonl.gz -o parsed/ --to parquet --workers 8

      headwise corpus texts/ -o parsed/ --ray auto --shard-size 64MB

      headwise corpus texts/ -o counts/ --to bigrams && headwise cluster counts/ -o clusters.txt

    docs/corpora.md says what is written, and how to query it.
    """
    from headwise.components.parser.search import Search, Tags
    from headwise.corpus import CorpusOptions, parse_corpus
    from headwise.corpus.output import OtherRunError

    if to == _BIGRAMS:
        refuse_other_options(_OPTIONS_OF_COUNTS, "with --to bigrams: nothing is parsed")
    tags: Tags = "replace" if retag else "keep"
    search = Search(decoder=decoder, seed=seed, confidence=confidence, tags=tags)
    try:
        options = CorpusOptions(
            to=to,
            layout=from_.value,
            offsets=offsets,
            search=search,
            text_field=text_field,
            id_field=id_field,
            shard_bytes=_bytes(shard_size),
            compression=_ENDINGS[compress],
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    count = workers if workers is not None else 0 if ray else cores(0)
    signal.signal(signal.SIGTERM, _end)
    try:
        totals = parse_corpus(
            inputs,
            output,
            model=model,
            options=options,
            workers=count,
            ray=ray,
            max_failed=max_failures,
            log=log,
        )
    except OtherRunError as error:
        raise click.UsageError(str(error)) from error
    except KeyboardInterrupt:
        tell("interrupted; the same command goes on from here")
        raise click.exceptions.Exit(130) from None
    tell(f"{totals}")


def _end(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def _bytes(size: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMG]?B?)", size.strip(), re.IGNORECASE)
    number = int(float(match[1]) * _UNITS[match[2].upper()]) if match and match[2].upper() in _UNITS else 0
    if number < 64:
        raise click.UsageError(f"--shard-size takes a number of bytes such as 4MB or 64MB, not {size}")
    return number
