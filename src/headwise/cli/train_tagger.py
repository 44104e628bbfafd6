"""``headwise train --tagger``: from a tagged treebank, with trees or without, to a tagger's model file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from headwise.cli.choices import OnError
from headwise.cli.skipped import refuse_empty, report_skipped

if TYPE_CHECKING:
    from headwise.components.tagging.settings import Learner
    from headwise.learning import Listener

OPTIONS_OF_A_TAGGER = frozenset(
    (
        *("treebank", "output", "dev", "learner", "epochs", "seed", "threads", "tagger", "on_error", "quiet"),
        "word_clusters",
    )
)
"""The parameters of `headwise train` that mean something with --tagger."""


def train_tagger_alone(
    treebank: Path,
    dev: Path | None,
    output: Path,
    learner: str,
    epochs: int | None,
    seed: int,
    threads: int,
    clusters: tuple[str, ...],
    on_error: OnError,
    listener: Listener,
) -> None:
    """Train and save a tagger. Its sentences need tags, but no trees."""
    import os

    from headwise.components.tagging import TaggerSettings, train_tagger
    from headwise.treebank import read

    try:
        settings = TaggerSettings(
            learner=cast("Learner", learner),
            seed=seed,
            threads=threads or os.cpu_count() or 1,
            clusters=clusters,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if epochs is not None:
        settings = replace(settings, epochs=epochs)
    readers = [
        read(path, validate="columns", on_error=on_error.value)
        for path in (treebank, dev)
        if path is not None
    ]
    sentences = [list(reader) for reader in readers]
    report_skipped([error for reader in readers for error in reader.skipped])
    refuse_empty((treebank, dev), sentences)
    tagger = train_tagger(sentences[0], sentences[1] if dev else None, settings, listener=listener)
    tagger.save(output)
    listener.message(f"wrote {output} ({output.stat().st_size / 1e6:.1f} MB)")
