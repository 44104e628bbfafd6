"""Train a parser from treebank files: the steps between a file name and a Parser."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headwise._native import parsing as native
from headwise.errors import HeadwiseError
from headwise.learning.calibrating import calibrate
from headwise.learning.checkpoint import Checkpoint
from headwise.learning.examples import (
    LabelInventory,
    TreeKind,
    check_training_trees,
    decide_tree_kind,
    gold_heads,
)
from headwise.learning.loop import DevScores, Listener, TrainedWeights, Trainer, run_epochs
from headwise.learning.pruning import train_pruner
from headwise.learning.settings import TrainingSettings
from headwise.parser import Parser, ParserConfig, PrunerConfig
from headwise.scoring.arc_limits import ArcLimits
from headwise.scoring.factorizations import PARTS
from headwise.scoring.templates import TemplateTable, informative_columns
from headwise.treebank import Sentence, read

Source = str | Path | Iterable[Sentence]


def train_parser(
    train: Source,
    dev: Source | None = None,
    settings: TrainingSettings | None = None,
    *,
    listener: Listener | None = None,
    model_path: str | Path | None = None,
    resume: bool = False,
) -> Parser:
    """Train a parser (see :meth:`headwise.Parser.train`).

    With ``model_path`` the state of the run is kept beside the future model after every epoch, and
    ``resume=True`` goes on from there; the model itself is left to the caller to save.
    """
    settings, listener = settings or TrainingSettings(), listener or Listener()
    if settings.threads == 0:
        settings = replace(settings, threads=os.cpu_count() or 1)
    sentences, dev_sentences = load_sentences(train), load_sentences(dev) if dev is not None else []
    if not sentences:
        raise HeadwiseError("there are no sentences to train on.")
    if dev is not None and not dev_sentences:
        raise HeadwiseError("there are no sentences in the development set; leave it out, or give another.")
    check_training_trees(sentences)
    check_training_trees(dev_sentences)
    kind = decide_tree_kind(sentences, settings)
    trees = [gold_heads(sentence, kind) for sentence in sentences]
    config = make_config(sentences, trees, kind, settings, listener)
    trainer, fixed = make_trainer(sentences, trees, config, settings, listener)
    checkpoint = None
    if model_path is not None:
        checkpoint = Checkpoint.beside(model_path, settings, _digest(sentences) + _digest(dev_sentences))

    def as_parser(trained: TrainedWeights) -> Parser:
        return Parser(config, {"arcs": trained[0], "labels": trained[1], **fixed})

    outcome = run_epochs(
        trainer,
        len(sentences),
        epochs=settings.epochs,
        seed=settings.seed,
        threads=settings.threads,
        evaluate=(lambda w: dev_scores(as_parser(w), dev_sentences, settings.threads))
        if dev_sentences
        else None,
        listener=listener,
        checkpoint=checkpoint,
        resume=resume,
    )
    config.training.update(
        best_epoch=outcome.best_epoch, history=outcome.history, interrupted=outcome.interrupted
    )
    if checkpoint and not outcome.interrupted:
        checkpoint.remove()
    parser = as_parser(outcome.weights)
    if not settings.calibrate or (outcome.interrupted and not dev_sentences):
        return parser
    uncalibrated = replace(settings, calibrate=False)
    return calibrate(
        parser,
        sentences,
        dev_sentences,
        train_again=lambda part: train_parser(part, None, uncalibrated),
        listener=listener,
        threads=settings.threads,
    )


def make_trainer(
    sentences: list[Sentence],
    trees: list[npt.NDArray[np.int32]],
    config: ParserConfig,
    settings: TrainingSettings,
    listener: Listener,
) -> tuple[Trainer[TrainedWeights], dict[str, npt.NDArray[np.float32]]]:
    """The native trainer with all examples, and the weight tables that are trained already (the pruner's)."""
    labels = LabelInventory(config.labels)
    shape = config.shape()
    examples = [
        native.TrainingExample(s, heads, labels.ids(s.labels), shape)
        for s, heads in zip(sentences, trees, strict=True)
    ]
    if config.pruner is None:
        first_order = native.OnlineTrainer(shape, settings.learner, settings.aggressiveness)
        for example in examples:
            first_order.add(example)
        return first_order, {}
    started = time.perf_counter()
    pruner = train_pruner(
        config.pruner_shape(),
        examples,
        epochs=settings.prune_epochs,
        seed=settings.seed,
        threads=settings.threads,
    )
    trainer = native.HigherOrderTrainer(
        config.higher_order_shape(), settings.learner, settings.aggressiveness, settings.rival == "relaxed"
    )
    counts = [trainer.add(*pair) for pair in zip(examples, pruner.of_example, strict=True)]
    survived, gold = np.sum(counts, axis=0)
    words = max(1, sum(map(len, sentences)))
    listener.message(
        f"pruning keeps {survived / words:.2f} heads a word and {100 * gold / words:.2f} % of the gold arcs"
        f" (jackknifed, {time.perf_counter() - started:.1f} s)"
    )
    return trainer, {"pruner": pruner.weights}


def load_sentences(source: Source) -> list[Sentence]:
    return list(read(source) if isinstance(source, str | Path) else source)


def make_config(
    sentences: list[Sentence],
    trees: list[npt.NDArray[np.int32]],
    kind: TreeKind,
    settings: TrainingSettings,
    listener: Listener,
) -> ParserConfig:
    """Decide from the training data what was left open: labels, features, which arcs to consider."""
    listener.message(f"searching {kind}")
    columns = informative_columns(sentences)
    listener.message(f"features from the columns {', '.join(sorted(columns))}")
    label_mode = settings.labels
    labels = LabelInventory.collect(sentences) if label_mode != "none" else LabelInventory([])
    limits = ArcLimits.collect((s.upos, heads) for s, heads in zip(sentences, trees, strict=True))
    pruner = None
    if settings.factorization != "arc":
        pruner = PrunerConfig(
            templates=list(settings_table(settings, "pruner").for_columns(columns).lines),
            bits=settings.prune_bits,
            threshold=settings.prune_threshold,
            most_heads=settings.prune_heads,
        )
    arc_table = settings_table(settings, "arc").for_columns(columns)
    label_table = settings_table(settings, "label").for_columns(columns)
    if label_mode == "joint":
        label_table = label_table.without_relatives()
    if not arc_table.lines or (label_mode != "none" and not label_table.lines):
        raise HeadwiseError(
            "no feature template is left: the templates read columns that the treebank leaves empty."
        )
    chosen = json.loads(json.dumps(asdict(settings)))
    for name in ("threads", "templates"):  # no part of the result, or stored below
        del chosen[name]
    return ParserConfig(
        labels=labels.names,
        label_arcs=labels.on_arcs(sentences, trees, limits.tags) if labels.names else [],
        label_mode=label_mode,
        projective=kind.projective,
        single_root=kind.single_root,
        tags=limits.tags,
        arc_limits=limits.limits.ravel().tolist(),
        arc_bits=settings.arc_bits,
        label_bits=settings.label_bits if label_mode != "none" else 4,
        arc_templates=list(arc_table.lines),
        label_templates=list(label_table.lines) if label_mode != "none" else [],
        factorization=settings.factorization,
        part_templates={
            part: []
            if part in settings.without
            else list(settings_table(settings, part).for_columns(columns).lines)
            for part in PARTS[settings.factorization]
        },
        pruner=pruner,
        training={"settings": chosen, "sentences": len(sentences), "words": sum(map(len, sentences))},
    )


def dev_scores(parser: Parser, sentences: list[Sentence], threads: int) -> DevScores:
    words = right_heads = right_labels = 0
    for parse in parser.pipe(sentences, threads=threads):
        gold = parse.sentence
        hits = parse.heads == gold.heads
        words += len(hits)
        right_heads += int(np.count_nonzero(hits))
        right_labels += sum(
            hit and a == b for hit, a, b in zip(hits.tolist(), parse.labels, gold.labels, strict=True)
        )
    labelled = parser.config.label_mode != "none"
    return DevScores(right_heads / max(1, words), right_labels / max(1, words) if labelled else None)


def settings_table(settings: TrainingSettings, name: str) -> TemplateTable:
    """The table that the settings give, or the built-in one."""
    return (
        TemplateTable(settings.templates[name])
        if name in settings.templates
        else TemplateTable.built_in(name)
    )


def _digest(sentences: list[Sentence]) -> bytes:
    digest = hashlib.sha256()
    for sentence in sentences:
        digest.update(sentence.to_bytes())
    return digest.digest()
