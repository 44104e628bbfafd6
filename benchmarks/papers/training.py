"""Tasks that train a parser and measure it: what most tables are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from attachment import attached, percent
from corpus import Corpus
from decoder_runs import Attachment
from experiment import cpu_seconds, measure_pruning
from headwise import Parser
from headwise.components.reranker.reranker import Reranker
from headwise.components.scoring.other_parser import with_other_parser
from headwise.components.whole_tree.config import FAMILIES
from headwise.evaluation import SentenceCounts
from headwise.learning.loop import EpochReport, Listener
from headwise.training import TrainingSettings
from headwise.training.reranking import RerankerSettings
from headwise.treebank import Sentence
from headwise.trees import SpanningTrees
from papers.tasks import Result, Scale, Task

CONLLX = ("CoNLLX_Danish", "CoNLLX_Dutch", "CoNLLX_Portuguese", "CoNLLX_Swedish")
"""The sets that papers report on, and that are open."""


def scaled(scale: Scale, **arguments: Any) -> dict[str, Any]:
    """The arguments of a task at a scale; what they say themselves wins."""
    own = {"sentences": scale.sentences, "measured": scale.measured, "epochs": scale.epochs}
    return {**own, **arguments}


def train_task(scale: Scale, treebank: str, **arguments: Any) -> Task:
    return Task("training:train", treebank=treebank, **scaled(scale, **arguments))


def corpus_of(treebank: str, sentences: int | None, measured: int | None, *, dev: bool) -> Corpus:
    """A treebank, cut; scored as the papers do it, without punctuation."""
    corpus = Corpus.load(treebank)
    if dev:
        corpus = corpus.with_dev()
    if sentences is not None:
        corpus = corpus.sample(sentences, seed=1)
    return replace(
        corpus,
        protocol="conllx",
        dev=corpus.dev[:measured] if dev else [],
        test=corpus.test[:measured],
    )


def train(
    treebank: str,
    sentences: int | None,
    measured: int | None,
    epochs: int,
    settings: Mapping[str, Any],
    preset: str = "first",
    decoders: Sequence[str] = ("map",),
    dev: bool = False,
    curve: bool = False,
) -> Result:
    """Train and parse the test set (and dev) with each decoder; with ``curve``, test after each epoch too."""
    corpus = corpus_of(treebank, sentences, measured, dev=dev)
    common = {"labels": "none", "calibrate": False, "epochs": epochs}
    chosen = TrainingSettings.preset(preset, **{**common, **settings})  # type: ignore[arg-type]
    by_epoch: list[float] = []

    def keep(report: EpochReport) -> None:
        if report.dev is not None:
            by_epoch.append(100 * report.dev.measures()["uas"])

    judges = corpus.dev if dev else corpus.test if curve else None
    parser, seconds = cpu_seconds(
        lambda: Parser.train(corpus.train, judges, settings=chosen, listener=Listener(epoch=keep))
    )
    result: Result = {
        "train_cpu_seconds": seconds,
        "train_sentences": len(corpus.train),
        "words": corpus.words,
        "passes": epochs,
        "epochs": by_epoch,
    }
    for part, gold in {"test": corpus.test, "dev": corpus.dev}.items():
        if gold:
            result[part] = {decoder: measure(parser, gold, decoder) for decoder in decoders}
    if pruning := measure_pruning(parser, corpus.dev or corpus.test):
        result["pruning"] = {"heads": pruning.heads_per_word, "oracle": pruning.oracle_uas}
    return result


def measure(parser: Parser, gold: list[Sentence], decoder: str) -> Result:
    """What a decoder gets right, sentence by sentence, and its speed."""
    parses, spent = cpu_seconds(lambda: list(parser.pipe(gold, decoder=decoder)))
    found = {"uas": to_json(attached(gold, [parse.heads for parse in parses]))}
    if parser.config.label_mode in ("separate", "joint"):
        parsed = [parse.to_sentence() for parse in parses]
        corpus = Corpus("", "conllx", [], [], [])
        found["las"] = to_json(Attachment.of(corpus, gold, parsed).las)
    return {
        **found,
        "lengths": [len(sentence) for sentence in gold],
        "exact": [bool(parse.exact) for parse in parses],
        "tokens_a_second": sum(map(len, gold)) / max(spent, 1e-9),
    }


def to_json(counts: SentenceCounts) -> list[list[int]]:
    return [counts.correct.tolist(), counts.gold.tolist(), counts.system.tolist()]


def counts(result: Result, decoder: str = "map", part: str = "test", measure: str = "uas") -> SentenceCounts:
    """What a trained parser got right."""
    return SentenceCounts(*map(np.array, result[part][decoder][measure]))


def independent(treebank: str, sentences: int | None, measured: int | None, epochs: int) -> Result:
    """Zhang et al. (2014, greedy), Table 1: every word chooses its head by itself, also in training."""
    corpus = corpus_of(treebank, sentences, measured, dev=False)
    settings = TrainingSettings.preset(
        "first", labels="none", calibrate=False, epochs=epochs, trees="nonprojective", rival="independent"
    )
    parser = Parser.train(corpus.train, settings=settings)
    heads = [parser.arc_scores(sentence)[:, 1:].argmax(axis=0) for sentence in corpus.test]
    return {"uas": to_json(attached(corpus.test, heads))}


def reranker(treebank: str, sentences: int | None, measured: int | None, epochs: int) -> Result:
    """Zhang et al. (2014, sampling), section 5: the k best projective trees of second order, reranked."""
    corpus = corpus_of(treebank, sentences, measured, dev=False)
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
    corpus = corpus_of(treebank, sentences, measured, dev=True)
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
    corpus = corpus_of(treebank, sentences, measured, dev=True)
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
