"""From a treebank to a joint model: what the parser counts, and weights of tags in trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count, islice

import numpy as np

from headwise.components.parser.parser import Parser
from headwise.components.tagging.joint.candidates import parsed, ways_to_tag
from headwise.components.tagging.joint.climbing import Weights
from headwise.components.tagging.joint.config import JointTagsConfig
from headwise.components.tagging.joint.confusions import confusions
from headwise.components.tagging.joint.features import TagNames
from headwise.components.tagging.settings import TaggerSettings
from headwise.components.tagging.tagger import Tagger
from headwise.components.tagging.train import train_tagger
from headwise.learning.choices import JointLearner
from headwise.learning.folds import Folds, in_two_versions
from headwise.learning.loop import Listener
from headwise.training.joint_tags.learning import SAMPLES, CandidateLearner, Example
from headwise.training.joint_tags.log_linear import LogLinearLearner
from headwise.training.settings import TrainingSettings
from headwise.training.train import train_parser
from headwise.treebank import Sentence

PARSER_WEIGHTS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
FOLDS, EPOCHS, AGGRESSIVENESS, BITS = 3, 2, 0.003, 18
LOG_LINEAR_EPOCHS = 5


@dataclass(frozen=True)
class JointModel:
    """How tags are chosen with trees; ``weights`` where ``config.bits`` says that there are features."""

    config: JointTagsConfig
    weights: Weights | None = None
    has_fitted_weight: bool = False
    """Whether what the parser counts was learned together with the weights."""


def examples_of(
    config: JointTagsConfig,
    tagger: Tagger,
    parser: Parser,
    gold: Sequence[Sentence],
    *,
    bits: int | None,
    threads: int,
) -> list[Example]:
    """Those of the sentences that have a choice of tags; neither model has seen any."""
    ways = ways_to_tag(config, tagger, gold, threads=threads)
    unsure = [i for i, own in enumerate(ways) if len(own) > 1]
    own_gold = [gold[i] for i in unsure]
    found = parsed(tagger, parser, own_gold, [ways[i] for i in unsure], threads=threads)
    names = TagNames.of(tagger.config.tags)
    return [Example.of(*pair, names, bits) for pair in zip(own_gold, found, strict=True)]


def learned(
    config: JointTagsConfig,
    gold: Sequence[Sentence],
    tagged: Sequence[Sentence],
    tagger_settings: TaggerSettings,
    settings: TrainingSettings,
    learner: JointLearner,
    *,
    gold_tags_too: bool = False,
    listener: Listener,
) -> JointModel:
    """Weights of tags in trees, learned from taggers and parsers that have not seen the sentence.

    ``tagged`` are the sentences with tags as a tagger gives them (jackknifed), for the parsers; with
    ``gold_tags_too`` these learn from both.
    """
    folds = Folds.interleaved(len(gold), FOLDS)
    quiet = Listener(progress=listener.progress)
    bare = replace(settings, calibrate=False)
    examples: list[Example] = []
    for fold in folds:
        listener.message(f"training a tagger and a parser without part {fold + 1} of {FOLDS} of the data")
        own, others = folds.split(gold, fold)
        others_tagged = folds.split(tagged, fold)[1]
        tagger = train_tagger(others, None, tagger_settings, listener=quiet)
        for_parser = in_two_versions(others_tagged, others) if gold_tags_too else others_tagged
        parser = train_parser(for_parser, None, bare, listener=quiet, is_part=True)
        if tagger.config.training["interrupted"] or parser.config.training["interrupted"]:
            raise KeyboardInterrupt
        considered = config
        if config.confusions is not None:  # which are by the numbers of the tagger's tags
            considered = replace(config, confusions=confusions(others, others_tagged, tagger.config.tags))
        examples += examples_of(considered, tagger, parser, own, bits=BITS, threads=settings.threads)
    orders = (np.random.default_rng((settings.seed, epoch)).permutation(len(examples)) for epoch in count())
    if learner == "log-linear":
        start = min(PARSER_WEIGHTS, key=lambda weight: _mistakes(examples, weight, None))
        log_linear = LogLinearLearner(examples, BITS, parser_weight=start)
        for order in islice(orders, LOG_LINEAR_EPOCHS):
            log_linear.train(order)
        weight, weights = log_linear.averaged()
        return JointModel(replace(config, bits=BITS, parser_weight=weight), weights, has_fitted_weight=True)
    trainer = CandidateLearner(
        examples,
        BITS,
        parser_weight=config.parser_weight,
        aggressiveness=AGGRESSIVENESS,
        samples=SAMPLES if learner == "samplerank" else 0,
    )
    for epoch, order in enumerate(islice(orders, EPOCHS)):
        trainer.train(order, (settings.seed, epoch, 1))
    return JointModel(replace(config, bits=BITS), trainer.averaged())


def fitted(
    model: JointModel, tagger: Tagger, parser: Parser, gold: Sequence[Sentence], *, threads: int
) -> JointModel | None:
    """The model with what makes the fewest mistakes on annotated sentences that nobody has seen.

    That is a weight of the parser, and features or none. What was learned with its own weight is taken
    wherever it is of use. None where nothing is better than the tagger's tags.
    """
    config = model.config
    examples = examples_of(config, tagger, parser, gold, bits=config.bits, threads=threads)
    at_first = _mistakes(examples, 0.0, None)
    if model.has_fitted_weight and _mistakes(examples, config.parser_weight, model.weights) < at_first:
        return model
    tried = [JointModel(replace(config, bits=None, parser_weight=weight)) for weight in PARSER_WEIGHTS]
    if model.weights is not None and not model.has_fitted_weight:
        tried += [JointModel(replace(config, parser_weight=w), model.weights) for w in PARSER_WEIGHTS]
    best = min(tried, key=lambda one: _mistakes(examples, one.config.parser_weight, one.weights))
    return best if _mistakes(examples, best.config.parser_weight, best.weights) < at_first else None


def _mistakes(examples: Sequence[Example], parser_weight: float, weights: Weights | None) -> float:
    """In the candidates that score the most."""
    return sum(float(one.costs[np.argmax(one.scores(parser_weight, weights))]) for one in examples)
