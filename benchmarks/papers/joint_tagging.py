"""Tasks that choose tags together with trees."""

from __future__ import annotations

import numpy as np

from benchmarks.engine import Result
from benchmarks.measuring.attachment import attached, counts_of, to_json
from benchmarks.measuring.training import corpus_of
from headwise import Parser
from headwise.components.tagging import Tagger, TaggerSettings, realistic_tags
from headwise.components.tagging.joint import JointTagsConfig, tag_chooser
from headwise.learning import Listener
from headwise.learning.choices import JointLearner
from headwise.training import TrainingSettings
from headwise.training.joint_tags.training import fitted, learned
from headwise.treebank import Sentence

JACKKNIFE = 3


def correction(
    treebank: str,
    sentences: int | None,
    measured: int | None,
    epochs: int,
    learner: JointLearner = "log-linear",
) -> Result:
    """Zhang et al. (2014, sampling), Table 3: parsing with gold tags, predicted ones, and corrected ones."""
    corpus = corpus_of(treebank, sentences, measured, dev="held-out")
    of_tagger = TaggerSettings(epochs=epochs)
    settings = TrainingSettings.preset("second", labels="none", calibrate=False, epochs=epochs)
    tagger = Tagger.train(corpus.train, settings=of_tagger)
    tagged, _ = realistic_tags(corpus.train, None, JACKKNIFE, of_tagger)
    by_gold, parser = (Parser.train(tags, settings=settings) for tags in (corpus.train, tagged))
    config = JointTagsConfig("climb")
    model = learned(config, corpus.train, tagged, of_tagger, settings, learner, listener=Listener())
    model = fitted(model, tagger, parser, corpus.dev, threads=1)
    result: Result = {}
    for part, gold in {"dev": corpus.dev, "test": corpus.test}.items():
        predicted = list(tagger.pipe(gold))
        corrected = predicted
        if model is not None:
            choices = tag_chooser(model.config, tagger, parser, model.weights).choose(gold)
            corrected = [choice.sentence for choice in choices]
        result[part] = {
            "gold": _right(gold, gold, by_gold),
            "predicted": _right(gold, predicted, parser),
            "corrected": _right(gold, corrected, parser),
        }
    return result


def _right(gold: list[Sentence], tagged: list[Sentence], parser: Parser) -> Result:
    pairs = zip(gold, tagged, strict=True)
    tags = [np.array([a == b for a, b in zip(g.xpos, t.xpos, strict=True)]) for g, t in pairs]
    heads = [parse.heads for parse in parser.pipe(tagged)]
    return {"tags": to_json(counts_of(gold, tags)), "uas": to_json(attached(gold, heads))}
