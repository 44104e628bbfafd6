"""A parser in the making: what is given, and what the steps of training have made of it so far."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headwise._native import learning as native
from headwise._native.parsing import ParserShape
from headwise.components.parser.config import ParserConfig
from headwise.components.parser.decoders import Decoder
from headwise.components.parser.parser import Parser
from headwise.components.scoring.templates import TemplateTable
from headwise.learning.checkpoint import Checkpoint
from headwise.learning.loop import DevScores, TrainedWeights
from headwise.learning.steps import AnyRun
from headwise.training.examples import Examples, TreeKind
from headwise.training.learners import online_trainer
from headwise.training.members import TrainedNetwork
from headwise.training.settings import TrainingSettings
from headwise.treebank import Sentence

if TYPE_CHECKING:
    from headwise.components.tagging.tag_task import TagTask

GIVEN = ("separate", "joint")
"""Modes in which labels come from the treebank."""


class Trees(NamedTuple):
    """Sentences, and the tree of each that is learned: their own, or the nearest of the kind searched."""

    sentences: list[Sentence]
    heads: list[npt.NDArray[np.int32]]


@dataclass(frozen=True, kw_only=True)
class Run(AnyRun):
    """What a step is given, and what it returns with more in it."""

    settings: TrainingSettings
    dev: list[Sentence]
    """The development set; empty without one."""
    read: Trees
    """The treebank, and …"""
    learned: Trees
    """… what of it can be learned from."""
    kind: TreeKind
    columns: Collection[str]
    """Columns that features may read."""
    config: ParserConfig
    """Of the parser, with the components that it has so far."""
    tables: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    """Theirs, by name; those of features are found by the step that learns features."""
    data: Examples
    weights: TrainedWeights | None = None
    """Of features, as they were learned."""
    parser: Parser | None = None
    checkpoint: Checkpoint | None = None
    """Where states are kept: that of features here, those of other steps in parts of it."""
    is_part: bool = False
    """Of a larger run, which has no use for a parser that is made in a hurry."""
    tags: TagTask | None = None
    """What a network is to find beside heads and labels."""
    unlabelled: Sequence[Sentence] = ()
    """Sentences that only the teachers of a network know trees of."""
    network: TrainedNetwork | None = None
    """One that was trained, and is not yet weighed against the parser."""
    reader: Parser | None = None
    """Whose network is read from, in place of one that is trained for this parser; it must fit
    (`headwise.training.members.check_joinable`)."""

    @property
    def has_parser(self) -> bool:
        """Whether there is one of use: without features it needs what is to score in their place."""
        if self.parser is None:
            return False
        return bool(self.parser.config.arc_templates or self.parser.config.network or self.parser.scorers)

    @property
    def is_judged(self) -> bool:
        """Whether there is a development set to choose by."""
        return bool(self.dev)

    @property
    def made(self) -> Parser:
        """The parser, in steps after the one that makes it."""
        assert self.parser is not None
        return self.parser

    def templates(self, table: str) -> list[str]:
        """Those of a table, the settings' or a built-in one, that read columns which there are."""
        return list(table_of(self.settings, table).for_columns(self.columns).lines)

    def with_component(self, tables: Mapping[str, npt.NDArray[Any]], **config: Any) -> Run:
        """The run with one component more: fields of the parser's configuration, and tables."""
        return replace(self, config=replace(self.config, **config), tables={**self.tables, **tables})

    def learner(self, shape: ParserShape) -> native.Trainer:
        """One of features, as the settings want it, which has no examples yet."""
        return online_trainer(shape, self.settings)

    def parser_of(self, config: ParserConfig, tables: Mapping[str, npt.NDArray[Any]]) -> Parser:
        """A parser with another configuration and other tables than those of the run."""
        return Parser(config, tables)

    def state(self, step: str) -> Checkpoint | None:
        """Where a step keeps its state."""
        return self.checkpoint.of(step) if self.checkpoint else None

    def score(self, parser: Parser) -> DevScores:
        """How well a parser does on the development set."""
        return dev_scores(parser, self.dev, self.settings.threads)

    def better(self, parser: Parser, what: str) -> Run:
        """The run with this parser, where that does better on the development set, or without one."""
        if self.is_judged:
            old, new = self.score(self.made), self.score(parser)
            if new.selection <= old.selection:
                self.listener.message(f"with {what}: no help ({new}), so without: {old}")
                return self
            self.listener.message(f"with {what}: {new}")
        return replace(self, parser=parser)


def table_of(settings: TrainingSettings, name: str) -> TemplateTable:
    """The table that the settings give, or the built-in one."""
    own = settings.templates.get(name)
    return TemplateTable.built_in(name) if own is None else TemplateTable(own)


def dev_scores(
    parser: Parser, sentences: Sequence[Sentence], threads: int, decoder: Decoder = Decoder.map
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
