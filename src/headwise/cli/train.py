"""``headwise train``: from a treebank to a model file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from headwise.cli.brackets import refuse_brackets
from headwise.cli.choices import ModelOutput, OnError, Quiet
from headwise.cli.command import Argument, Fields, Option
from headwise.cli.listening import epoch_of_heads, training_listener
from headwise.cli.saving import save_model
from headwise.cli.train_settings import asked_for, grid_of, implied, named_as_typed, with_templates
from headwise.cli.train_tagger import train_tagger_alone
from headwise.cli.training_data import TrainingData
from headwise.learning.choices import ACCURATE_WORDS, UsualPreset
from headwise.training.pipeline_settings import PipelineSettings
from headwise.training.settings import TrainingSettings

if TYPE_CHECKING:
    from headwise.learning import Listener
    from headwise.treebank import Sentence

FEATURES, LEARNING = "Parts and features", "Learning"
TREEBANK = "Training treebank: CoNLL-U or CoNLL-X, also .gz or .xz."
DEV = "Development treebank, to keep the best epoch of features or of --torch."
PRESET = (
    "accurate: triples of arcs, and a network; fast: pairs of arcs, nothing else. (default: accurate; fast"
    f" above {ACCURATE_WORDS:,} words)"
)
TEMPLATES = (
    "File of feature templates to add, switch off or replace; see `headwise templates`. Or mcdonald: the"
    " first-order features of McDonald et al. (2005)."
)
TUNE = (
    "Train with each of these values of a setting (docs/reference/settings.md) and keep what parses DEV best;"
    " may be repeated."
)
PIPELINE = "Train a tokenizer and a tagger too, for raw text; the parser sees their tags."
TAGGER = "Train a tagger of parts of speech, features and lemmas instead."
ONLY_ANNOTATED = (
    "Learn from the words that headwise annotate has marked (Annotated=Yes in MISC) and from no others; needs"
    " --learner log-linear where words are left."
)
FULL_PRECISION = "Keep every bit of the weights, in a file several times as large (docs/models.md)."
RESUME = "Go on with a run that was killed (its state is beside OUTPUT: OUTPUT.state …)."
ON_ERROR = "Stop at the first broken sentence of the treebank, or skip and count them."


def train(
    treebank: Annotated[Path, Argument(help=TREEBANK)],
    output: ModelOutput,
    dev: Annotated[Path | None, Option(help=DEV)] = None,
    preset: Annotated[UsualPreset | None, Option(help=PRESET)] = None,
    pipeline: Annotated[bool, Option("--pipeline", help=PIPELINE)] = False,
    tagger: Annotated[bool, Option("--tagger", help=TAGGER)] = False,
    *,
    chosen: Annotated[dict[str, Any], Fields(TrainingSettings)],
    of_pipeline: Annotated[dict[str, Any], Fields(PipelineSettings)],
    templates: Annotated[Path | None, Option(help=TEMPLATES, panel=FEATURES)] = None,
    tune: Annotated[list[str] | None, Option(metavar="NAME=VALUE,VALUE", help=TUNE, panel=LEARNING)] = None,
    only_annotated: Annotated[bool, Option("--only-annotated", help=ONLY_ANNOTATED, panel=LEARNING)] = False,
    also_annotated: Annotated[
        Path | None,
        Option(
            "--annotated",
            metavar="FILE",
            help="Learn from the marked words of FILE too (docs/annotate.md).",
            panel=LEARNING,
        ),
    ] = None,
    resume: Annotated[bool, Option("--resume", help=RESUME)] = False,
    full_precision: Annotated[bool, Option("--full-precision", help=FULL_PRECISION)] = False,
    on_error: Annotated[OnError, Option(help=ON_ERROR)] = OnError.stop,
    quiet: Quiet = False,
) -> None:
    """Train a parser on a treebank, or a whole pipeline from text to trees, or a tagger.

    Examples:

      headwise train train.conllu --dev dev.conllu -o model.hw

      headwise train train.conllu --dev dev.conllu --pipeline -o en.hw

      headwise train train.conllu --dev dev.conllu --tagger -o tagger.hw

    Ctrl-C ends training early and still writes a usable model.
    """
    refuse_brackets("train", [treebank])
    if tagger:
        train_tagger_alone(treebank, dev, output, chosen, full_precision, on_error, quiet)
        return
    changes = with_templates(implied(chosen), templates)
    with named_as_typed():
        how = PipelineSettings(**of_pipeline)
        pipeline = pipeline or how.joint_tags is not None
        asked_for(preset, changes, how, pipeline)
    if tune and (pipeline or resume):
        raise click.UsageError("--tune is for a parser alone, trained from the start")
    listener = training_listener(quiet, epoch_of_heads)
    data = TrainingData(treebank, dev, only_annotated, also_annotated, on_error)
    sentences = data.read(pipeline=pipeline, partial=changes.get("learner") == "log-linear" and not pipeline)
    from headwise.training import settings_for

    settings = settings_for(
        sentences[0], listener, preset=preset, features_alone=how.features_alone, **changes
    )
    grid = grid_of(tune, settings, dev) if tune else {}
    states: dict[str, Any] = {"model_path": output, "resume": resume}
    if pipeline:
        from headwise.pipeline import Pipeline

        model: Any = Pipeline.train(*sentences, settings=settings, how=how, listener=listener, **states)
    else:
        jackknife = of_pipeline.get("jackknife")
        model = _parser(*sentences, settings, grid, jackknife, templates, listener, states)
    save_model(model, output, full_precision, listener)


def _parser(
    train_set: list[Sentence],
    dev_set: list[Sentence] | None,
    settings: TrainingSettings,
    grid: dict[str, list[Any]],
    jackknife: int | None,
    templates: Path | None,
    listener: Listener,
    states: dict[str, Any],
) -> Any:
    """A parser alone, perhaps on predicted tags, or the best one of a grid."""
    from headwise.base.errors import HeadwiseError
    from headwise.training import train_parser

    if jackknife is not None:
        from headwise.components.tagging import TaggerSettings, realistic_tags

        of_tagger = TaggerSettings(
            seed=settings.seed, threads=settings.threads, clusters=settings.words.clusters
        )
        try:
            train_set, dev_set = realistic_tags(train_set, dev_set, jackknife, of_tagger, listener=listener)
        except KeyboardInterrupt:
            from headwise.training.small_parser import SMALL_PARSER, settings_of_small_parser

            listener.message(SMALL_PARSER)
            settings, grid = settings_of_small_parser(settings), {}
    try:
        if grid:
            from headwise.training.tuning import tuned_parser

            return tuned_parser(train_set, dev_set or [], settings, grid, listener=listener).parser
        return train_parser(train_set, dev_set, settings, listener=listener, **states)
    except ValueError as error:  # templates that cannot be read, more labels than a parser takes
        raise HeadwiseError(f"{templates}: {error}" if templates else str(error)) from error
