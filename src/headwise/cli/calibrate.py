"""``headwise calibrate``: fit the probabilities of a finished model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from headwise.base.messages import tell
from headwise.cli import shell
from headwise.cli.choices import Threads


def calibrate(
    model: Annotated[str, shell.Argument(help="A model, by file or by name (en).")],
    treebank: Annotated[
        Path, shell.Argument(help="Annotated sentences that the model has not learned from.")
    ],
    output: Annotated[
        Path | None, shell.Option("--output", "-o", help="Where to write the model; by default in its place.")
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
    from headwise.pipeline.pipeline import Pipeline, load_opened
    from headwise.treebank import annotated, read

    if output is None and model in names():
        raise shell.BadParameter(f"{model} comes with Headwise and stays as it is; name a file with -o")
    file = ModelFile.open(model_path(model))
    loaded = load_opened(file)
    sentences = list(annotated(read(treebank)))
    loaded = loaded.calibrated(sentences, threads=threads)
    parser = loaded.parser if isinstance(loaded, Pipeline) else loaded
    calibration = parser.config.calibration
    config, _ = loaded.to_tensors()
    file.write_with(output or model, config)
    print(f"{output or model}: {calibration}")
    if isinstance(loaded, Pipeline) and loaded.tagger.config.calibration.is_fitted:
        print(f"tags: {loaded.tagger.config.calibration}")
    if calibration.caution:
        tell(calibration.caution)
