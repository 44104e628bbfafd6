"""Features of whole trees: what they bring, and ways to learn them.

    python benchmarks/whole_tree.py CoNLLX_Danish --tables families -o global.md
    python benchmarks/whole_tree.py Gothic --quick                # a try

Tables of development sets (a tenth of the training data where a treebank has none), heads only, without
punctuation; the first of all treebanks, the others a treebank:

    sets        no features, those of the preset full, and those of small parts
    families    each family alone, all together, and none, learned on top of the same parsers
    learning    on top of parsers that have not seen the sentence, or jointly; and a reranker of the k best
                trees, the baseline of Zhang et al. (2014, "Steps to excellence", Table 2)
    samplerank  both kinds of constraints, and each alone (Figure 8), with MIRA for comparison
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from attachment import uas_of
from corpus import Corpus
from experiment import cpu_seconds, note
from headwise import Parser
from headwise.components.parser.parse import Parse
from headwise.components.reranker.reranker import Reranker
from headwise.components.whole_tree.config import ALL, FAMILIES
from headwise.training import TrainingSettings
from headwise.training.reranking import RerankerSettings
from headwise.treebank import Sentence
from options import benchmark_options
from report import Report, Row, Table, command_line, machine

SETS = {
    "none": (),
    "the preset full's": FAMILIES,
    "… and those of small parts": ALL,
    "those of small parts": tuple(name for name in ALL if name not in FAMILIES),
}
TABLES = ("sets", "families", "learning", "samplerank")
QUICK = {"train": 200, "others": 50}
QUICK_EPOCHS = 2


def settings_of(options: argparse.Namespace, **changes: object) -> TrainingSettings:
    epochs = QUICK_EPOCHS if options.quick else options.epochs
    common = {"labels": "none", "calibrate": False, "trees": options.trees}
    if epochs:
        common |= {"epochs": epochs, "whole_tree__fold_epochs": min(epochs, 5)}
    return TrainingSettings.preset(options.preset, **{**common, **changes})  # type: ignore[arg-type]


def measured(name: str, parses: Iterable[Parse], train: float) -> Row:
    found, seconds = cpu_seconds(lambda: list(parses))
    return {
        "Features": name,
        "UAS": f"{uas_of(found):.2f}",
        "Train CPU s": f"{train:,.0f}",
        "Parse CPU s": f"{seconds:.1f}",
    }


def trained_row(name: str, train: list[Sentence], dev: list[Sentence], settings: TrainingSettings) -> Row:
    note(f"  {name}")
    parser, seconds = cpu_seconds(lambda: Parser.train(train, settings=settings))
    return measured(name, parser.pipe(dev), seconds)


def set_row(corpus: Corpus, options: argparse.Namespace) -> Row:
    return {"Treebank": corpus.name} | {
        name: trained_row(
            name, corpus.train, corpus.dev, settings_of(options, whole_tree__families=families)
        )["UAS"]
        for name, families in SETS.items()
    }


def family_rows(corpus: Corpus, options: argparse.Namespace) -> list[Row]:
    choices = {"none": (), **{name: (name,) for name in ALL}, "the preset full's": FAMILIES, "all": ALL}
    return [
        trained_row(name, corpus.train, corpus.dev, settings_of(options, whole_tree__families=families))
        for name, families in choices.items()
    ]


def learning_rows(corpus: Corpus, options: argparse.Namespace) -> list[Row]:
    ways = {
        "none": settings_of(options, whole_tree__families=()),
        "stacked": settings_of(options, whole_tree__families=FAMILIES),
        "joint": settings_of(options, whole_tree__families=FAMILIES, whole_tree__learning="joint"),
    }
    rows = [trained_row(name, corpus.train, corpus.dev, settings) for name, settings in ways.items()]
    note("  reranker")
    ranking = RerankerSettings(k=options.k, folds=options.folds, families=FAMILIES)
    reranker, seconds = cpu_seconds(lambda: Reranker.train(corpus.train, ways["none"], ranking))
    return [*rows, measured(f"reranker, {options.k} best", reranker.pipe(corpus.dev), seconds)]


def samplerank_rows(corpus: Corpus, options: argparse.Namespace) -> list[Row]:
    ways: dict[str, dict[str, object]] = {
        "MIRA": {},
        "SampleRank": {"learner": "samplerank"},
        "SampleRank, successive samples only": {"learner": "samplerank", "sampling__constraints": "pairs"},
        "SampleRank, gold trees only": {"learner": "samplerank", "sampling__constraints": "gold"},
    }
    return [
        trained_row(
            name,
            corpus.train,
            corpus.dev,
            settings_of(options, **{"whole_tree__families": (), "trees": "nonprojective"} | way),
        )
        for name, way in ways.items()
    ]


def main(arguments: list[str]) -> None:
    options = parse_arguments(arguments)
    report = Report(options.output)
    make = {"families": family_rows, "learning": learning_rows, "samplerank": samplerank_rows}
    sets: list[Row] = []
    common: dict[str, str | list[str]] = {
        "measured with": machine(),
        "command": command_line(__file__, arguments),
    }
    for name in options.treebanks:
        corpus = Corpus.load(name)
        if options.quick:
            corpus = corpus.shortened(**QUICK)
        if options.train:
            corpus = corpus.sample(options.train, seed=1)
        corpus = corpus.with_dev()
        facts = {"split": corpus.describe_split("dev"), **common}
        for table in options.tables:
            note(f"{corpus.name}: {table}")
            if table == "sets":
                sets.append(set_row(corpus, options))
            else:
                rows = make[table](corpus, options)
                report.add(Table(f"{corpus.name}, {options.preset}: {table}", facts, rows))
    if sets:
        report.add(Table(f"Sets of families, {options.preset}: UAS", common, sets))


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = benchmark_options(__doc__, tables=TABLES)
    parser.add_argument("--preset", default="third", help="the parts below; default: third")
    parser.add_argument("--trees", default="nonprojective", help="default: nonprojective")
    parser.add_argument("--train", type=int, help="train on a sample of so many sentences; default: all")
    parser.add_argument("-k", type=int, default=20, help="trees that the reranker chooses from; default: 20")
    parser.add_argument("--folds", type=int, default=4, help="of the reranker; default: 4")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
