"""How a run begins: what the treebank decides of what the settings leave open, what can be learned of it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, replace
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headwise._native.learning import TrainingExample
from headwise.base.errors import HeadwiseError
from headwise.components.network.size import with_network_size
from headwise.components.parser.config import ParserConfig
from headwise.components.parser.parser import Parser
from headwise.components.pruner.config import PrunerConfig
from headwise.components.scoring.arc_limits import ArcLimits
from headwise.components.scoring.templates import TemplateTable, informative_columns
from headwise.components.scoring.universal_rules import obeyed_by
from headwise.components.scoring.word_settings import Words
from headwise.components.scoring.word_view import WordViewConfig, look_at_words
from headwise.learning.checkpoint import Checkpoint
from headwise.learning.choices import COLUMNS, EG_OPTIMIZERS, LABELS_IN_SEARCH
from headwise.learning.loop import Listener
from headwise.training.examples import (
    Examples,
    LabelInventory,
    TreeKind,
    check_training_trees,
    decide_tree_kind,
    gold_heads,
)
from headwise.training.members import check_joinable
from headwise.training.partial import can_be_completed, check_learner, is_partial
from headwise.training.run import GIVEN, Run, Trees, table_of
from headwise.training.settings import TrainingSettings
from headwise.training.teacher_files import check_what_networks_need
from headwise.training.unlabelled import read_unlabelled
from headwise.training.words_of_teacher import with_words_of_teacher
from headwise.treebank import Sentence, read
from headwise.trees.factorizations import MODIFIERS_OF_LABELS, PARTS, RELATIVES_OF_LABELS
from headwise.words.clusters.clusters import Clusters
from headwise.words.vectors.files import WordVectors

if TYPE_CHECKING:
    from headwise.components.tagging.tag_task import TagTask

NO_BITS = 4
"""Of tables that nothing is looked up in."""
Source = str | Path | Iterable[Sentence]
Tables = dict[str, npt.NDArray[Any]]


def begun(
    train: Source,
    dev: Source | None,
    settings: TrainingSettings,
    listener: Listener,
    *,
    model_path: str | Path | None = None,
    resume: bool = False,
    tags: TagTask | None = None,
    reader: Parser | None = None,
    unlabelled: Sequence[Sentence] | None = None,
    is_part: bool = False,
) -> Run:
    """A run before its first step; HeadwiseError where nothing can come of it."""
    settings = replace(settings, threads=settings.threads or os.cpu_count() or 1)
    check_what_networks_need(settings)
    if unlabelled is None and reader is None and settings.teaching.unlabelled:
        unlabelled = read_unlabelled(settings.teaching.unlabelled)
    sentences, dev_sentences = load_sentences(train), load_sentences(dev) if dev is not None else []
    _check_sentences(sentences, dev_sentences if dev is not None else None)
    settings = with_network_size(settings, sentences)
    check_learner(sentences, settings)
    sentences = [without_columns(sentence, settings.words.ignore) for sentence in sentences]
    kind = decide_tree_kind(sentences, settings)
    check_optimizer(kind, settings)
    every = Trees(
        sentences, [gold_heads(one, kind, larger_parts=settings.has_larger_parts) for one in sentences]
    )
    view, tables = with_words_of_teacher(*view_of_words(sentences, settings.words), settings, listener)
    _tell(every, kind, listener)
    columns = _columns(sentences, settings, view, listener)
    config = _configuration(every, kind, settings, columns, view)
    if reader is not None:
        check_joinable(reader, config, tables)
    learned, tags = _learnable(every, config, tags, listener)
    checkpoint = None
    if model_path is not None:
        data = _digest(learned.sentences) + _digest(dev_sentences)
        checkpoint = Checkpoint.beside(model_path, asdict(settings), data, resume=resume)
    return Run(
        listener=listener,
        settings=settings,
        dev=dev_sentences,
        read=every,
        learned=learned,
        kind=kind,
        columns=columns,
        config=config,
        tables=tables,
        data=_examples(learned, config, tables, settings.cutoff),
        checkpoint=checkpoint,
        tags=tags,
        unlabelled=unlabelled or (),
        reader=reader,
        is_part=is_part,
    )


def load_sentences(source: Source) -> list[Sentence]:
    return list(read(source) if isinstance(source, str | Path) else source)


def _check_sentences(train: list[Sentence], dev: list[Sentence] | None) -> None:
    if not train:
        raise HeadwiseError("there are no sentences to train on.")
    if dev is not None and not dev:
        raise HeadwiseError("there are no sentences in the development set; leave it out, or give another.")
    check_training_trees(train)
    check_training_trees(dev or [])


def check_optimizer(kind: TreeKind, settings: TrainingSettings) -> None:
    if settings.optimizer in EG_OPTIMIZERS and settings.has_larger_parts and not kind.projective:
        raise HeadwiseError(
            "exponentiated gradient needs sums over all trees, and above first order there are sums over"
            " projective trees only, while trees of this treebank cross: what it would minimize is no loss."
            " Use --trees projective, --factorization arc, or --optimizer online."
        )


def without_columns(sentence: Sentence, columns: Collection[str]) -> Sentence:
    """A sentence and its tree as one without these columns would be."""
    if not columns:
        return sentence
    of = {"lemma": "lemmas"}
    kept = {of.get(c, c): getattr(sentence, of.get(c, c)) for c in COLUMNS if c not in columns}
    return Sentence.from_words(sentence.forms, **kept, heads=sentence.heads, labels=sentence.labels)


def view_of_words(sentences: list[Sentence], words: Words) -> tuple[WordViewConfig | None, Tables]:
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


def _tell(trees: Trees, kind: TreeKind, listener: Listener) -> None:
    listener.message(f"searching {kind}")
    if partial := sum(map(is_partial, trees.heads)):
        words = sum(map(len, trees.sentences))
        unknown = sum(int(np.count_nonzero(heads < 0)) for heads in trees.heads) / words
        listener.message(f"{partial} trees are partial: {unknown:.1%} of the words are without a head")


def _columns(
    sentences: list[Sentence], settings: TrainingSettings, view: WordViewConfig | None, listener: Listener
) -> Collection[str]:
    """What features may read: columns that tell something, and what is found out beside them."""
    columns = informative_columns(sentences)
    if not settings.network.alone:
        listener.message(f"features from the columns {', '.join(sorted(columns))}")
    if settings.guesses_roles:
        columns |= {"role"}
    if settings.positions:
        columns |= {"position"}
    return columns | view.columns if view is not None else columns


def _configuration(
    trees: Trees,
    kind: TreeKind,
    settings: TrainingSettings,
    columns: Collection[str],
    view: WordViewConfig | None,
) -> ParserConfig:
    """Of a parser of features and what prunes for them, which has no other component yet."""
    labels, mode, alone = _labels(trees.sentences, settings), settings.labels, settings.network.alone
    limits = ArcLimits.collect((s.upos, heads) for s, heads in zip(*trees, strict=True))
    arc_table, label_table = _feature_tables(kind, settings, columns)
    rules = list(obeyed_by(trees.sentences) if settings.rules is None else settings.rules)
    return ParserConfig(
        labels=labels.names,
        label_arcs=labels.on_arcs(*trees, limits.tags) if mode in GIVEN else [],
        label_mode=mode,
        projective=kind.projective,
        single_root=kind.single_root,
        tags=limits.tags,
        arc_limits=limits.limits.ravel().tolist(),
        arc_bits=NO_BITS if alone else settings.arc_bits,
        label_bits=NO_BITS if alone or mode == "none" else settings.label_bits,
        arc_templates=list(arc_table.lines),
        label_templates=list(label_table.lines) if mode != "none" else [],
        factorization=settings.factorization,
        part_templates={
            part: []
            if part in settings.without
            else list(table_of(settings, part).for_columns(columns).lines)
            for part in PARTS[settings.factorization]
        },
        pruner=_pruner(settings, columns),
        words=view,
        rules=rules if mode == "separate" else [],
        training={
            "settings": stored_settings(settings),
            "sentences": len(trees.sentences),
            "words": sum(map(len, trees.sentences)),
        },
    )


def _pruner(settings: TrainingSettings, columns: Collection[str]) -> PrunerConfig | None:
    if not settings.has_larger_parts:
        return None
    return PrunerConfig(
        templates=list(table_of(settings, "pruner").for_columns(columns).lines),
        bits=settings.pruning.bits,
        threshold=settings.pruning.threshold,
        most_heads=settings.pruning.heads,
    )


def _labels(sentences: list[Sentence], settings: TrainingSettings) -> LabelInventory:
    if settings.labels == "none":
        return LabelInventory([])
    if settings.labels == "latent":
        return LabelInventory([f"z{i}" for i in range(1, settings.latent.clusters + 1)])
    return LabelInventory.collect(sentences)


def _feature_tables(
    kind: TreeKind, settings: TrainingSettings, columns: Collection[str]
) -> tuple[TemplateTable, TemplateTable]:
    """The templates of arcs, and those of labels."""
    if settings.network.alone:
        return TemplateTable(()), TemplateTable(())
    arcs, labels = (table_of(settings, name).for_columns(columns) for name in ("arc", "label"))
    if settings.labels in LABELS_IN_SEARCH:
        in_chart = MODIFIERS_OF_LABELS.get(settings.factorization, "") if kind.projective else ""
        labels = labels.for_search(
            RELATIVES_OF_LABELS[settings.factorization], in_chart if settings.labels == "joint" else ""
        )
    if not arcs.lines or (settings.labels != "none" and not labels.lines):
        raise HeadwiseError(
            "no feature template is left: the templates read columns that the treebank leaves empty. Fill "
            "them (headwise tag), or give templates that read others (--templates)."
        )
    return arcs, labels


def stored_settings(settings: TrainingSettings) -> dict[str, Any]:
    """Settings as a model file says them: of files their names, and nothing that is no part of the result."""

    def name(file: str | None) -> str | None:
        return file and Path(file).name

    chosen: dict[str, Any] = json.loads(json.dumps(asdict(settings)))
    for left_out in ("threads", "templates"):  # the latter are stored where they are used
        del chosen[left_out]
    if settings.network.members == 1:  # as files said it when there was always one
        del chosen["network"]["members"]
    chosen["words"]["clusters"] = [name(file) for file in settings.words.clusters]
    chosen["words"]["vectors"] = name(settings.words.vectors)
    chosen["teaching"]["teachers"] = [name(file) for file in settings.teaching.teachers]
    chosen["teaching"]["unlabelled"] = name(settings.teaching.unlabelled)
    chosen["torch"]["pretrained"] = name(settings.torch.pretrained)
    return chosen


def _learnable(
    every: Trees, config: ParserConfig, tags: TagTask | None, listener: Listener
) -> tuple[Trees, TagTask | None]:
    """Without the partial trees that no tree completes."""
    possible = can_be_completed(*every, config)
    if all(possible):
        return every, tags
    listener.message(f"{possible.count(False)} partial trees cannot be completed, and are left out")
    learned = Trees(list(compress(every.sentences, possible)), list(compress(every.heads, possible)))
    return learned, tags and replace(tags, train=list(compress(tags.train, possible)))


def _examples(trees: Trees, config: ParserConfig, tables: Tables, cutoff: int) -> Examples:
    """The trees, as learners are given them."""
    labels, shape = LabelInventory(config.labels), config.shape(tables)
    examples = [
        TrainingExample(s, heads, labels.ids(s.labels), shape) for s, heads in zip(*trees, strict=True)
    ]
    return Examples(examples, [None] * len(examples), cutoff)


def _digest(sentences: list[Sentence]) -> bytes:
    digest = hashlib.sha256()
    for sentence in sentences:
        digest.update(sentence.to_bytes())
    return digest.digest()
