"""``headwise pretrain``: from raw text to the layers that a network starts from."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from headwise.cli.command import Option
from headwise.cli.word_options import Input, Model, Texts, WordsFrom
from headwise.learning import choices
from headwise.training.pretraining_settings import PretrainingSettings

if TYPE_CHECKING:
    from headwise.learning import EpochReport, Listener

DEFAULT = PretrainingSettings()


def pretrain(
    texts: Texts,
    output: Annotated[Path, Option("--output", "-o", help="Where to write what was learned.")],
    epochs: Annotated[int, Option(min=1, help="Passes over the text.")] = DEFAULT.epochs,
    words: Annotated[
        int, Option(min=1, help="So many of the most frequent words have vectors.")
    ] = DEFAULT.words,
    vectors: Annotated[int, Option(min=1, max=4096, help="Numbers of a vector.")] = DEFAULT.vectors,
    width: Annotated[
        int, Option(min=16, max=4096, help="How wide LSTMs are; a multiple of 16.")
    ] = DEFAULT.width,
    layers: Annotated[int, Option(min=1, max=16, help="How many layers.")] = DEFAULT.layers,
    batch: Annotated[int, Option(min=1, help="Words of a step.")] = DEFAULT.batch,
    input: Input = WordsFrom.auto,
    model: Model = None,
    device: Annotated[choices.Device, Option(help="auto: a GPU where there is one.")] = DEFAULT.device,
    seed: Annotated[int, Option(min=0, help="The same seed gives the same file, on one device.")] = 1,
    resume: Annotated[
        bool, Option("--resume", help="Go on with a run that was killed (OUTPUT.state).")
    ] = False,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Let raw text teach a network which words are used alike, before a treebank teaches it trees.

    `headwise train --pipeline --pretrained OUTPUT` starts from it. Both need PyTorch.

    Examples:

      headwise pretrain news.txt.xz -m en -o en.hwe

      headwise pretrain tokens.txt.xz --input tokens --epochs 5 -o sv.hwe
    """
    from headwise._native.clusters import WordLineCollector
    from headwise.pipeline.word_tokenizer import word_tokenizer
    from headwise.training.neural import pretraining
    from headwise.words.clusters.text import read_words

    try:
        settings = PretrainingSettings(
            epochs=epochs,
            words=words,
            vectors=vectors,
            width=width,
            layers=layers,
            batch=batch,
            device=device,
            seed=seed,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    collector = WordLineCollector()
    read_words(texts, [collector], input=input.value, tokenizer=word_tokenizer(model))
    listener = _listener(quiet)
    found = pretraining.pretrain(collector, settings, listener=listener, output=output, resume=resume)
    found.save(output)
    listener.message(f"wrote {output}: {found} ({output.stat().st_size / 1e6:.1f} MB)")


def _listener(quiet: bool) -> Listener:
    """Progress goes to standard error."""
    from headwise.learning import Listener

    if quiet:
        return Listener()
    live = sys.stderr.isatty()

    def progress(epoch: int, fraction: float) -> None:
        if live:
            print(f"\r\x1b[Kepoch {epoch}: {fraction:4.0%}", end="", file=sys.stderr, flush=True)

    def message(text: str) -> None:
        print(("\r\x1b[K" if live else "") + text, file=sys.stderr, flush=True)

    def epoch(report: EpochReport) -> None:
        message(
            f"epoch {report.epoch}/{report.epochs}  loss {report.loss:.4f} a word  "
            f"{report.seconds:.0f} s, {report.seconds_left:.0f} s left"
        )

    return Listener(progress=progress, epoch=epoch, message=message)
