"""Train a pipeline: the order of the steps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from headwise.base.errors import HeadwiseError
from headwise.components.scoring.universal_rules import obeyed_by
from headwise.components.tagging.joint.exact import require
from headwise.learning.checkpoint import say_what_is_resumed
from headwise.learning.loop import Listener
from headwise.learning.steps import Step, always, follow
from headwise.pipeline.pipeline import Pipeline
from headwise.training.members import NAME
from headwise.training.pipeline_settings import PipelineSettings
from headwise.training.pipeline_steps.joint_tags import fit_joint_tags, learn_joint_tags, without_weights
from headwise.training.pipeline_steps.network import learn_reader, reading_bare_words
from headwise.training.pipeline_steps.parser import hurried_parser, learn_parser
from headwise.training.pipeline_steps.run import PipelineRun
from headwise.training.pipeline_steps.tags import (
    fit_tags,
    hear_network,
    hurried_tagger,
    learn_tagger,
    tag_for_parser,
)
from headwise.training.pipeline_steps.tokenizer import hurried_tokenizer, learn_tokenizer, rewrite_sentences
from headwise.training.settings import TrainingSettings
from headwise.training.teacher_files import check_what_networks_need
from headwise.training.train import Source, load_sentences, remove_states, states_beside

STEPS = (
    Step(learn_tokenizer, instead=hurried_tokenizer),
    Step(rewrite_sentences, is_quick=always),
    Step(learn_tagger, instead=hurried_tagger),
    Step(learn_reader, name=NAME, is_optional=lambda run: not run.settings.network.alone),
    Step(hear_network, is_quick=always),
    Step(fit_tags),
    Step(tag_for_parser),
    Step(learn_parser, instead=hurried_parser),
    Step(learn_joint_tags, instead=without_weights),
    Step(fit_joint_tags, is_quick=always),
)
"""The order in which a pipeline is made."""


def train_pipeline(
    train: Source,
    dev: Source | None,
    settings: TrainingSettings,
    how: PipelineSettings,
    *,
    listener: Listener,
    model_path: str | Path | None = None,
    resume: bool = False,
) -> Pipeline:
    """See `headwise.Pipeline.train`."""
    settings = _checked(settings, how)
    sentences, dev_sentences = load_sentences(train), load_sentences(dev) if dev is not None else None
    if not sentences:
        raise HeadwiseError("there are no sentences to train on.")
    if settings.rules is None:  # of gold tags, which the parser will not see
        settings = replace(settings, rules=tuple(obeyed_by(sentences)))
    if settings.has_network:
        settings = reading_bare_words(settings)
    if model_path is not None:
        say_what_is_resumed(states_beside(model_path, settings, resume=resume), listener)
    run = PipelineRun(
        listener=listener,
        settings=settings,
        how=how,
        sentences=sentences,
        dev=dev_sentences,
        model_path=model_path,
        resume=resume,
    )
    run = follow(run, STEPS)
    if model_path is not None and not run.interrupted:
        remove_states(model_path, settings)
    return run.pipeline()


def _checked(settings: TrainingSettings, how: PipelineSettings) -> TrainingSettings:
    """Settings of the parser that go with those of the pipeline; HeadwiseError where none do."""
    way = how.joint_tags
    if way is not None and how.features_alone:
        # Where nobody has said which trees are to be searched, those that this can be done with.
        settings = replace(settings, trees="projective") if settings.trees == "auto" else settings
        others = settings.has_network or settings.tensor.rank or settings.whole_tree.families
        require(
            way,
            larger_parts=settings.has_larger_parts,
            projective=settings.trees == "projective",
            features_alone=not others,
        )
    check_what_networks_need(settings)
    return settings
