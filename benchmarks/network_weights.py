"""How much a network counts: what choosing its weight gains over the default, with and without a dev set.

    python benchmarks/network_weights.py -o weights.md
    python benchmarks/network_weights.py Gothic --learner log-linear
    python benchmarks/network_weights.py Greek-GDT --quick            # a try

The preset accurate, from the first sentences of a treebank. Of its development set (or of the last sentences
of a training set without one) every other block of fifty chooses, as a development set does, and the others
judge; without a development set, what a parser of nine tenths has not seen chooses. p-values are of LAS,
against the default, by two-sided paired permutation tests over sentences.
"""

from __future__ import annotations

import argparse
import sys
from typing import get_args

from corpus import Corpus
from experiment import note, score
from headwise import Parser
from headwise.components.network.weight import with_best_weight
from headwise.evaluation import compare
from headwise.learning import Listener
from headwise.learning.choices import Learner
from headwise.training import TrainingSettings, train_parser
from headwise.training.calibrating import split
from headwise.training.train import dev_scores
from headwise.treebank import Sentence
from options import benchmark_options
from report import Report, Row, Table, command_line, machine

TREEBANKS = (
    "UD_English-EWT",
    "UD_Greek-GDT",
    "UD_Gothic-PROIEL",
    "CoNLLX_Danish-DDT",
    "CoNLLX_Dutch-Alpino",
)
SENTENCES, QUICK_SENTENCES = 1500, 100
BLOCK = 50


def treebank_row(corpus: Corpus, settings: TrainingSettings, sentences: int) -> Row:
    others = corpus.dev or corpus.train[-sentences:]
    block = min(BLOCK, len(others) // 2)
    chooser = [s for i, s in enumerate(others) if i // block % 2 == 0]
    judge = [s for i, s in enumerate(others) if i // block % 2]
    train = corpus.train[:sentences]
    held_out, rest = split(train)
    note(f"{corpus.name}, {len(train):,} sentences: all of them, then without {len(held_out):,}")
    parser, smaller = (train_parser(part, None, settings) for part in (train, rest))
    parsers = {
        "default": parser,
        "by dev": weighed_by(parser, parser, chooser),
        "by held-out": weighed_by(parser, smaller, held_out),
    }
    parsed = {name: [parse.to_sentence() for parse in one.pipe(judge)] for name, one in parsers.items()}
    row: Row = {"Treebank": corpus.name}
    for name, found in parsed.items():
        if name != "default":
            row[f"Weight {name}"] = f"{weight_of(parsers[name]):.2f}"
        scores = score(judge, found, [corpus.protocol])[corpus.protocol]
        row[f"UAS / LAS {name}"] = f"{100 * scores.uas.f1:.2f} / {100 * scores.las.f1:.2f}"
        if name != "default":
            tests = compare(judge, found, parsed["default"], corpus.protocol, multiple_roots=True)
            p_value = next(test for test in tests if test.name == "LAS").permutation.p_value
            row[f"p {name}"] = f"{p_value:.3f}"
    return row


def weighed_by(parser: Parser, judge: Parser, sentences: list[Sentence]) -> Parser:
    """The parser with the weight that does best for a judge on sentences."""
    _, weight = with_best_weight(
        judge, lambda one: dev_scores(one, sentences, threads=1), Listener(message=note)
    )
    return parser.with_network_weight(weight)


def weight_of(parser: Parser) -> float:
    assert parser.config.network is not None
    return parser.config.network.weight


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    sentences = QUICK_SENTENCES if options.quick else SENTENCES
    epochs = {"epochs": options.epochs} if options.epochs else {}
    settings = TrainingSettings.preset("accurate", learner=options.learner, calibrate=False, **epochs)
    if options.quick:
        settings = settings.changed(network={"width": 16, "epochs": 1})
    facts: dict[str, str | list[str]] = {
        "training": f"accurate, {options.learner}, {sentences:,} sentences, seed 1",
        "default weight": f"{settings.network_weight:g}",
        "measured with": machine(),
        "command": command_line(__file__, arguments),
    }
    report, rows = Report(options.output), list[Row]()
    for name in options.treebanks:
        rows.append(treebank_row(Corpus.load(name), settings, sentences))
        report.draft(Table("Weights of a network", facts, rows))
    report.add(Table("Weights of a network", facts, rows))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = benchmark_options(__doc__, treebanks=TREEBANKS)
    parser.add_argument("--learner", choices=get_args(Learner), default="mira")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
