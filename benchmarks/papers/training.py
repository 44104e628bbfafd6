"""What papers train, and ways to train and decode that one of them alone has."""

from __future__ import annotations

from typing import Any

from benchmarks.engine import Result, Scale, Task
from benchmarks.measuring import training
from benchmarks.measuring.attachment import attached, percent, to_json
from benchmarks.measuring.training import corpus_of, measure
from headwise import Parser
from headwise.components.reranker.reranker import Reranker
from headwise.components.scoring.other_parser import with_other_parser
from headwise.components.whole_tree.config import FAMILIES
from headwise.evaluation import SentenceCounts
from headwise.training import TrainingSettings
from headwise.training.reranking import RerankerSettings
from headwise.treebank import Sentence
from headwise.trees import SpanningTrees

EPOCHS = 10
"""Of the papers, where they say it."""
CONLLX = ("CoNLLX_Danish", "CoNLLX_Dutch", "CoNLLX_Portuguese", "CoNLLX_Swedish")
"""The sets that papers report on, and that are open."""


def scaled(scale: Scale, **arguments: Any) -> dict[str, Any]:
    """The arguments of a task at a scale; what they say themselves wins."""
    own = {"sentences": scale.sentences, "measured": scale.measured, "epochs": scale.epochs or EPOCHS}
    return {**own, **arguments}


def train_task(scale: Scale, treebank: str, settings: dict[str, Any], **arguments: Any) -> Task:
    """Heads alone, unless the settings say otherwise."""
    chosen = {"labels": "none", **settings}
    return training.train_task(scale, treebank, chosen, **scaled(scale, **arguments))


def independent(treebank: str, sentences: int | None, measured: int | None, epochs: int) -> Result:
    """Zhang et al. (2014, greedy), Table 1: every word chooses its head by itself, also in training."""
    corpus = corpus_of(treebank, sentences, measured, dev="none")
    settings = TrainingSettings.preset(
        "first", labels="none", calibrate=False, epochs=epochs, trees="nonprojective", rival="independent"
    )
    parser = Parser.train(corpus.train, settings=settings)
    heads = [parser.arc_scores(sentence)[:, 1:].argmax(axis=0) for sentence in corpus.test]
    return {"uas": to_json(attached(corpus.test, heads))}


def reranker(treebank: str, sentences: int | None, measured: int | None, epochs: int) -> Result:
    """Zhang et al. (2014, sampling), section 5: the k best projective trees of second order, reranked."""
    corpus = corpus_of(treebank, sentences, measured, dev="none")
    base = TrainingSettings.preset(
        "second", labels="none", calibrate=False, epochs=epochs, trees="projective", factorization="sibling"
    )
    quick = sentences is not None
    chosen = RerankerSettings(
        k=20 if quick else 50, folds=3 if quick else 10, epochs=epochs, families=FAMILIES
    )
    trained = Reranker.train(corpus.train, base, chosen)
    found = [parse.heads for parse in trained.pipe(corpus.test)]
    return {"test": {"map": {"uas": to_json(attached(corpus.test, found))}}}


def heard(treebank: str, sentences: int | None, measured: int | None, epochs: int) -> Result:
    """Zhang et al. (2014, sampling), footnote 5: the scores of another parser as a feature of the sampler.

    The other one is a log-linear parser of siblings; its weight is chosen on held-out sentences.
    """
    corpus = corpus_of(treebank, sentences, measured, dev="held-out")
    common: dict[str, Any] = {"labels": "none", "calibrate": False, "epochs": epochs, "roles": False}
    sampler = Parser.train(
        corpus.train, preset="third", learner="samplerank", trees="nonprojective", **common
    )
    other = Parser.train(
        corpus.train, factorization="sibling", learner="log-linear", trees="projective", **common
    )
    both, weight = with_other_parser(sampler, other, corpus.dev)
    parts = {"alone": sampler, "heard": both}
    return {
        "weight": weight,
        "test": {name: measure(one, corpus.test, "sample") for name, one in parts.items()},
    }


TEMPERATURES = (0.1, 0.3, 1.0, 3.0, 10.0)


def tempered(treebank: str, sentences: int | None, measured: int | None, epochs: int) -> Result:
    """Smith and Smith (2007), section 4, for MIRA: minimum-risk trees at the temperature that dev prefers."""
    corpus = corpus_of(treebank, sentences, measured, dev="held-out")
    parser = Parser.train(
        corpus.train,
        corpus.dev,
        preset="first",
        trees="nonprojective",
        labels="none",
        calibrate=False,
        epochs=epochs,
    )

    def right(gold: list[Sentence], temperature: float) -> SentenceCounts:
        trees = [
            SpanningTrees(parser.arc_scores(s) / temperature, single_root=parser.config.single_root)
            for s in gold
        ]
        return attached(gold, [one.minimum_risk().tree.heads for one in trees])

    best = max(TEMPERATURES, key=lambda temperature: percent(right(corpus.dev, temperature)))
    found = {
        "minimum-risk": {"uas": to_json(right(corpus.test, best))},
        "map": measure(parser, corpus.test, "map"),
    }
    return {"temperature": best, "test": found}
