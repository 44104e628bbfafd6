"""``headwise train --tagger``: from a tagged treebank, with trees or without, to a tagger's model file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from headwise.cli.choices import OnError
from headwise.cli.command import refuse_other_options
from headwise.cli.listening import epoch_of_tags, training_listener
from headwise.cli.saving import save_model
from headwise.cli.skipped import refuse_empty, report_skipped
from headwise.cli.train_settings import named_as_typed

MEANINGFUL = frozenset(
    (
        *("treebank", "output", "dev", "tagger", "full_precision", "on_error", "quiet"),
        *("learner", "epochs", "seed", "threads", "words__clusters"),
    )
)
"""The parameters of `headwise train` that mean something with --tagger."""


def train_tagger_alone(
    treebank: Path,
    dev: Path | None,
    output: Path,
    chosen: dict[str, Any],
    full_precision: bool,
    on_error: OnError,
    quiet: bool,
) -> None:
    """Train and save a tagger. Its sentences need tags, but no trees."""
    from headwise.components.tagging import TaggerSettings, train_tagger
    from headwise.treebank import read

    refuse_other_options(MEANINGFUL, "with --tagger, which trains no parser")
    changes = {name.replace("words__", ""): value for name, value in chosen.items()}
    if changes.get("threads") == 0:
        changes["threads"] = os.cpu_count() or 1
    with named_as_typed():
        settings = TaggerSettings(**changes)
    files = [path for path in (treebank, dev) if path is not None]
    readers = [read(path, validate="columns", on_error=on_error.value) for path in files]
    sentences = [list(reader) for reader in readers]
    report_skipped([error for reader in readers for error in reader.skipped])
    refuse_empty(files, sentences)
    listener = training_listener(quiet, epoch_of_tags)
    tagger = train_tagger(sentences[0], sentences[1] if dev else None, settings, listener=listener)
    save_model(tagger, output, full_precision, listener)
