"""Train a parser from treebank files: the steps between a file name and a Parser."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headwise.base.errors import HeadwiseError
from headwise.components.parser.config import ParserConfig, PrunerConfig
from headwise.components.parser.decoders import Decoder
from headwise.components.parser.parser import Parser
from headwise.components.scoring.arc_limits import ArcLimits
from headwise.components.scoring.roles import RolesConfig
from headwise.components.scoring.templates import TemplateTable, informative_columns
from headwise.components.scoring.tensor import TensorConfig
from headwise.components.scoring.universal_rules import obeyed_by
from headwise.components.scoring.whole_tree import WholeTreeConfig, kin_templates, whole_tree_config
from headwise.components.scoring.word_view import COLUMNS, WordViewConfig, look_at_words
from headwise.learning.batch import METHODS, Objective, run_batch
from headwise.learning.checkpoint import Checkpoint
from headwise.learning.choices import EG_OPTIMIZERS, LABELS_IN_SEARCH
from headwise.learning.loop import DevScores, Listener, Outcome, TrainedWeights, run_epochs
from headwise.training.calibrating import calibrate
from headwise.training.examples import (
    LabelInventory,
    TreeKind,
    check_training_trees,
    decide_tree_kind,
    gold_heads,
)
from headwise.training.members import check_heard, state_of_member
from headwise.training.network_size import with_network_size
from headwise.training.partial import can_be_completed, check_learner, is_partial
from headwise.training.refining import Refinement
from headwise.training.setting_groups import Words
from headwise.training.settings import TrainingSettings
from headwise.training.teacher_files import check_what_networks_need
from headwise.training.trainers import likelihood_learner, make_trainer
from headwise.training.unlabelled import read_unlabelled
from headwise.training.words_of_teacher import with_words_of_teacher
from headwise.treebank import Sentence, read
from headwise.trees.factorizations import MODIFIERS_OF_LABELS, PARTS, RELATIVES_OF_LABELS
from headwise.words.clusters.clusters import Clusters
from headwise.words.vectors.files import WordVectors

if TYPE_CHECKING:
    from headwise.components.tagging.tag_task import TagTask

GIVEN = ("separate", "joint")
"""Modes in which labels come from the treebank."""
NO_BITS = 4
"""Of tables that nothing is looked up in."""
Source = str | Path | Iterable[Sentence]


def train_parser(
    train: Source,
    dev: Source | None = None,
    settings: TrainingSettings | None = None,
    *,
    listener: Listener | None = None,
    model_path: str | Path | None = None,
    resume: bool = False,
    keep_state: bool = False,
    tags: TagTask | None = None,
    network: Parser | None = None,
    unlabelled: Sequence[Sentence] | None = None,
) -> Parser:
    """Train a parser (see `headwise.Parser.train`).

    A network finds ``tags`` too; one that PyTorch trains asks its teachers about ``unlabelled`` sentences
    (None: those of the file that the settings name). With ``network``, none is trained: where the settings
    ask for one, the parser gets that of this one, with all its members.

    With ``model_path`` the state of the run is kept beside the future model after every epoch, and
    ``resume=True`` goes on from there; the model itself is left to the caller to save. The state is removed
    when all is done, unless ``keep_state`` says that the caller has more to do.
    """
    settings, listener = settings or TrainingSettings(), listener or Listener()
    if settings.threads == 0:
        settings = replace(settings, threads=os.cpu_count() or 1)
    check_what_networks_need(settings)
    if unlabelled is None and network is None and settings.teaching.unlabelled:
        unlabelled = read_unlabelled(settings.teaching.unlabelled)
    sentences, dev_sentences = load_sentences(train), load_sentences(dev) if dev is not None else []
    if not sentences:
        raise HeadwiseError("there are no sentences to train on.")
    if dev is not None and not dev_sentences:
        raise HeadwiseError("there are no sentences in the development set; leave it out, or give another.")
    check_training_trees(sentences)
    check_training_trees(dev_sentences)
    settings = with_network_size(settings, sentences)
    check_learner(sentences, settings)
    sentences = [without_columns(sentence, settings.words.ignore) for sentence in sentences]
    kind = decide_tree_kind(sentences, settings)
    check_optimizer(kind, settings)
    trees = [gold_heads(sentence, kind, larger_parts=settings.has_larger_parts) for sentence in sentences]
    view, word_tables = with_words_of_teacher(*view_of_words(sentences, settings.words), settings, listener)
    config = make_config(sentences, trees, kind, settings, listener, view)
    if network is not None:
        check_heard(network, config, word_tables)
    possible = can_be_completed(sentences, trees, config)
    if not all(possible):
        listener.message(f"{possible.count(False)} partial trees cannot be completed, and are left out")
        sentences, trees = list(compress(sentences, possible)), list(compress(trees, possible))
        tags = tags and replace(tags, train=list(compress(tags.train, possible)))
    stacked = config.has_whole_tree_features and settings.whole_tree.learning == "stacked"
    base = replace(config, whole_tree=WholeTreeConfig()) if stacked else config
    prepared = make_trainer(sentences, trees, base, settings, listener, word_tables)
    checkpoint = None
    if model_path is not None:
        checkpoint = Checkpoint.beside(
            model_path, asdict(settings), _digest(sentences) + _digest(dev_sentences)
        )

    def as_parser(trained: TrainedWeights) -> Parser:
        return Parser(base, prepared.tables(trained))

    def evaluate(trained: TrainedWeights) -> DevScores:
        return dev_scores(as_parser(trained), dev_sentences, settings.threads)

    common: dict[str, Any] = {
        "evaluate": evaluate if dev_sentences else None,
        "listener": listener,
        "checkpoint": checkpoint,
        "resume": resume,
    }
    if settings.network.alone:  # nothing is learned of features
        outcome = Outcome(prepared.trainer.averaged(), 0)
    elif settings.optimizer in METHODS:
        objective = Objective.of(
            prepared.trainer, likelihood_learner(settings), settings.regularization_constant
        )
        words = sum(map(len, sentences))
        outcome = run_batch(
            objective, method=settings.optimizer, iterations=settings.epochs, words=words, **common
        )
    else:
        outcome = run_epochs(
            prepared.trainer,
            len(sentences),
            epochs=settings.epochs,
            seed=settings.seed,
            threads=settings.threads,
            after_epoch=prepared.after_epoch,
            **common,
        )
    config.training.update(
        best_epoch=outcome.best_epoch, history=outcome.history, interrupted=outcome.interrupted
    )
    parser = as_parser(outcome.weights)
    if not outcome.interrupted:
        judge = partial(dev_scores, sentences=dev_sentences, threads=settings.threads)
        refinement = Refinement(
            prepared.data,
            settings,
            listener,
            judge if dev_sentences else None,
            sentences,
            dev_sentences,
            checkpoint.of("network") if checkpoint else None,
            resume,
            tags=tags,
            unlabelled=unlabelled or (),
            network=network,
        )
        if settings.runs > 1:
            parser = refinement.attempt(
                partial(refinement.averaged, first=outcome.weights, as_parser=as_parser), parser
            )
        if stacked:
            parser = refinement.attempt(partial(refinement.stacked, features=config.whole_tree), parser)
        if settings.torch.encoder:
            parser = refinement.attempt(refinement.with_encoder, parser)
        elif settings.has_network:
            parser = refinement.attempt(refinement.with_network, parser)
        config.training["interrupted"] = refinement.interrupted
    parser = choose_decoder(parser, dev_sentences, settings, listener) if dev_sentences else parser
    interrupted = config.training["interrupted"]
    # The scores of an encoder are log-probabilities already.
    if settings.calibrate and not settings.torch.encoder and (dev_sentences or not interrupted):
        parser = calibrate(
            parser,
            sentences,
            dev_sentences,
            settings=settings,
            kind=kind,
            train_again=lambda part, other: train_parser(part, None, other, unlabelled=unlabelled),
            evaluate=partial(dev_scores, threads=settings.threads),
            listener=listener,
        )
    if model_path is not None and not keep_state and not interrupted:
        remove_states(model_path, settings)
    return parser


def states_beside(model_path: str | Path, settings: TrainingSettings) -> list[Checkpoint]:
    """Where a run keeps its states: that of the parser, and those of its networks."""
    state = Checkpoint.beside(model_path, asdict(settings), b"")
    members = range(1, settings.network.members + 1)
    return [state, *(state_of_member(state.of("network"), number) for number in members)]


def remove_states(model_path: str | Path, settings: TrainingSettings) -> None:
    """Of a run that is done."""
    for state in states_beside(model_path, settings):
        state.remove()


def choose_decoder(
    parser: Parser, dev: list[Sentence], settings: TrainingSettings, listener: Listener
) -> Parser:
    """Another decoder than ``map`` where it does better on the development set.

    Minimum-risk decoding, where the model gives probabilities. Trees without crossing arcs, where arcs may
    cross and the settings ask for it (Koo 2010, 4.6.2).
    """
    config = parser.config
    tried = []
    if settings.learner == "log-linear" and not Decoder.minimum_risk.why_not(config):
        tried.append(Decoder.minimum_risk)
    if settings.choose_trees and not config.projective:
        tried.append(Decoder.projective)
    if not tried:
        return parser
    scores = {
        decoder: dev_scores(parser, dev, settings.threads, decoder) for decoder in (Decoder.map, *tried)
    }
    best = max(scores, key=lambda decoder: scores[decoder].selection)  # of equals the first
    if best is Decoder.map:
        return parser
    listener.message(f"{best.value} decoding is better, and the model's default: {scores[best]}")
    return Parser(replace(config, decoder=best), parser.weights)


def view_of_words(
    sentences: list[Sentence], words: Words
) -> tuple[WordViewConfig | None, dict[str, npt.NDArray[Any]]]:
    """How the settings want words to be looked at, and the tables that this takes."""
    return look_at_words(
        sentences,
        [Clusters.load(file) for file in words.clusters],
        WordVectors.load(words.vectors, words.vector_words) if words.vectors else None,
        contours=words.contours,
        bits=words.bits,
        frequent=words.frequent,
        ignored=words.ignore,
    )


def without_columns(sentence: Sentence, columns: Collection[str]) -> Sentence:
    """A sentence and its tree as one without these columns would be."""
    if not columns:
        return sentence
    of = {"lemma": "lemmas"}
    kept = {of.get(c, c): getattr(sentence, of.get(c, c)) for c in COLUMNS if c not in columns}
    return Sentence.from_words(sentence.forms, **kept, heads=sentence.heads, labels=sentence.labels)


def check_optimizer(kind: TreeKind, settings: TrainingSettings) -> None:
    if settings.optimizer in EG_OPTIMIZERS and settings.has_larger_parts and not kind.projective:
        raise HeadwiseError(
            "exponentiated gradient needs sums over all trees, and above first order there are sums over"
            " projective trees only, while trees of this treebank cross: what it would minimize is no loss."
            " Use --trees projective, --preset first, or --optimizer online."
        )


def load_sentences(source: Source) -> list[Sentence]:
    return list(read(source) if isinstance(source, str | Path) else source)


def make_config(
    sentences: list[Sentence],
    trees: list[npt.NDArray[np.int32]],
    kind: TreeKind,
    settings: TrainingSettings,
    listener: Listener,
    words: WordViewConfig | None = None,
) -> ParserConfig:
    """Decide from the training data what was left open: labels, features, which arcs to consider."""
    listener.message(f"searching {kind}")
    if partial := sum(map(is_partial, trees)):
        unknown = sum(int(np.count_nonzero(heads < 0)) for heads in trees) / sum(map(len, sentences))
        listener.message(f"{partial} trees are partial: {unknown:.1%} of the words are without a head")
    columns = informative_columns(sentences)
    if not settings.network.alone:
        listener.message(f"features from the columns {', '.join(sorted(columns))}")
    if settings.guesses_roles:
        columns |= {"role"}
    if settings.positions:
        columns |= {"position"}
    if words is not None:
        columns |= words.columns
    label_mode = settings.labels
    if label_mode == "latent":
        labels = LabelInventory([f"z{i}" for i in range(1, settings.latent.clusters + 1)])
    else:
        labels = LabelInventory.collect(sentences) if label_mode != "none" else LabelInventory([])
    limits = ArcLimits.collect((s.upos, heads) for s, heads in zip(sentences, trees, strict=True))
    pruner = None
    if settings.factorization != "arc":
        pruner = PrunerConfig(
            templates=list(settings_table(settings, "pruner").for_columns(columns).lines),
            bits=settings.pruning.bits,
            threshold=settings.pruning.threshold,
            most_heads=settings.pruning.heads,
        )
    arc_table = settings_table(settings, "arc").for_columns(columns)
    label_table = settings_table(settings, "label").for_columns(columns)
    if label_mode in LABELS_IN_SEARCH:
        in_chart = MODIFIERS_OF_LABELS.get(settings.factorization, "") if kind.projective else ""
        label_table = label_table.for_search(
            RELATIVES_OF_LABELS[settings.factorization], in_chart if label_mode == "joint" else ""
        )
    if settings.network.alone:
        arc_table = label_table = TemplateTable(())
    elif not arc_table.lines or (label_mode != "none" and not label_table.lines):
        raise HeadwiseError(
            "no feature template is left: the templates read columns that the treebank leaves empty. Fill "
            "them (headwise tag), or give templates that read others (--templates)."
        )
    rules = list(obeyed_by(sentences) if settings.rules is None else settings.rules)
    chosen = json.loads(json.dumps(asdict(settings)))
    for name in ("threads", "templates"):  # no part of the result, or stored below
        del chosen[name]
    if settings.network.members == 1:  # as files said it when there was always one
        del chosen["network"]["members"]
    chosen["words"]["clusters"] = [Path(file).name for file in settings.words.clusters]
    chosen["words"]["vectors"] = settings.words.vectors and Path(settings.words.vectors).name
    teaching = settings.teaching
    chosen["teaching"]["teachers"] = [Path(file).name for file in teaching.teachers]
    chosen["teaching"]["unlabelled"] = teaching.unlabelled and Path(teaching.unlabelled).name
    chosen["torch"]["pretrained"] = settings.torch.pretrained and Path(settings.torch.pretrained).name
    return ParserConfig(
        labels=labels.names,
        label_arcs=labels.on_arcs(sentences, trees, limits.tags) if label_mode in GIVEN else [],
        label_mode=label_mode,
        projective=kind.projective,
        single_root=kind.single_root,
        tags=limits.tags,
        arc_limits=limits.limits.ravel().tolist(),
        arc_bits=NO_BITS if settings.network.alone else settings.arc_bits,
        label_bits=NO_BITS if settings.network.alone or label_mode == "none" else settings.label_bits,
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
        whole_tree=whole_tree_config(
            settings.whole_tree.families,
            sentences,
            columns,
            kin_templates(settings.whole_tree.families, columns, settings.templates),
            bits=settings.whole_tree.bits,
            restarts=settings.whole_tree.restarts,
        ),
        roles=RolesConfig.collect(
            sentences, trees, limits.tags, settings_table(settings, "role").for_columns(columns).lines
        )
        if settings.guesses_roles
        else None,
        words=words,
        tensor=TensorConfig(
            templates=list(settings_table(settings, "tensor").for_columns(columns).lines),
            rank=settings.tensor.rank,
            weight=1 - settings.tensor_share,
            vectors=words.vectors if words else 0,
            labels=len(labels.names) if settings.tensor.labels else 0,
        )
        if settings.tensor.rank
        else None,
        rules=rules if label_mode == "separate" else [],
        training={"settings": chosen, "sentences": len(sentences), "words": sum(map(len, sentences))},
    )


def dev_scores(
    parser: Parser, sentences: list[Sentence], threads: int, decoder: Decoder = Decoder.map
) -> DevScores:
    words = right_heads = right_labels = 0
    for parse in parser.pipe(sentences, threads=threads, decoder=decoder):
        gold = parse.sentence
        hits = parse.heads == gold.heads
        words += int(np.count_nonzero(gold.heads >= 0))
        right_heads += int(np.count_nonzero(hits))
        right_labels += sum(
            hit and a == b for hit, a, b in zip(hits.tolist(), parse.labels, gold.labels, strict=True)
        )
    labelled = parser.config.label_mode in GIVEN  # latent labels are never those of the treebank
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
