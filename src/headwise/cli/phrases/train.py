"""``headwise phrases train``: from bracketed trees to a model file."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import click

from headwise.base.cores import cores
from headwise.cli.choices import LARGEST_SEED, IfBroken, ModelOutput, OnError, Quiet, Threads
from headwise.cli.command import Argument, Option
from headwise.cli.phrases.options import HeadRules
from headwise.cli.skipped import report_skipped


class Joined(StrEnum):
    none = "none"
    tagger = "tagger"
    dependencies = "dependencies"


def train(
    treebank: Annotated[Path, Argument(help="Bracketed trees to learn from, also .gz or .xz.")],
    output: ModelOutput,
    dev: Annotated[
        Path | None, Option(help="Development trees, which choose how much a --joined model counts.")
    ] = None,
    joined: Annotated[
        Joined,
        Option(
            help="Make the grammar agree with a tagger, or with a second-order dependency parser on tags of a"
            " tagger (docs/phrase-structure.md)."
        ),
    ] = Joined.none,
    head_rules: HeadRules = None,
    seed: Annotated[
        int, Option(min=0, max=LARGEST_SEED, help="Same seed and data: the same model, byte for byte.")
    ] = 1,
    threads: Threads = 1,
    on_error: IfBroken = OnError.stop,
    quiet: Quiet = False,
) -> None:
    """Train a phrase-structure parser on bracketed trees: Collins' Model 1, alone or joined with another.

    Examples:

      headwise phrases train train.ptb -o phrases.hw

      headwise phrases train train.ptb --joined dependencies -o phrases.hw
    """
    from headwise.constituency.brackets import read_brackets
    from headwise.constituency.head_rules import HeadRules
    from headwise.constituency.parser import PhraseParser

    if dev is not None and joined is Joined.none:
        raise click.UsageError("--dev tunes the weight of a joined model; there is none without --joined")

    def message(text: str) -> None:
        if not quiet:
            print(text, file=sys.stderr, flush=True)

    readers = [read_brackets(path, on_error=on_error.value) for path in (treebank, dev) if path is not None]
    parser = PhraseParser.train(
        readers[0],
        dev=readers[1] if dev else None,
        join=joined.value,
        rules=None if head_rules is None else HeadRules.load(head_rules),
        seed=seed,
        threads=cores(threads),
        message=message,
    )
    report_skipped([error for reader in readers for error in reader.skipped])
    parser.save(output)
    message(f"wrote {output} ({output.stat().st_size / 1e6:.1f} MB)")
