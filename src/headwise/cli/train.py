"""``headwise train``: from a treebank to a model file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headwise.cli import torch_options
from headwise.cli import train_options as options
from headwise.cli.brackets import refuse_brackets
from headwise.cli.choices import OnError
from headwise.cli.command import refuse_other_options
from headwise.cli.setting_names import as_typed
from headwise.cli.skipped import refuse_empty, report_skipped
from headwise.cli.train_tagger import OPTIONS_OF_A_TAGGER, train_tagger_alone
from headwise.learning.choices import EXACT_JOINT_TAGS, TENSOR_RANK

if TYPE_CHECKING:
    from headwise.learning import EpochReport, Listener
    from headwise.training import TrainingSettings
    from headwise.treebank import Sentence


PARTIAL = (
    "to learn from half-annotated trees, train with --learner log-linear; to leave them out, "
    "with --on-error skip"
)
PARTIAL_PIPELINE = (
    "a --pipeline learns from whole trees only: leave the others out (--on-error skip), or train "
    "a parser alone with --learner log-linear"
)


def train(
    treebank: options.Treebank,
    output: options.Output,
    dev: options.Dev = None,
    preset: options.Preset = None,
    factorization: options.Factorization = None,
    trees: options.Trees = "auto",
    root: options.Root = "auto",
    learner: options.Learner = "mira",
    optimizer: options.Optimizer = "online",
    step: options.Step = None,
    cost: options.Cost = None,
    choose_trees: options.ChooseTrees = False,
    tune: options.Tune = None,
    averaging: options.Averaging = True,
    regularization: options.Regularization = None,
    labels: options.Labels = "separate",
    rules: options.Rules = True,
    clusters: options.Clusters = None,
    unlabeled: options.Unlabeled = False,
    epochs: options.Epochs = None,
    templates: options.Templates = None,
    cutoff: options.Cutoff = None,
    without: options.Without = None,
    whole_tree: options.WholeTree = None,
    word_clusters: options.WordClusters = None,
    vectors: options.Vectors = None,
    cluster_contours: options.ClusterContours = None,
    frequent_words: options.FrequentWords = None,
    without_column: options.WithoutColumn = None,
    roles: options.Roles = None,
    positions: options.Positions = None,
    network: options.Network = None,
    networks: options.Networks = None,
    network_width: options.NetworkWidth = None,
    network_bits: options.NetworkBits = None,
    network_weight: options.NetworkWeight = None,
    by_torch: options.ByTorch = False,
    device: torch_options.Device = None,
    encoder: torch_options.Encoder = None,
    pretrained: torch_options.Pretrained = None,
    teacher: torch_options.Teacher = None,
    unlabelled: torch_options.Unlabelled = None,
    torch_epochs: torch_options.TorchEpochs = None,
    torch_width: torch_options.TorchWidth = None,
    torch_layers: torch_options.TorchLayers = None,
    torch_loss: torch_options.TorchLoss = None,
    tensor: options.Tensor = False,
    tensor_rank: options.TensorRank = None,
    tensor_labels: options.TensorLabels = False,
    prune_threshold: options.PruneThreshold = None,
    prune_heads: options.PruneHeads = None,
    arc_bits: options.ArcBits = None,
    calibration: options.Calibration = True,
    seed: options.Seed = 1,
    threads: options.Threads = 1,
    pipeline: options.Pipeline = False,
    gold_tags_too: options.GoldTagsToo = False,
    joint_tags: options.JointTags = None,
    joint_candidates: options.JointCandidates = "margin",
    joint_learner: options.JointLearner = None,
    text: options.Text = None,
    tagger: options.Tagger = False,
    jackknife: options.Jackknife = None,
    rewrite: options.Rewrite = None,
    only_annotated: options.OnlyAnnotated = False,
    also_annotated: options.AlsoAnnotated = None,
    resume: options.Resume = False,
    on_error: options.OnError = OnError.stop,
    quiet: options.Quiet = False,
) -> None:
    """Train a parser on a treebank, or a whole pipeline from text to trees, or a tagger.

    Examples:

      headwise train train.conllu --dev dev.conllu -o model.hw

      headwise train train.conllu --dev dev.conllu --pipeline -o en.hw

      headwise train train.conllu --dev dev.conllu --tagger -o tagger.hw

    Ctrl-C ends training early and still writes a usable model.
    """
    import os

    from headwise.base.errors import HeadwiseError
    from headwise.components.scoring.template_file import load_template_file
    from headwise.training import TrainingSettings, settings_for, train_parser
    from headwise.training.default_preset import named_preset
    from headwise.training.setting_effects import why_without_effect
    from headwise.treebank import annotated, read

    refuse_brackets("train", [treebank])
    if tagger:
        refuse_other_options(OPTIONS_OF_A_TAGGER, "with --tagger, which trains no parser")
        train_tagger_alone(
            treebank,
            dev,
            output,
            learner,
            epochs,
            seed,
            threads,
            tuple(map(str, word_clusters or ())),
            on_error,
            _listener(quiet, "tags"),
        )
        return
    if encoder is not None:
        by_torch, preset = True, "network"
    by_torch = by_torch or pretrained is not None
    if not by_torch and any((device, teacher, torch_epochs, torch_width, torch_layers, torch_loss)):
        raise click.UsageError(
            "--device, --teacher and --torch-… are for a network that PyTorch trains: add --torch"
        )
    if pretrained is not None and (network_width or torch_width or torch_layers):
        raise click.UsageError("--pretrained decides how wide layers are, and how many there are")
    if by_torch and network_width is not None:
        raise click.UsageError("--network-width is not for --torch, which has --torch-width")
    if by_torch and network is False:
        raise click.UsageError("--torch and --pretrained train a network, and --no-network wants none")
    if unlabelled is not None and not teacher:
        raise click.UsageError("--unlabelled needs a --teacher, who knows trees of these sentences")
    asks_for_network = not by_torch and (
        (networks or 1) > 1 or (vectors is not None and not (tensor or tensor_rank or tensor_labels))
    )
    optional: dict[str, Any] = {
        "epochs": epochs,
        "regularization": regularization,
        "arc_bits": arc_bits,
        "factorization": factorization,
        "cutoff": cutoff,
        "without": without and tuple(without),
        "roles": roles,
        "positions": positions,
        "network": _given(
            use=True if network is None and asks_for_network else network,
            members=networks,
            width=network_width,
            bits=network_bits,
            weight=network_weight,
        ),
        "words": _given(
            clusters=word_clusters and tuple(map(str, word_clusters)),
            vectors=vectors and str(vectors),
            contours=cluster_contours,
            frequent=frequent_words,
            ignore=without_column and tuple(name.lower() for name in without_column),
        ),
        "tensor": _given(
            rank=tensor_rank or (TENSOR_RANK if tensor or tensor_labels else None),
            labels=tensor_labels or None,
        ),
        "torch": _given(
            use=by_torch or None,
            encoder=encoder and str(encoder),
            device=device,
            pretrained=pretrained and str(pretrained),
            epochs=torch_epochs,
            width=torch_width,
            layers=torch_layers,
            loss=torch_loss,
        ),
        "teaching": _given(
            teachers=teacher and tuple(map(str, teacher)), unlabelled=unlabelled and str(unlabelled)
        ),
        "gradient": _given(step=step, cost=cost),
        "latent": _given(clusters=clusters),
        "pruning": _given(threshold=prune_threshold, heads=prune_heads),
        "whole_tree": _given(families=whole_tree and tuple(name for name in whole_tree if name != "none")),
    }
    if templates is not None:
        optional["templates"] = load_template_file(templates)
    changes: dict[str, Any] = {
        "trees": trees,
        "root": root,
        "learner": learner,
        "optimizer": optimizer,
        "labels": "none" if unlabeled else labels,
        "calibrate": calibration,
        "averaged": averaging,
        "rules": None if rules else (),
        "choose_trees": choose_trees,
        "seed": seed,
        "threads": threads or os.cpu_count() or 1,
        **_given(**optional),
    }
    try:
        # What is wrong is said before any work is done.
        asked = named_preset(preset, **changes) if preset else TrainingSettings.preset("accurate", **changes)
    except ValueError as error:
        raise click.UsageError(as_typed(str(error))) from error
    of_network = {"width": network_width, "bits": network_bits, "weight": network_weight}
    for name in (name for name, value in of_network.items() if value is not None):
        if reason := why_without_effect(asked, f"network__{name}"):
            remedy = ": add --network" if preset and network is None and asked.has_larger_parts else ""
            raise click.UsageError(f"--network-{name} changes nothing, as {reason}{remedy}")
        if joint_tags in EXACT_JOINT_TAGS:
            raise click.UsageError(f"--network-{name} finds no network beside --joint-tags {joint_tags}")
    pipeline = pipeline or joint_tags is not None
    if joint_learner is not None and joint_tags != "climb":
        raise click.UsageError("--joint-learner is for --joint-tags climb")
    if gold_tags_too and not pipeline:
        raise click.UsageError("--gold-tags-too is for a --pipeline")
    if joint_candidates != "margin" and joint_tags is None:
        raise click.UsageError("--joint-candidates is for --joint-tags")
    listener = _listener(quiet)
    readers = [read(path, on_error=on_error.value) for path in (treebank, dev) if path is not None]
    # What a partial tree is to a learner is the learner's business; `annotated` refuses them.
    partial = learner == "log-linear" and not pipeline
    remedy = PARTIAL_PIPELINE if pipeline else PARTIAL
    sentences = [list(reader if partial else annotated(reader, remedy)) for reader in readers]
    if only_annotated:
        sentences[0] = _marked(treebank, sentences[0])
    if also_annotated is not None:
        added = read(also_annotated, on_error=on_error.value)
        readers.append(added)
        sentences[0] += _marked(also_annotated, list(added))
    report_skipped([error for reader in readers for error in reader.skipped])
    refuse_empty((treebank, dev), sentences)
    if text is not None and not pipeline:
        raise click.UsageError("--text is for the tokenizer of a --pipeline")
    if rewrite is not None and not pipeline:
        raise click.UsageError("--rewrite is for a --pipeline")
    if tune and (pipeline or resume):
        raise click.UsageError("--tune is for a parser alone, trained from the start")
    settings = settings_for(
        sentences[0], listener, preset=preset, features_alone=joint_tags in EXACT_JOINT_TAGS, **changes
    )
    grid = _grid(tune, settings, dev) if tune else {}
    if pipeline:
        from headwise.pipeline.pipeline import JACKKNIFE, REWRITTEN, Pipeline

        taggers = JACKKNIFE if jackknife is None else jackknife
        pipeline_ = Pipeline.train(
            *sentences,
            settings=settings,
            jackknife=taggers,
            rewrite=REWRITTEN if rewrite is None else rewrite,
            text=text,
            gold_tags_too=gold_tags_too,
            joint_tags=joint_tags,
            joint_candidates=joint_candidates,
            joint_learner=joint_learner,
            listener=listener,
            model_path=output,
            resume=resume,
        )
        pipeline_.save(output)
        listener.message(f"wrote {output} ({output.stat().st_size / 1e6:.1f} MB)")
        return
    train_set, dev_set = sentences[0], sentences[1] if dev else None
    if jackknife is not None:
        from headwise.components.tagging import TaggerSettings, realistic_tags

        tagger_settings = TaggerSettings(
            seed=seed, threads=settings.threads, clusters=settings.words.clusters
        )
        try:
            train_set, dev_set = realistic_tags(
                train_set, dev_set, jackknife, tagger_settings, listener=listener
            )
        except KeyboardInterrupt:
            from headwise.training.hurrying import HURRIED, hurried

            listener.message(HURRIED)
            settings, grid = hurried(settings), {}
    try:
        if grid:
            from headwise.training.tuning import tuned_parser

            parser = tuned_parser(train_set, dev_set or [], settings, grid, listener=listener).parser
        else:
            parser = train_parser(
                train_set,
                dev_set,
                settings,
                listener=listener,
                model_path=output,
                resume=resume,
            )
    except ValueError as error:  # templates that cannot be read, more labels than a parser takes
        raise HeadwiseError(f"{templates}: {error}" if templates else str(error)) from error
    parser.save(output)
    listener.message(f"wrote {output} ({output.stat().st_size / 1e6:.1f} MB)")


def _grid(texts: list[str], settings: TrainingSettings, dev: Path | None) -> dict[str, list[Any]]:
    """The values that --tune is to choose among; what is wrong with them is said before any work is done."""
    from headwise.training.tuning import check_grid, parsed_grid

    if dev is None:
        raise click.UsageError("--tune needs --dev, which chooses")
    try:
        grid = parsed_grid(texts)
        check_grid(grid, settings)
    except ValueError as error:
        raise click.UsageError(f"--tune: {error}") from error
    return grid


def _marked(file: Path, sentences: list[Sentence]) -> list[Sentence]:
    """What is decided in sentences that were annotated with the help of a parser, and nothing else."""
    from headwise.base.errors import HeadwiseError
    from headwise.web.annotate.marks import only_annotated

    found = [only_annotated(sentence) for sentence in sentences]
    found = [sentence for sentence in found if (sentence.heads >= 0).any()]
    if not found:
        raise HeadwiseError(f"{file}: no word is marked as annotated (Annotated=Yes in MISC).")
    return found


def _given(**options: Any) -> dict[str, Any]:
    """Those that were given a value."""
    return {name: value for name, value in options.items() if value is not None and value != {}}


def _listener(quiet: bool, learned: str = "heads") -> Listener:
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

    return Listener(
        progress=progress, epoch=lambda report: message(format_epoch(report, learned)), message=message
    )


def format_epoch(report: EpochReport, learned: str = "heads") -> str:
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
