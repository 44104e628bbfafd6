"""Tasks that train a parser and measure it: what most tables are made of."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np

from benchmarks.engine import PARSING, Result, Scale, Task, both
from benchmarks.engine.worker import threads
from benchmarks.measuring.attachment import counts_of_parses, percent, read_counts, to_json
from benchmarks.measuring.corpus import Corpus, tagless
from headwise import Parser
from headwise._native import parsing as native
from headwise.evaluation import SentenceCounts
from headwise.learning.loop import EpochReport, Listener
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from headwise.trees import ProjectiveTrees, SpanningTrees

Made = TypeVar("Made")
Dev = Literal["none", "own", "held-out"]
"""The development set: none, the treebank's if it has one, or else its first words."""


def corpus_of(
    treebank: str,
    sentences: int | None = None,
    measured: int | None = None,
    *,
    dev: Dev = "none",
    protocol: str | None = "conllx",
) -> Corpus:
    """A treebank, cut. The papers leave punctuation out; without a protocol it is that of its literature."""
    corpus = Corpus.load(treebank)
    if dev == "held-out":
        corpus = corpus.with_dev()
    if sentences is not None:
        corpus = corpus.sample(sentences, seed=1)
    return replace(
        corpus,
        protocol=protocol or corpus.protocol,
        dev=[] if dev == "none" else corpus.dev[:measured],
        test=corpus.test[:measured],
    )


def train(
    treebank: str,
    settings: Mapping[str, Any],
    preset: str = "first",
    sentences: int | None = None,
    measured: int | None = None,
    epochs: int | None = None,
    dev: Dev = "none",
    judge: bool = True,
    decoders: Sequence[str] = ("map",),
    parts: Sequence[str] = ("test", "dev"),
    protocol: str | None = "conllx",
    curve: bool = False,
    blind: bool = False,
) -> Result:
    """Train, and parse the test set and dev with each decoder.

    The best epoch by dev is kept unless nobody shall judge. With ``curve`` there is accuracy on test after
    each epoch too; ``blind`` parsers see forms alone.
    """
    corpus = corpus_of(treebank, sentences, measured, dev=dev, protocol=protocol)
    if blind:
        corpus = replace(
            corpus, train=tagless(corpus.train), dev=tagless(corpus.dev), test=tagless(corpus.test)
        )
    chosen = settings_of(preset, {**settings, **({"epochs": epochs} if epochs else {})})
    # Without dev, what probabilities are fitted on decides how much a network counts.
    chosen = replace(chosen, calibrate=chosen.weighs_network and not corpus.dev)
    by_epoch: list[float] = []

    def keep(report: EpochReport) -> None:
        if report.dev is not None:
            by_epoch.append(100 * report.dev.measures()["uas"])

    judges = corpus.dev if corpus.dev and judge else corpus.test if curve else None
    parser, seconds = cpu_seconds(
        lambda: Parser.train(corpus.train, judges, settings=chosen, listener=Listener(epoch=keep))
    )
    result: Result = {
        "train_cpu_seconds": seconds,
        "train_sentences": len(corpus.train),
        "words": corpus.words,
        "passes": chosen.epochs,
        "best_epoch": parser.config.training["best_epoch"],
        "epochs": by_epoch,
    }
    for part, gold in {"test": corpus.test, "dev": corpus.dev}.items():
        if gold and part in parts:
            result[part] = {decoder: measure(parser, gold, decoder, corpus.protocol) for decoder in decoders}
    if pruning := measure_pruning(parser, corpus.dev or corpus.test):
        result["pruning"] = vars(pruning)
    return result


def train_task(
    scale: Scale,
    treebank: str,
    settings: Mapping[str, Any],
    depends: tuple[str, ...] = PARSING,
    needs: str = "",
    **arguments: Any,
) -> Task:
    """As much of everything as the scale has, unless the arguments say it."""
    cut = {"sentences": scale.sentences, "measured": scale.measured, "epochs": scale.epochs}
    own = {**cut, "treebank": treebank, "settings": dict(settings), **arguments}
    return Task("measuring.training:train", depends, needs, **own)


def settings_of(preset: str, settings: Mapping[str, Any]) -> TrainingSettings:
    return TrainingSettings.preset(preset, **{"calibrate": False, "threads": threads(), **settings})  # type: ignore[arg-type]


def measure(parser: Parser, gold: list[Sentence], decoder: str = "map", protocol: str = "conllx") -> Result:
    """What a decoder gets right, sentence by sentence, and its speed in this pass, the first."""
    parses, spent = cpu_seconds(lambda: list(parser.pipe(gold, decoder=decoder)))
    counts = counts_of_parses(gold, [parse.to_sentence() for parse in parses], protocol)
    if parser.config.label_mode not in ("separate", "joint"):
        del counts["las"]
    return {
        **{name: to_json(own) for name, own in counts.items()},
        "lengths": [len(sentence) for sentence in gold],
        "exact": [bool(parse.exact) for parse in parses],
        "tokens_a_second": sum(map(len, gold)) / max(spent, 1e-9),
    }


def counts(result: Result, decoder: str = "map", part: str = "test", measure: str = "uas") -> SentenceCounts:
    """What a trained parser got right."""
    return read_counts(result[part][decoder][measure])


def score(result: Result, part: str = "test", decoder: str = "map", measure: str = "uas") -> float:
    return percent(counts(result, decoder, part, measure))


def pair(result: Result, part: str = "test") -> str:
    """UAS / LAS."""
    return both(score(result, part), score(result, part, measure="las"))


@dataclass(frozen=True)
class Pruning:
    """What is left after pruning (Koo 2010, Table 5.1)."""

    heads: float
    """A word."""
    oracle: float
    """The best UAS, in percent of all words, that any tree over the surviving arcs reaches."""


def measure_pruning(parser: Parser, sentences: list[Sentence]) -> Pruning | None:
    """What the parser's pruner leaves of these annotated sentences; None where it has none."""
    if parser.config.pruner is None:
        return None
    words = parser.config.word_view(parser.weights)
    pruner = native.Pruner(parser.config.pruner_shape(words), parser.weights["pruner"])
    trees = ProjectiveTrees if parser.config.projective else SpanningTrees
    survived = right = 0
    for sentence in sentences:
        size = len(sentence) + 1
        kept = pruner.prune(sentence).reshape(size, size).astype(bool)
        gold = np.zeros((size, size))
        gold[sentence.heads, np.arange(1, size)] = 1.0
        # The tree with most gold arcs among those that the parser can still find.
        best = trees(gold, mask=kept, single_root=parser.config.single_root).argmax().tree
        survived += int(np.count_nonzero(kept))
        right += int(np.count_nonzero(best.heads == sentence.heads))
    total = sum(map(len, sentences))
    return Pruning(survived / total, 100 * right / total)


def cpu_seconds(work: Callable[[], Made]) -> tuple[Made, float]:
    """What some work returns, and the processor time this process spent on it."""
    started = time.process_time()
    made = work()
    return made, time.process_time() - started
