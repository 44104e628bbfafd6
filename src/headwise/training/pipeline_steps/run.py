"""A pipeline in the making."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from headwise.components.parser.parser import Parser
from headwise.components.tagging import Tagger, TaggerSettings
from headwise.components.text import Tokenizer
from headwise.learning.loop import EpochReport, Listener
from headwise.learning.steps import AnyRun
from headwise.pipeline.pipeline import Pipeline
from headwise.training.joint_tags.training import JointModel
from headwise.training.pipeline_settings import PipelineSettings
from headwise.training.pipeline_steps.network import without_network
from headwise.training.settings import TrainingSettings
from headwise.treebank import Sentence


@dataclass(frozen=True, kw_only=True)
class PipelineRun(AnyRun):
    """What is given, and what the steps have made of it so far."""

    settings: TrainingSettings
    how: PipelineSettings
    sentences: list[Sentence]
    dev: list[Sentence] | None
    model_path: str | Path | None = None
    resume: bool = False
    tokenizer: Tokenizer | None = None
    tagger: Tagger | None = None
    unlabelled: list[Sentence] | None = None
    """What teachers of the network are asked about."""
    reader: Parser | None = None
    """A parser of a network alone, which tagger and parser read from."""
    tagged: list[Sentence] | None = None
    """The sentences, with tags of taggers that have not seen them, and …"""
    tagged_dev: list[Sentence] | None = None
    """… the development set, tagged."""
    parser: Parser | None = None
    joint: JointModel | None = None

    @property
    def tagger_settings(self) -> TaggerSettings:
        settings = self.settings
        return replace(
            self.how.tagger, seed=settings.seed, threads=settings.threads, clusters=settings.words.clusters
        )

    @property
    def parser_settings(self) -> TrainingSettings:
        """Without a network, where that has diverged."""
        return without_network(self.settings) if self.reader is None else self.settings

    @property
    def made_tokenizer(self) -> Tokenizer:
        """In steps after its own; so below."""
        assert self.tokenizer is not None
        return self.tokenizer

    @property
    def made_tagger(self) -> Tagger:
        assert self.tagger is not None
        return self.tagger

    @property
    def made_parser(self) -> Parser:
        assert self.parser is not None
        return self.parser

    def pipeline(self) -> Pipeline:
        made = Pipeline(self.made_tokenizer, self.made_tagger, self.made_parser)
        return made if self.joint is None else made.with_joint_tags(self.joint.config, self.joint.weights)


def of_tags(listener: Listener) -> Listener:
    """Is told of a tagger's epochs as messages."""

    def epoch(report: EpochReport) -> None:
        wrong = f"wrong tags {report.train_errors:.2%}" if report.train_errors is not None else ""
        left = f"{report.seconds_left:.0f} s left"
        scores = f"{report.dev}{' *' if report.is_best else ''}" if report.dev else ""
        parts = [f"tagger, epoch {report.epoch}/{report.epochs}", wrong, scores, left]
        listener.message("  ".join(filter(None, parts)))

    return Listener(progress=listener.progress, epoch=epoch, message=listener.message)
