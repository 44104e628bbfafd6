"""The network of a pipeline, which reads bare words and finds tags, heads and labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from headwise.components.network.settings import Torch
from headwise.components.parser.parser import Parser
from headwise.components.tagging import Tagger
from headwise.components.tagging.tag_task import TagTask
from headwise.learning import Listener
from headwise.training import TrainingSettings, train_parser
from headwise.training.teaching_settings import Teaching
from headwise.training.unlabelled import read_unlabelled
from headwise.treebank import Sentence
from headwise.treebank.rewriting import rewritten

if TYPE_CHECKING:
    from headwise.training.pipeline_steps.run import PipelineRun

PIECES = 5
"""What a network knows of words without tags: pieces of up to so many characters, unless somebody says."""


def reading_bare_words(settings: TrainingSettings) -> TrainingSettings:
    """Settings whose network, and that of a judge who decides how much it counts, read no tags."""
    return settings.changed(network={"reads_tags": False, "pieces": settings.network.pieces or PIECES})


def without_network(settings: TrainingSettings) -> TrainingSettings:
    """The same for features alone."""
    words = settings.words if settings.tensor.rank else replace(settings.words, vectors=None)
    network = replace(settings.network, use=False, members=1)
    return replace(settings, network=network, torch=Torch(), teaching=Teaching(), words=words)


def learn_reader(run: PipelineRun) -> PipelineRun:
    """The run with a network, where the settings ask for one."""
    settings, unlabelled = run.settings, None
    if not settings.has_network:
        return run
    if settings.teaching.unlabelled:
        read = read_unlabelled(settings.teaching.unlabelled, run.tokenizer)
        unlabelled = rewritten(read, run.how.rewrite, settings.seed)
    reader = train_reader(
        run.sentences,
        run.dev or [],
        run.made_tagger,
        unlabelled,
        settings,
        run.listener,
        model_path=run.model_path,
        resume=run.resume,
    )
    interrupted = reader.config.training["interrupted"]
    return replace(run, reader=reader, unlabelled=unlabelled, interrupted=interrupted)


def train_reader(
    train: Sequence[Sentence],
    dev: Sequence[Sentence],
    tagger: Tagger,
    unlabelled: Sequence[Sentence] | None,
    settings: TrainingSettings,
    listener: Listener,
    *,
    model_path: str | Path | None = None,
    resume: bool = False,
) -> Parser:
    """A network alone, which reads bare words and finds tags, heads and labels.

    The taggers that tag the training data do not read it: it has seen all of that, and would make their tags
    better there than they are elsewhere. The state of its training is kept beside the future model until the
    parser is trained, too.
    """
    listener.message("training the network")
    alone = TrainingSettings.preset(
        "network",
        torch=settings.torch,
        network=replace(settings.network, use=True, alone=True, weight=None),
        words=settings.words,
        teaching=settings.teaching,
        trees=settings.trees,
        root=settings.root,
        labels=settings.labels,
        rules=settings.rules,
        seed=settings.seed,
        threads=settings.threads,
        calibrate=False,
    )
    return train_parser(
        train,
        dev or None,
        alone,
        listener=listener,
        model_path=model_path,
        resume=resume,
        keep_state=True,
        tags=TagTask.of(tagger.config, train, dev),
        unlabelled=unlabelled,
        is_part=True,
    )
