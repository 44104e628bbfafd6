"""``headwise corpus``: files and folders of text, parsed into a folder of shards."""

from __future__ import annotations

import os
import re
import signal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from headwise.base.messages import tell
from headwise.base.seed import DEFAULT_SEED
from headwise.cli import shell
from headwise.cli.choices import LARGEST_SEED
from headwise.cli.given_options import refuse_other_options
from headwise.components.parser.decoders import Decoder

_UNITS = {"": 1, "K": 10**3, "KB": 10**3, "M": 10**6, "MB": 10**6, "G": 10**9, "GB": 10**9}


_OPTIONS_OF_COUNTS = frozenset(
    (
        *("inputs", "output", "model", "to", "from_", "workers", "ray", "text_field", "id_field"),
        *("shard_size", "compress", "max_failures", "log"),
    )
)
"""The parameters that mean something with --to bigrams."""


class CorpusOutput(StrEnum):
    conllu = "conllu"
    jsonl = "jsonl"
    parquet = "parquet"
    bigrams = "bigrams"


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
    context: shell.Context,
    inputs: Annotated[
        list[str],
        shell.Argument(
            metavar="INPUT",
            help="Files and folders of .txt, .jsonl, .parquet and .conllu, also .gz or .xz.",
            show_default=False,
        ),
    ],
    output: Annotated[Path, shell.Option("--output", "-o", help="The folder to write to.")],
    model: Annotated[
        str | None,
        shell.Option(
            "--model",
            "-m",
            metavar="NAME|FILE",
            help="A model file, or a bundled model.",
            show_default="en; for bigrams, words are found by a plain rule",
        ),
    ] = None,
    to: Annotated[
        CorpusOutput,
        shell.Option(
            "--to", help="Format of the output; bigrams counts words and parses nothing (headwise cluster)."
        ),
    ] = CorpusOutput.conllu,
    from_: Annotated[
        Layout,
        shell.Option(
            "--from",
            help="Layout of text: empty lines between paragraphs (text), a paragraph a line (paragraphs), a"
            " sentence a line (lines), or that with spaces between its tokens (tokens).",
        ),
    ] = Layout.text,
    workers: Annotated[
        int | None,
        shell.Option(min=1, help="Processes; the output is the same.", show_default="every processor"),
    ] = None,
    ray: Annotated[
        str | None,
        shell.Option(
            metavar="ADDRESS", help="Work on a Ray cluster: its address, auto, or local to start one here."
        ),
    ] = None,
    confidence: Annotated[
        bool, shell.Option("--confidence", help="Write how probable each head, label and tree is.")
    ] = False,
    offsets: Annotated[
        bool, shell.Option("--offsets", help="Write where each token stands in its document (TokenRange).")
    ] = False,
    decoder: Annotated[
        Decoder | None, shell.Option(help="Which tree; see headwise parse. (default: the model's)")
    ] = None,
    seed: Annotated[
        int, shell.Option(min=0, max=LARGEST_SEED, help="For decoders that start from random trees.")
    ] = DEFAULT_SEED,
    text_field: Annotated[
        str, shell.Option(help="The field of JSON, or column of Parquet, that holds the text.")
    ] = "text",
    id_field: Annotated[str, shell.Option(help="The one that holds the id of the document.")] = "id",
    shard_size: Annotated[
        str, shell.Option(metavar="SIZE", help="Text for one output file: 4MB, 64MB.")
    ] = "4MB",
    compress: Annotated[
        Compression, shell.Option(help="Compress CoNLL-U or JSON; Parquet always is.")
    ] = Compression.none,
    max_failures: Annotated[
        float,
        shell.Option(min=0, max=1, help="The share of the text that may be set aside before the run ends."),
    ] = 0.01,
    log: Annotated[
        Path | None,
        shell.Option(
            help="Where to write what happens, as JSON lines; - is standard output.", show_default=False
        ),
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
    from headwise.corpus import CorpusOptions, parse_corpus
    from headwise.corpus.output import OtherRunError

    if to is CorpusOutput.parquet and compress is not Compression.none:
        raise shell.BadParameter("Parquet is compressed already; leave out --compress")
    if to is CorpusOutput.bigrams:
        refuse_other_options(context, _OPTIONS_OF_COUNTS, "with --to bigrams: nothing is parsed")
    options = CorpusOptions(
        to=to.value,
        layout=from_.value,
        confidence=confidence,
        offsets=offsets,
        decoder=None if decoder is None else decoder.value,
        seed=seed,
        text_field=text_field,
        id_field=id_field,
        shard_bytes=_bytes(shard_size),
        compression=_ENDINGS[compress],
    )
    count = workers if workers is not None else 0 if ray else os.cpu_count() or 1
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
        raise shell.BadParameter(str(error)) from error
    except KeyboardInterrupt:
        tell("interrupted; the same command goes on from here")
        raise shell.Exit(130) from None
    tell(f"{totals}")


def _end(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def _bytes(size: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMG]?B?)", size.strip(), re.IGNORECASE)
    number = int(float(match[1]) * _UNITS[match[2].upper()]) if match and match[2].upper() in _UNITS else 0
    if number < 64:
        raise shell.BadParameter(f"--shard-size takes a number of bytes such as 4MB or 64MB, not {size}")
    return number
