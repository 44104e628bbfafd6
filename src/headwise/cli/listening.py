"""What a training run says while it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwise.learning import EpochReport, Listener


def training_listener(quiet: bool, shown: Callable[[EpochReport], str]) -> Listener:
    """Progress goes to standard error: a live line on a terminal, one line an epoch elsewhere."""
    from headwise.learning import Listener

    if quiet:
        return Listener()
    live = sys.stderr.isatty()

    def progress(epoch: int, fraction: float) -> None:
        if live:
            print(f"\r\x1b[Kepoch {epoch}: {fraction:4.0%}", end="", file=sys.stderr, flush=True)

    def message(text: str) -> None:
        print(("\r\x1b[K" if live else "") + text, file=sys.stderr, flush=True)

    return Listener(progress=progress, epoch=lambda report: message(shown(report)), message=message)


def epoch_of_heads(report: EpochReport) -> str:
    """Of a parser."""
    return _epoch(report, "heads")


def epoch_of_tags(report: EpochReport) -> str:
    """Of a tagger."""
    return _epoch(report, "tags")


def _epoch(report: EpochReport, learned: str) -> str:
    parts = [f"epoch {report.epoch}/{report.epochs}"]
    if report.measures:
        parts += [f"{name} {value:.6g}" for name, value in report.measures.items()]
    else:
        parts.append(f"loss {report.loss:.4f}")
    if report.train_errors is not None:
        parts.append(f"wrong {learned} {report.train_errors:.2%}")
    if report.dev:
        parts.append(f"{report.dev}{' *' if report.is_best else ''}")
    if report.sentences_per_second:
        parts.append(f"{report.sentences_per_second:,.0f} sentences/s")
    return "  ".join([*parts, f"{report.seconds:.0f} s, {report.seconds_left:.0f} s left"])


def epoch_of_words(report: EpochReport) -> str:
    """Of what raw text teaches."""
    return (
        f"epoch {report.epoch}/{report.epochs}  loss {report.loss:.4f} a word  "
        f"{report.seconds:.0f} s, {report.seconds_left:.0f} s left"
    )


def wrote(output: Path) -> str:
    """That a file is there, and how large it is."""
    return f"wrote {output} ({output.stat().st_size / 1e6:.1f} MB)"
