"""The steps that learn to tag, and that tag for the parser."""

from __future__ import annotations

from dataclasses import replace

from headwise.components.tagging import TaggerSettings, realistic_tags
from headwise.components.tagging.network_opinion import with_network_opinion
from headwise.components.tagging.train import train_tagger
from headwise.training.pipeline_steps.run import PipelineRun, of_tags


def learn_tagger(run: PipelineRun) -> PipelineRun:
    run.listener.message("training the tagger")
    return _with_tagger(run, run.tagger_settings)


def hurried_tagger(run: PipelineRun) -> PipelineRun:
    """After one epoch, where there is none."""
    return run if run.tagger else _with_tagger(run, replace(run.tagger_settings, epochs=1))


def _with_tagger(run: PipelineRun, settings: TaggerSettings) -> PipelineRun:
    dev = None if run.interrupted else run.dev
    tagger = train_tagger(run.sentences, dev, settings, listener=of_tags(run.listener))
    interrupted = run.interrupted or tagger.config.training["interrupted"]
    return replace(run, tagger=tagger, interrupted=interrupted)


def hear_network(run: PipelineRun) -> PipelineRun:
    """The run with a tagger that reads from the network, where there is one and that is of use."""
    if run.reader is None:
        return run
    tagger = with_network_opinion(
        run.made_tagger, run.reader, run.dev or [], threads=run.settings.threads, listener=run.listener
    )
    return replace(run, tagger=tagger)


def fit_tags(run: PipelineRun) -> PipelineRun:
    """The run with probabilities of tags."""
    if not run.dev or not run.settings.calibrate:
        return run
    return replace(run, tagger=run.made_tagger.calibrated(run.dev, threads=run.settings.threads))


def tag_for_parser(run: PipelineRun) -> PipelineRun:
    """The run with the tags that the parser learns from."""
    tagged, dev = realistic_tags(
        run.sentences,
        run.dev,
        run.how.jackknife,
        run.tagger_settings,
        tagger=run.made_tagger,
        listener=run.listener,
    )
    return replace(run, tagged=tagged, tagged_dev=dev)
