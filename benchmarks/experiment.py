"""Train a parser in this process and measure it: accuracy, processor time, what its pruner loses."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from corpus import Corpus
from headwise import Parser
from headwise._native import parsing as native
from headwise.evaluation import ProtocolName, Scores, evaluate
from headwise.training import TrainingSettings
from headwise.treebank import Sentence
from headwise.trees import ProjectiveTrees, SpanningTrees

Result = TypeVar("Result")


@dataclass(frozen=True)
class Pruning:
    """What is left after pruning (Koo 2010, Table 5.1)."""

    heads_per_word: float
    oracle_uas: float
    """The best UAS, in percent of all words, that any tree over the surviving arcs reaches."""


@dataclass(frozen=True)
class Measured:
    """A trained parser's figures, and its trees for further tests."""

    scores: dict[str, Scores]
    """By protocol."""
    train_cpu_seconds: float
    """Pruner, epochs and the parsing of dev after each of them; without reading files."""
    tokens_per_cpu_second: float
    """Features, search and labels, one thread; without reading and writing files."""
    best_epoch: int
    pruning: Pruning | None
    parsed: list[Sentence]

    def uas(self, protocol: str) -> float:
        return 100 * self.scores[protocol].uas.f1

    def las(self, protocol: str) -> float:
        return 100 * self.scores[protocol].las.f1


def train_and_measure(
    corpus: Corpus,
    settings: TrainingSettings,
    measured_on: list[Sentence],
    protocols: Iterable[ProtocolName],
) -> Measured:
    """Train on the corpus, keeping the best epoch on its dev, and measure on some of its sentences.

    Probabilities are not fitted: that takes time, and changes no tree (calibration.py measures them); but
    where there is no dev, what they are fitted on decides how much a network counts.
    """
    settings = replace(settings, calibrate=settings.weighs_network and not corpus.dev)
    note(f"{corpus.name}, {len(corpus.train):,} sentences: {describe(settings)}")
    parser, seconds = cpu_seconds(lambda: Parser.train(corpus.train, corpus.dev or None, settings=settings))
    rounds = [cpu_seconds(lambda: list(parser.pipe(measured_on, threads=1))) for _ in range(3)]
    parsed = [parse.to_sentence() for parse in rounds[0][0]]
    return Measured(
        scores=score(measured_on, parsed, protocols),
        train_cpu_seconds=seconds,
        tokens_per_cpu_second=sum(map(len, parsed)) / min(spent for _, spent in rounds),
        best_epoch=parser.config.training["best_epoch"],
        pruning=measure_pruning(parser, measured_on),
        parsed=parsed,
    )


def score(
    gold: list[Sentence], parsed: list[Sentence], protocols: Iterable[ProtocolName]
) -> dict[str, Scores]:
    # Some treebanks have several roots to a sentence.
    return {protocol: evaluate(gold, parsed, protocol, multiple_roots=True) for protocol in protocols}


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
    words = sum(map(len, sentences))
    return Pruning(survived / words, 100 * right / words)


def cpu_seconds(work: Callable[[], Result]) -> tuple[Result, float]:
    """What some work returns, and the processor time this process spent on it."""
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def describe(settings: TrainingSettings) -> str:
    without = f" without {', '.join(settings.without)}" if settings.without else ""
    return f"{settings.factorization}{without}, {settings.epochs} epochs, seed {settings.seed}"


def note(text: str) -> None:
    """Progress, kept apart from the report on standard output."""
    print(text, file=sys.stderr, flush=True)
