"""The steps that learn how tags are chosen together with trees."""

from __future__ import annotations

from dataclasses import replace

from headwise.components.tagging.joint import JointTagsConfig
from headwise.components.tagging.joint.confusions import confusions
from headwise.training.joint_tags.training import JointModel, fitted, learned
from headwise.training.pipeline_steps.run import PipelineRun

NO_GAIN = "joint tags: none that are better than the tagger's on the development set, which stay"
NOT_LEARNED = "joint tags: interrupted, so nothing is learned of them"


def learn_joint_tags(run: PipelineRun) -> PipelineRun:
    """The run with weights of tags in trees, where they are asked for."""
    if run.how.joint_learner is None or (config := _configuration(run)) is None:
        return run
    assert run.tagged is not None
    joint = learned(
        config,
        run.sentences,
        run.tagged,
        run.tagger_settings,
        run.parser_settings,
        run.how.joint_learner,
        gold_tags_too=run.how.gold_tags_too,
        listener=run.listener,
    )
    return replace(run, joint=joint)


def without_weights(run: PipelineRun) -> PipelineRun:
    """The same in an interrupted run."""
    if run.how.joint_learner is not None:
        run.listener.message(NOT_LEARNED)
    return run


def fit_joint_tags(run: PipelineRun) -> PipelineRun:
    """The run with tags that are chosen together with trees, as does best on the development set."""
    if (config := _configuration(run)) is None:
        return run
    model = run.joint or JointModel(config)
    if not run.dev:
        return replace(run, joint=model)
    found = fitted(model, run.made_tagger, run.made_parser, run.dev, threads=run.settings.threads)
    run.listener.message(NO_GAIN if found is None else _what_counts(found))
    return replace(run, joint=found)


def _configuration(run: PipelineRun) -> JointTagsConfig | None:
    """None where nobody asks for joint tags, or where the run ended before there were tags."""
    way, tagged = run.how.joint_tags, run.tagged
    if way is None or tagged is None:
        return None
    by_confusions = run.how.joint_candidates == "confusions"
    tags = run.made_tagger.config.tags
    return JointTagsConfig(way, confusions=confusions(run.sentences, tagged, tags) if by_confusions else None)


def _what_counts(model: JointModel) -> str:
    features = "" if model.weights is None else ", and features of both count"
    return f"joint tags: the parser counts {model.config.parser_weight:g} beside the tagger{features}"
