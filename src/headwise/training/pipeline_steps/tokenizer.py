"""The step that learns to split text, which has to know where spaces are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from headwise.components.text import Tokenizer
from headwise.components.text.accuracy import split_scores
from headwise.components.text.spacing import Spacing, says_spacing
from headwise.learning.loop import Listener
from headwise.training.pipeline_steps.run import PipelineRun
from headwise.treebank.files import read_lines
from headwise.treebank.rewriting import rewritten

NO_SPACING = "the treebank does not say where spaces are (it has neither # text nor SpaceAfter=No): "
FROM_TEXT = "the tokenizer learns that from the raw text"
BY_RULES = (
    "the tokenizer goes by the usual rules of punctuation; raw text of the language (--text) tells more"
)


def learn_tokenizer(run: PipelineRun, **quick: Any) -> PipelineRun:
    """The run with a tokenizer; ``quick`` are settings of one that is made in a hurry."""
    train, dev, text, listener = run.sentences, run.dev, run.how.text, run.listener
    listener.message("training the tokenizer")
    if not says_spacing(train):
        listener.message(NO_SPACING + (FROM_TEXT if text else BY_RULES))
        spacing = Spacing.usual(train) if text is None else Spacing.of_text(read_lines(text))
        train, dev = spacing.respaced(train), spacing.respaced(dev) if dev is not None else None
    settings = replace(run.how.tokenizer, rewrite=run.how.rewrite, **quick)
    tokenizer = Tokenizer.train(train, settings=settings, listener=Listener(progress=listener.progress))
    if dev and not quick:
        listener.message(f"tokenizer: {split_scores(dev, tokenizer)}")
    interrupted = bool(tokenizer.config.training.get("interrupted"))
    return replace(run, tokenizer=tokenizer, interrupted=run.interrupted or interrupted)


def hurried_tokenizer(run: PipelineRun) -> PipelineRun:
    return learn_tokenizer(run, epochs=1)


def rewrite_sentences(run: PipelineRun) -> PipelineRun:
    """The run with some of its sentences as people type them, which is all that later steps see."""
    return replace(run, sentences=rewritten(run.sentences, run.how.rewrite, run.settings.seed))
