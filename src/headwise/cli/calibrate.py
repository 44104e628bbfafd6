"""``headwise calibrate``: fit the probabilities of a finished model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from headwise.base.messages import tell
from headwise.cli.choices import Threads
from headwise.cli.command import Argument, Option
from headwise.cli.reports import report


def calibrate(
    model: Annotated[str, Argument(help="A model, by file or by name (en).")],
    treebank: Annotated[Path, Argument(help="Annotated sentences that the model has not learned from.")],
    output: Annotated[
        Path | None, Option("--output", "-o", help="Where to write the model; by default in its place.")
    ] = None,
    threads: Threads = 1,
) -> None:
    """Fit the temperatures that make probabilities of a model's scores (for --confidence).

    Training does this by itself. Use this for models that were trained without it, or to fit a model to the
    kind of text it will meet. Only the temperatures change: the model gives the same trees.

    Example: headwise calibrate model.hw dev.conllu
    """
    from headwise.model import ModelFile
    from headwise.model.bundled import model_path, names
    from headwise.pipeline.pipeline import load_opened
    from headwise.treebank import annotated, read

    if output is None and model in names():
        raise click.UsageError(f"{model} comes with Headwise and stays as it is; name a file with -o")
    file = ModelFile.open(model_path(model))
    loaded = load_opened(file)
    sentences = list(annotated(read(treebank)))
    loaded = loaded.calibrated(sentences, threads=threads)
    calibration = loaded.parser.config.calibration
    config, _ = loaded.to_tensors()
    file.write_with(output or model, config)
    report(f"{output or model}: {calibration}")
    if loaded.tagger is not None and loaded.tagger.config.calibration.is_fitted:
        print(f"tags: {loaded.tagger.config.calibration}")
    if calibration.caution:
        tell(calibration.caution)
