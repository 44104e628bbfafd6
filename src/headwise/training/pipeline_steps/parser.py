"""The step that learns to parse."""

from __future__ import annotations

from dataclasses import replace

from headwise.learning.folds import in_two_versions
from headwise.training.members import joined
from headwise.training.pipeline_steps.run import PipelineRun
from headwise.training.small_parser import SMALL_PARSER, settings_of_small_parser
from headwise.training.train import train_parser


def learn_parser(run: PipelineRun) -> PipelineRun:
    """The run with a parser of tagged sentences, which has the network of the reader."""
    run.listener.message("training the parser")
    assert run.tagged is not None
    parser = train_parser(
        in_two_versions(run.tagged, run.sentences) if run.how.gold_tags_too else run.tagged,
        run.tagged_dev,
        run.parser_settings,
        listener=run.listener,
        model_path=run.model_path,
        resume=run.resume,
        keep_state=True,
        network=run.reader,
        unlabelled=run.unlabelled,
    )
    if run.reader is not None and parser.config.network is None:  # interrupted before it had the network
        parser = joined([parser, run.reader], weight=run.settings.network_weight)
    return replace(run, parser=parser, interrupted=parser.config.training["interrupted"])


def hurried_parser(run: PipelineRun) -> PipelineRun:
    """The run with a small parser, beside the network where there is one.

    A network that is half done may know next to nothing, so features have their say, too.
    """
    if run.reader is not None and run.settings.network.alone:
        return replace(run, parser=run.reader)
    run.listener.message(SMALL_PARSER)
    tagged = list(run.made_tagger.with_network(None, None).pipe(run.sentences, threads=run.settings.threads))
    parser = train_parser(tagged, None, settings_of_small_parser(run.settings), listener=run.listener)
    if run.reader is not None:
        parser = joined([parser, run.reader], weight=run.settings.network_weight)
    parser.config.training["interrupted"] = True
    return replace(run, parser=parser)
